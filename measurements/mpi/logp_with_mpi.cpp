// SPDX-License-Identifier: Apache-2.0
// The program with MPI.
#include "logp/burst.hpp"
#include "logp/overheads.hpp"
#include "logp/round_trip.hpp"
#include "mpi/channel.hpp"
#include "mpi/kinds.hpp"
#include "mpi/one_way.hpp"

namespace assay {

std::unique_ptr<Measurement> make_mpi_logp(Protocol protocol, Setup& setup) {
  switch (protocol) {
    case Protocol::round_trip:
      return std::make_unique<RoundTrip<MpiChannel>>(setup);
    case Protocol::overheads:
      return std::make_unique<Overheads<MpiChannel>>(setup);
    case Protocol::burst:
      return std::make_unique<Burst<MpiChannel>>(setup);
    case Protocol::one_way:
      return std::make_unique<MpiOneWay>(setup);
    default:
      throw Unsupported("no such protocol over messages of MPI");
  }
}

}  // namespace assay
