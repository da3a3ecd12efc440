// SPDX-License-Identifier: Apache-2.0
// The protocols of LogP over messages of MPI; which of two files is linked decides whether they can be built.
#pragma once
#include <memory>

#include "api/measurement.hpp"
#include "logp/protocol.hpp"

namespace assay {

/// The measurement of a protocol for a point: round_trip, overheads, burst or one_way. Throws Unsupported for others,
/// and where the program is the one without MPI.
std::unique_ptr<Measurement> make_mpi_logp(Protocol protocol, Setup& setup);

/// Adds them to the registry, as "mpi/round_trip" and so on.
void register_mpi_logp(Registry& registry);

}  // namespace assay
