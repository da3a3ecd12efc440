// SPDX-License-Identifier: Apache-2.0
// The clock of the cores while a result's observations were made, from readings of them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "stats/core/core_levels.hpp"

namespace assay {

/// Why a result has no clock by which its times could be reported in cycles.
enum class NoClock : std::uint8_t {
  not_kept,      ///< written by a program that did not keep it, or no time
  not_of_core,   ///< what it times does not follow the clock
  several_cpus,  ///< only what one CPU does follows it
  unbound,       ///< the same, and nothing says on which CPUs it was
  ranks,         ///< CPUs of several machines, which may have the same numbers
  no_yardstick,  ///< cycles of a step are not known
  not_read,
  shared,   ///< too few readings of a core that was alone: a neighbour delays the yardstick as well
  changed,  ///< by more than a state may
  differ,   ///< from CPU to CPU
  sessions  ///< the same from session to session, or one has none
};
/// "not-kept", "not-of-core" and so on, and back.
std::string to_text(NoClock reason);
std::optional<NoClock> parse_no_clock(std::string_view text);
/// The reason as a clause for people: "the clock changed meanwhile".
std::string_view meaning_of(NoClock reason);

/// A clock, or why there is none.
struct CoreClock {
  double ghz = 0;       ///< 0: see `why`
  double accuracy = 0;  ///< share of it by which it may be wrong
  NoClock why = NoClock::not_kept;
  bool known() const { return ghz > 0; }
};

/// Two clocks that differ by more than this share are not one.
inline constexpr double same_clock = 0.01;

/// Collects readings of the yardstick's chain by CPU. Only those of a core alone show its clock.
class ClockTally {
 public:
  /// A reading while the core was in this state.
  void add(int cpu, Nanoseconds chain, Sharing sharing);
  /// Of all CPUs together. At least half of the readings have to be of a core alone, their means by CPU within 1 % of
  /// each other, and nine tenths of a CPU's within 3 % of its mean, which leaves out those 6 % off their median.
  /// `cycles_per_step` of the chain.
  CoreClock clock(int cycles_per_step) const;

 private:
  std::map<int, std::vector<double>> alone_;  ///< ns
  std::size_t readings_ = 0;
  std::size_t readings_alone_ = 0;
};

}  // namespace assay
