// SPDX-License-Identifier: Apache-2.0
// The state of the cores that a result is about.
#pragma once
#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/batch.hpp"
#include "stats/core/core_levels.hpp"

namespace assay {

/// What is common to the batches of a result. The default is "as found": whatever the cores were like.
struct CoreState {
  Sharing sharing = Sharing::unknown;
  double clock_ghz = 0;    ///< where it was not the usual one, in steps of 0.1; else 0
  double distance_ns = 0;  ///< of the members, by a round trip of flags, where there was more than one; else 0
  /// Over the usual clock, in steps of 0.01, where it was not that one and nothing says what it was in GHz; else 0.
  double clock_ratio = 0;
  /// What was free to move was on one CPU, or each on its own; unknown where it was bound or not observed.
  Spread spread = Spread::unknown;
  /// By value: the same states of one machine have the same clocks and distances.
  friend auto operator<=>(const CoreState&, const CoreState&) = default;
};
/// "as found", "alone", "shared", "alone, clock 2.9 GHz, distance 102 ns", "alone, clock 0.87 of the usual", "alone,
/// one CPU", "alone, separate CPUs", and back.
std::string to_text(const CoreState& state);
std::optional<CoreState> parse_core_state(std::string_view text);
/// True for states of one kind, though clocks and distances of two campaigns differ a little: by 3 and by 20 %.
bool is_like(const CoreState& a, const CoreState& b);

/// Which state a headline is of.
enum class WantedState : std::uint8_t { alone, any, shared };
/// "alone", "any", "shared", and back.
std::string to_text(WantedState state);
std::optional<WantedState> parse_wanted_state(std::string_view text);

/// The levels that distances fall on: neighbours (in order of size) that differ by more than a quarter belong to two.
/// Ascending: the median of each, in three digits.
std::vector<double> distance_levels(std::vector<double> distances);
/// The level that the distance is nearest to by ratio; 0 where there are none.
double nearest_level(const std::vector<double>& levels, double distance);

/// A clock, or the step of a chain that shows it, and how many readings were at it.
struct ClockLevel {
  double middle = 0;
  std::size_t readings = 0;
};
/// The levels that clocks fall on, ascending: each takes what is within three per cent of its lowest. That is what a
/// state goes by, and no rounded number: a clock at the edge of two would be two states.
std::vector<ClockLevel> clock_levels(std::vector<double> clocks);

}  // namespace assay
