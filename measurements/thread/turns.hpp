// SPDX-License-Identifier: Apache-2.0
// The turns that one of two spinners on one CPU gets, read off the gaps between its readings of the clock.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "api/stopwatch.hpp"
#include "base/units.hpp"

namespace assay {

/// Most turns that are kept of one batch.
inline constexpr std::size_t most_turns = 1024;

/// What is seen at a gap: whether the partner ran in it, and whether the spinner was switched out at all.
struct TurnGap {
  std::int64_t left = 0;      ///< last reading before it
  std::int64_t returned = 0;  ///< first reading after it
  bool partner_ran = false;
  bool was_out = false;
};

/// Builds turns from gaps. A gap in which the spinner was switched out and the partner ran ends a turn; one in which it
/// was switched out and the partner did not run is a foreign interruption, whose time is taken off the turn; any other
/// is an interrupt or the hypervisor, during which the kernel takes the spinner for running. Plain data: lives in
/// memory that processes share.
class TurnRecord {
 public:
  void clear() { *this = TurnRecord{}; }
  void add(const TurnGap& gap, const Stopwatch& watch) {
    if (!gap.was_out) {
      ++interrupts_;
    } else if (gap.partner_ran) {
      close(gap.left, watch);
      open(gap.returned);
    } else {
      ++foreign_;
      away_ += watch.between(gap.left, gap.returned);
    }
  }

  std::size_t size() const { return size_; }
  /// On-CPU time of a complete turn.
  Nanoseconds turn(std::size_t i) const { return turns_[i]; }
  std::int64_t foreign() const { return foreign_; }
  std::int64_t interrupts() const { return interrupts_; }

 private:
  void open(std::int64_t at) {
    from_ = at;
    away_ = {};
    is_open_ = true;
  }
  // What was going on when the record began is no complete turn.
  void close(std::int64_t at, const Stopwatch& watch) {
    if (is_open_ && size_ < most_turns) turns_[size_++] = watch.between(from_, at) - away_;
  }

  std::array<Nanoseconds, most_turns> turns_{};
  std::size_t size_ = 0;
  std::int64_t from_ = 0;
  Nanoseconds away_{};
  bool is_open_ = false;
  std::int64_t foreign_ = 0;
  std::int64_t interrupts_ = 0;
};

/// The median of the longest turns that lie within a tenth of each other and make up a quarter of all; nothing of fewer
/// than four. `turns` in ascending order. Turns cut short by others are below it, and a few that were not cut at all
/// above.
inline Nanoseconds upper_mode(const std::vector<Nanoseconds>& turns) {
  const std::size_t share = std::max<std::size_t>(2, (turns.size() + 3) / 4);
  if (turns.size() < 4) return {};
  for (std::size_t last = turns.size(); last >= share; --last) {
    std::size_t first = last - 1;
    while (first > 0 && turns[first - 1] * 1.1 >= turns[last - 1]) --first;
    if (last - first >= share) return turns[first + (last - first) / 2];
  }
  return {};
}

}  // namespace assay
