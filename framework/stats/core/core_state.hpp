// SPDX-License-Identifier: Apache-2.0
// The state of the cores that a result is about.
#pragma once
#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/batch.hpp"
#include "base/units.hpp"
#include "stats/core/clock_levels.hpp"
#include "stats/core/core_levels.hpp"

namespace assay {

/// What is common to the batches of a result. The default is "as found": whatever the cores were like.
struct CoreState {
  Sharing sharing = Sharing::unknown;
  double clock_ghz = 0;    ///< where it was not the usual one, or sharing is as found, in steps of 0.01; else 0
  double distance_ns = 0;  ///< of the members, by a round trip of flags, where there was more than one; else 0
  /// Over the usual clock, in steps of 0.01, where it was not that one and nothing says what it was in GHz; else 0.
  double clock_ratio = 0;
  /// What was free to move was on one CPU, or each on its own; unknown where it was bound or not observed.
  Spread spread = Spread::unknown;
  /// Of the chain meanwhile: what "the usual clock" is, which another campaign may find to be another. It is no part of
  /// what distinguishes states within one campaign. 0: not known.
  Nanoseconds step{};

  /// By value: the same states of one machine have the same clocks and distances.
  friend std::partial_ordering operator<=>(const CoreState& a, const CoreState& b) {
    return a.identity() <=> b.identity();
  }
  friend bool operator==(const CoreState& a, const CoreState& b) { return a.identity() == b.identity(); }

 private:
  std::tuple<Sharing, double, double, double, Spread> identity() const {
    return {sharing, clock_ghz, distance_ns, clock_ratio, spread};
  }
};
/// "as found", "alone", "shared", "alone, clock 2.9 GHz, distance 102 ns", "alone, clock 0.87 of the usual", "alone,
/// one CPU", "alone, separate CPUs", "as found, clock 2.9 GHz".
std::string to_text(const CoreState& state);
/// Its clock, where it names one: "2.9 GHz", "0.87 of the usual".
std::string clock_text(const CoreState& state);
/// The same with the step of the chain, for what other campaigns are held against: "alone, step 1.1042 ns".
std::string to_text_with_step(const CoreState& state);
/// Either, back.
std::optional<CoreState> parse_core_state(std::string_view text);
/// True for states of one kind, though clocks and distances of two campaigns differ a little: clocks by 1.5 %, where
/// cores were not always alone and none is named by 3; distances by 5 %, where cores were not alone by 20.
bool is_like(const CoreState& a, const CoreState& b);
/// Whether two steps of the chain are of one clock, as results of it have them: within 1.5 %.
bool is_one_clock(Nanoseconds a, Nanoseconds b);
/// The clock of a over that of b, to the nearest hundredth, where that is why states with the same text are not alike;
/// else nothing.
std::optional<double> other_clock(const CoreState& a, const CoreState& b);

/// Which state a headline is of.
enum class WantedState : std::uint8_t { alone, any, shared };
/// "alone", "any", "shared", and back.
std::string to_text(WantedState state);
std::optional<WantedState> parse_wanted_state(std::string_view text);

}  // namespace assay
