// SPDX-License-Identifier: Apache-2.0
// What is agreed about cores whose readings are computed.
#pragma once

namespace assay {

/// Cycles of a step of the chain (base/core_reading.hpp) on a simulated core, whatever the machine: by it a reading
/// shows the core's clock, and how many additions it executes per cycle.
inline constexpr int simulated_cycles_per_step = 3;

}  // namespace assay
