// SPDX-License-Identifier: Apache-2.0
// The hybrid measurements by name; which of two files is linked decides whether they can be built.
#pragma once
#include <cstdint>
#include <memory>

#include "api/measurement.hpp"

namespace assay {

enum class HybridKind : std::uint8_t { ping_pong, barrier, barrier_late, barrier_exit };

/// The measurement for a point. Throws Unsupported where the program is the one without MPI.
std::unique_ptr<Measurement> make_hybrid(HybridKind kind, Setup& setup);

}  // namespace assay
