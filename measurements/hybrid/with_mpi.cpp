// SPDX-License-Identifier: Apache-2.0
// The program with MPI.
#include "hybrid/barriers.hpp"
#include "hybrid/kinds.hpp"
#include "hybrid/ping_pong.hpp"

namespace assay {

std::unique_ptr<Measurement> make_hybrid(HybridKind kind, Setup& setup) {
  switch (kind) {
    case HybridKind::ping_pong:
      return std::make_unique<HybridPingPong>(setup);
    case HybridKind::barrier:
      return std::make_unique<HybridBarrierRounds>(setup);
    case HybridKind::barrier_late:
      return std::make_unique<HybridBarrierLate>(setup);
    case HybridKind::barrier_exit:
      return std::make_unique<HybridBarrierExit>(setup);
  }
  throw Unsupported("no such measurement");
}

}  // namespace assay
