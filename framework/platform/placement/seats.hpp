// SPDX-License-Identifier: Apache-2.0
// A placement in numbers.
#pragma once
#include <vector>

namespace assay {

/// The CPU of each member, and the memory node that is the home of what they share; -1 where that is nowhere in
/// particular.
struct Seats {
  std::vector<int> cpus;  ///< by rank
  int memory = -1;
  friend bool operator==(const Seats&, const Seats&) = default;
};

}  // namespace assay
