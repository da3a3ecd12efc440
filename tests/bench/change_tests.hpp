// SPDX-License-Identifier: Apache-2.0
// Tests of whether something changed between runs, this framework's and others', on the same runs.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/rng.hpp"

namespace assay::bench {

/// One fresh process.
struct Run {
  std::vector<double> timings;  ///< empty where only the median was recorded
  double median = 0;
  double mean = 0;
};

/// Runs of one cell, in order of time.
struct Cell {
  std::string name;
  std::vector<Run> runs;
};

/// Runs of A and B; B's values are `ratio` times what was recorded.
struct Sides {
  std::vector<const Run*> a;
  std::vector<const Run*> b;
  double ratio = 1;
};

/// A test says whether B changed against A.
struct ChangeTest {
  std::string name;
  bool needs_timings = false;
  bool of_one_run = false;  ///< looks at one run of each side only
  bool (*tells)(const Sides& sides, Rng& rng) = nullptr;
};

/// All of them, this framework's last.
const std::vector<ChangeTest>& change_tests();

}  // namespace assay::bench
