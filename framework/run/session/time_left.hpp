// SPDX-License-Identifier: Apache-2.0
// What is left of a session: of its time, and of its points.
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "record/record.hpp"

namespace assay {

/// What a point that is being measured has cost, and may cost.
struct OpenCost {
  std::size_t series = 0;
  Nanoseconds spent{};   ///< in visits, in sessions that this one continues too
  Nanoseconds here{};    ///< of it, in this session
  Nanoseconds wanted{};  ///< predicted, in all: 0 where nothing is known of it
  Nanoseconds own{};     ///< that its budget still allows by itself
  Nanoseconds most{};    ///< the same with what may be added to it
  int to_start = 0;      ///< processes that it is still to get
  int visits = 1000;     ///< that the prediction rests on
};

/// A session at one moment.
struct WorkLeft {
  Nanoseconds elapsed{};                            ///< since its start
  Nanoseconds set_up{};                             ///< of it, for starting processes and choosing repetitions
  Nanoseconds idle{};                               ///< of it, while no visit was due
  int started = 0;                                  ///< processes
  std::vector<OpenCost> open = {};                  ///< points
  std::map<std::size_t, std::size_t> waiting = {};  ///< points that are not open yet, by series
  int processes = 1;                                ///< that a waiting point is to get
  Nanoseconds until_spread{};                       ///< before which no session ends whose visits are to span a time
  std::optional<Nanoseconds> limit = {};            ///< of the session
};

/// Learns what points cost from those that are finished.
class TimeLeft {
 public:
  /// A finished point on which visits were spent, `here` of that in this session.
  void add(std::size_t series, Nanoseconds spent, Nanoseconds here);
  /// On all of them, in this session.
  Nanoseconds spent() const { return here_; }
  /// How long the session goes on: each open point to what it is predicted to need, or its budget allows, of what may
  /// be added to that a part only, since some end with their own budget and others before they have used all; drawn to
  /// the mean of its series where the prediction rests on few visits; one that waits to the mean of its series, or of
  /// all, open ones included, since cheap points finish first; at the session's pace so far, and with the processes
  /// that are still to be started. Visits of open points that were spread over a time are over when that is: the pauses
  /// between them are part of the pace of those that wait only. 0 while nothing is known.
  Nanoseconds estimate(const WorkLeft& work) const;

 private:
  struct Sum {
    Nanoseconds time{};
    double points = 0;
    void add(Nanoseconds cost) {
      time += cost;
      ++points;
    }
  };
  std::map<std::size_t, Sum> finished_;  ///< by series
  Nanoseconds here_{};
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
