// SPDX-License-Identifier: Apache-2.0
// What is left of a session: of its time, and of its points.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "record/record.hpp"

namespace assay {

/// Learns what points cost from those that are finished.
class TimeLeft {
 public:
  /// A finished point on which visits were spent.
  void add(Nanoseconds spent) {
    ++points_;
    spent_ += spent;
  }
  /// On all of them.
  Nanoseconds spent() const { return spent_; }
  /// What the points known would take, `open` of them begun with `on_open` spent on all of these, if each took as long
  /// as those finished; by the pace of the session so far. Points that have taken longer than that are expected to take
  /// half as long again. 0 while nothing is known.
  Nanoseconds estimate(Nanoseconds elapsed, std::size_t open, Nanoseconds on_open, std::size_t waiting) const;

 private:
  int points_ = 0;
  Nanoseconds spent_{};
};

/// Counts the points that a session leaves for another one, and names some of them.
class Unfinished {
 public:
  /// Takes note of a point's record.
  void add(const PointRecord& record);
  /// A sentence for each series, by name: "series a: 12 points unfinished when session 1 ended: x=1; x=2; x=3 and 9
  /// more". A later session may have finished them.
  std::vector<NoteRecord> notes(int session) const;

 private:
  struct Some {
    std::size_t count = 0;
    std::vector<std::string> named;
  };
  std::map<std::string, Some> series_;
};

}  // namespace assay
