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

/// Which timings of a run are kept: `count` in all, `stretch` in a row, then none until `spacing_ns` after the start of
/// the stretch. The action runs on without a pause in between, so a trace is a long run with parts left out.
struct Kept {
  std::int64_t count = 0;
  std::int64_t stretch = 0;
  std::int64_t spacing_ns = 0;
};

/// Runs an action in the calling process, bound to the first of the usable CPUs (a partner on the second, where the
/// cell has one there): for `warm_up_ns` without keeping anything, then in batches of `reps` repetitions. Returns
/// elapsed ns per kept batch, in order. Throws std::invalid_argument for a cell that does not exist and
/// std::runtime_error when there are too few CPUs or the system refuses something.
std::vector<std::int64_t> time_cell(const std::string& cell, std::int64_t reps, const Kept& kept,
                                    std::int64_t warm_up_ns);

}  // namespace assay::bench
