// SPDX-License-Identifier: Apache-2.0
// How long a session will go on.
#pragma once
#include <cstddef>

#include "base/units.hpp"

namespace assay {

/// Learns what points cost from those that are finished.
class TimeLeft {
 public:
  /// A finished point on which visits were spent.
  void add(Nanoseconds spent) {
    ++points_;
    spent_ += spent;
  }
  /// What the points known would take, `open` of them begun with `on_open` spent on all of these, if each took as long
  /// as those finished; by the pace of the session so far. Points that have taken longer than that are expected to take
  /// half as long again. 0 while nothing is known.
  Nanoseconds estimate(Nanoseconds elapsed, std::size_t open, Nanoseconds on_open, std::size_t waiting) const;

 private:
  int points_ = 0;
  Nanoseconds spent_{};
};

}  // namespace assay
