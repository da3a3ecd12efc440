// SPDX-License-Identifier: Apache-2.0
// What the reference round trips of a point's visits show about the CPUs that its members really had.
#pragma once
#include <cstddef>
#include <vector>

namespace assay {

/// The reference round trips of a point, in ns. Inside a virtual machine a binding names virtual CPUs, which their host
/// moves between its cores: the reference then changes with the distance of the cores, whatever was measured.
struct ReferenceTrips {
  std::size_t visits = 0;  ///< with a reference; 0: nothing is known
  double median = 0;
  double low = 0;      ///< of two modes, the faster one; else what a tenth of the visits (one at least) is below
  double high = 0;     ///< likewise the slower one
  bool moved = false;  ///< two modes a fifth apart or more, or low and high more than a factor of 1.5
};

/// Summarizes them, in order of time. Left out are those above `longest_distance`. Nothing is said to have moved with
/// fewer than five that remain. The modes are those of modes_of.
ReferenceTrips summarize_reference(const std::vector<double>& trips);

}  // namespace assay
