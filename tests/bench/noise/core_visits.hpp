// SPDX-License-Identifier: Apache-2.0
// Visits to a few actions on one CPU, the core read between any two batches.
#pragma once
#include <cstdint>

#include "support/traces/state_trace.hpp"

namespace assay::bench {

/// How long and how dense.
struct VisitsAsked {
  int cpu = 0;
  int rounds = 0;            ///< each visits every action once, in random order
  int stretches = 0;         ///< visits of so many batches that states can be followed for milliseconds
  double longest_pause = 0;  ///< seconds; pauses are spread evenly over their orders of magnitude, from 0.3 ms on
  std::uint64_t seed = 1;
};

/// Binds the calling thread to that CPU and visits for as long as it takes. Circumstances are the caller's.
test::StateTrace record_visits(const VisitsAsked& asked);

}  // namespace assay::bench
