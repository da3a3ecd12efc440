// SPDX-License-Identifier: Apache-2.0
// The program with MPI.
#include "mpi/bandwidth.hpp"
#include "mpi/collective.hpp"
#include "mpi/kinds.hpp"
#include "mpi/links.hpp"
#include "mpi/ping_pong.hpp"

namespace assay {

std::unique_ptr<Measurement> make_mpi(MpiKind kind, Setup& setup) {
  switch (kind) {
    case MpiKind::ping_pong:
      return std::make_unique<MpiPingPong>(setup);
    case MpiKind::bandwidth:
      return std::make_unique<MpiBandwidth>(setup);
    case MpiKind::collective:
      return std::make_unique<MpiCollective>(setup);
    case MpiKind::links:
      return std::make_unique<MpiLinks>(setup);
  }
  throw Unsupported("no such measurement");
}

}  // namespace assay
