// SPDX-License-Identifier: Apache-2.0
// The measurements of MPI by name; which of two files is linked decides whether they can be built.
#pragma once
#include <cstdint>
#include <memory>

#include "api/measurement.hpp"

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

}  // namespace assay
