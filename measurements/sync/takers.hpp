// SPDX-License-Identifier: Apache-2.0
// Who took a lock, as noted under the lock itself.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "api/measurement.hpp"

namespace assay {

/// Runs and hand-offs of a lock. Protected by the lock, on a line of its own that travels with it.
class alignas(line_size) Takers {
 public:
  void taken_by(int rank) {
    ++operations_;
    if (rank == last_) {
      ++run_;
    } else {
      handoffs_ += last_ >= 0;
      last_ = rank;
      run_ = 1;
    }
    longest_ = std::max(longest_, run_);
  }

  std::int64_t operations() const { return operations_; }
  std::int64_t longest_run() const { return longest_; }
  /// Operations in a row by one member, on average. NaN before the first.
  double mean_run() const {
    return static_cast<double>(operations_) / static_cast<double>(handoffs_ + (operations_ > 0));
  }
  /// Share of the operations, but for the first, that were by another member than the one before; 0 before the second.
  double handed_over() const {
    return operations_ < 2 ? 0 : static_cast<double>(handoffs_) / static_cast<double>(operations_ - 1);
  }

 private:
  int last_ = -1;
  std::int64_t run_ = 0;
  std::int64_t longest_ = 0;
  std::int64_t handoffs_ = 0;
  std::int64_t operations_ = 0;
};

/// Jain's index of fairness: 1 for equal shares, 1/n when one has all (Jain, Chiu and Hawe, 1984). NaN when nobody has
/// any.
inline double jain_index(const std::vector<std::int64_t>& shares) {
  double sum = 0;
  double squares = 0;
  for (const std::int64_t share : shares) {
    const auto x = static_cast<double>(share);
    sum += x;
    squares += x * x;
  }
  return sum * sum / (static_cast<double>(shares.size()) * squares);
}

}  // namespace assay
