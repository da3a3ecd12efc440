// SPDX-License-Identifier: Apache-2.0
// The clocks that a processor switches between, learned from the chains of visits.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/units.hpp"

namespace assay {

/// A clock, or the step of a chain that shows it, and how many readings were at it.
struct ClockLevel {
  double middle = 0;
  std::size_t readings = 0;
};
/// The levels that clocks fall on, ascending: each takes what is within three per cent of its lowest. That is what a
/// state goes by, and no rounded number: a clock at the edge of two would be two states.
std::vector<ClockLevel> clock_levels(std::vector<double> clocks);
/// The level that a clock is nearest to by ratio; 0 where there are none, or the clock is not known.
double nearest_level(const std::vector<double>& levels, double clock);

/// The clock during a visit, as a step of the chain shows it.
struct SeenClock {
  Nanoseconds step{};        ///< 0: not read
  std::size_t readings = 0;  ///< that it is the mean of
  bool changed = false;      ///< between the first half of the visit and the second
};
/// Of the steps in the order in which they were read, in ns. A coarse time stamp rounds one of them by up to 3 %, so
/// that the mean shows what none does. Those more than 6 % off their median were interrupted, and are left out.
SeenClock clock_of(const std::vector<double>& steps);

/// The clocks of a node's cores, which a processor gives to all of one kind alike.
struct NodeClocks {
  std::string node;                ///< name; empty: the session's own
  Nanoseconds usual{};             ///< step of the chain at the clock that most readings had; 0: not known
  std::vector<ClockLevel> levels;  ///< ns of a step, ascending
};

/// Learns the levels, such as the steps of 100 MHz between which processors change with the number of cores at work.
class ClockLevels {
 public:
  /// Of a core that was alone: others delay its chain. Visits with fewer than eight readings are not accurate enough to
  /// learn from, nor are those in which the clock changed.
  void add(const SeenClock& clock);
  /// What was found before, by an earlier session, or when a point was finished: its usual clock stays the usual one.
  void confirm(const NodeClocks& earlier);
  /// Points that are finished from now on are to be of the same clock as those before: the usual one stays. Where it
  /// turns out to be none, but a mean of two within 2.2 % of it, the one of them with most readings is.
  void keep_usual() { is_kept_ = is_kept_ || usual_ > Nanoseconds{}; }

  /// The level of most readings; 0: not known.
  Nanoseconds usual() const { return usual_; }
  /// The level nearest to a step; the step itself where none is within 3 %.
  Nanoseconds level_of(Nanoseconds step) const;
  const std::vector<ClockLevel>& levels() const { return levels_; }
  /// Changes when levels or the usual one do.
  std::int64_t version() const { return version_; }

 private:
  void learn();
  Nanoseconds kept_of(const std::vector<ClockLevel>& fullest_first) const;
  double name_of(double middle) const;

  std::map<int, double> bins_;  ///< readings, by the logarithm of the step
  double readings_ = 0;
  double next_look_ = 0;
  std::vector<ClockLevel> levels_;
  Nanoseconds usual_{};
  bool is_kept_ = false;
  std::int64_t version_ = 0;
};

}  // namespace assay
