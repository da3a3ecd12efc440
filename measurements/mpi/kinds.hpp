// SPDX-License-Identifier: Apache-2.0
// The measurements of MPI by name, and the protocols of LogP over its messages; which of two files is linked decides
// whether they can be built.
#pragma once
#include <cstdint>
#include <memory>

#include "api/measurement.hpp"
#include "logp/protocol.hpp"

namespace assay {

enum class MpiKind : std::uint8_t {
  ping_pong,
  bandwidth,
  message_rate,
  one_sided,
  collective,
  overlap,
  delayed,
  partner,
  master_worker,
  simple,
  links
};

/// The measurement for a point. Throws Unsupported where the program is the one without MPI.
std::unique_ptr<Measurement> make_mpi(MpiKind kind, Setup& setup);

/// The measurement of a protocol for a point: round_trip, overheads, burst or one_way. Throws Unsupported for others,
/// and where the program is the one without MPI.
std::unique_ptr<Measurement> make_mpi_logp(Protocol protocol, Setup& setup);

/// Adds them to the registry, as "mpi/round_trip" and so on.
void register_mpi_logp(Registry& registry);

}  // namespace assay
