// SPDX-License-Identifier: Apache-2.0
// Time stamps that members leave for one of them to read.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

#include "api/measurement.hpp"

namespace assay {

/// One stamp per member, each on a line of its own. All members read one clock.
class MemberStamps {
  struct alignas(line_size) Line {
    std::atomic<std::int64_t> at{0};
  };

 public:
  explicit MemberStamps(Setup& setup) {
    for (int rank = 0; rank < setup.members(); ++rank) lines_.push_back(&setup.share<Line>());
  }
  void set(const Member& member, std::int64_t at) {
    lines_[static_cast<std::size_t>(member.rank())]->at.store(at, std::memory_order_release);
  }
  std::int64_t of(int rank) const { return lines_[static_cast<std::size_t>(rank)]->at.load(std::memory_order_acquire); }
  /// The earliest stamp of all members but one.
  std::int64_t earliest(int but) const {
    std::int64_t found = std::numeric_limits<std::int64_t>::max();
    for (int rank = 0; rank < size(); ++rank)
      if (rank != but) found = std::min(found, of(rank));
    return found;
  }
  /// The latest stamp of all members but one.
  std::int64_t latest(int but) const {
    std::int64_t found = std::numeric_limits<std::int64_t>::min();
    for (int rank = 0; rank < size(); ++rank)
      if (rank != but) found = std::max(found, of(rank));
    return found;
  }

 private:
  int size() const { return static_cast<int>(lines_.size()); }
  std::vector<Line*> lines_;
};

}  // namespace assay
