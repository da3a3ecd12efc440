// SPDX-License-Identifier: Apache-2.0
// Actions timed in processes of their own.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/noise/noise_cells.hpp"

namespace assay::bench {

/// Times a cell in a fresh process, this program once more: elapsed ns per kept batch, in order, after 5 ms of the
/// action. Throws std::runtime_error when the process says nothing.
std::vector<std::int64_t> in_fresh_process(const NoiseCell& cell, std::int64_t reps, const Kept& kept);

/// What main does first with its arguments: where this is such a process it does its work and has an exit code.
std::optional<int> serve_fresh_process(const std::vector<std::string>& words);

}  // namespace assay::bench
