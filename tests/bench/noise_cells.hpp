// SPDX-License-Identifier: Apache-2.0
// The actions whose noise is recorded.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace assay::bench {

/// An action by name, with the repetitions per batch of either kind of trace.
struct NoiseCell {
  std::string name;
  std::int64_t reps_consecutive = 1;  ///< where consecutive timings are kept
  std::int64_t reps_process = 1;      ///< about 2.5 us or one repetition: a median of 200 is then finer than the clock
};
const std::vector<NoiseCell>& noise_cells();

/// Runs an action in the calling process, bound to the first of the usable CPUs (a partner on the second, where the
/// cell has one there): for `warm_up_ns` without keeping anything, then `timings` batches of `reps` repetitions each.
/// Returns elapsed ns per batch, in order. Throws std::invalid_argument for a cell that does not exist and
/// std::runtime_error when there are too few CPUs or the system refuses something.
std::vector<std::int64_t> time_cell(const std::string& cell, std::int64_t reps, std::int64_t timings,
                                    std::int64_t warm_up_ns);

}  // namespace assay::bench
