// SPDX-License-Identifier: Apache-2.0
// Registers the protocols of LogP over messages of MPI, in the form that layouts know.
#include "mpi/kinds.hpp"

namespace assay {
namespace {

Factor size_factor() {
  return {.name = "bytes",
          .kind = FactorKind::quantitative,
          .unit = Unit::bytes,
          .standard = std::int64_t{1},
          .summary = "size of a message"};
}

}  // namespace

void register_mpi_logp(Registry& registry) {
  for (const Protocol protocol : {Protocol::round_trip, Protocol::overheads, Protocol::burst, Protocol::one_way}) {
    Description description = describe(protocol);
    description.name = "mpi/" + description.name;
    description.factors.insert(description.factors.begin(), size_factor());
    // A rank polls; where members outnumber CPUs it gives its own up.
    description.traits = {.vehicles = {"mpi"}, .waiting = Waiting::polls};
    description.traits.compares_stamps = protocol == Protocol::one_way;
    registry.add(std::move(description), [protocol](Setup& setup) { return make_mpi_logp(protocol, setup); });
  }
}

}  // namespace assay
