// SPDX-License-Identifier: Apache-2.0
// From steps of the chain to a clock, with what they say against there being one.
#include "stats/core/core_clock.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "stats/core/clock_levels.hpp"

namespace assay {
namespace {

// What the two stamps and the loop around the chain add, at most: 400 steps take some 1200 cycles.
constexpr double yardstick_accuracy = 0.005;
constexpr double steady_within = 0.03;  // further off is a state of its own
constexpr double unsteady_share = 0.1;

struct NoClockWords {
  std::string_view name;
  std::string_view meaning;
};
constexpr std::array<NoClockWords, 11> no_clock_words{{
    {"not-kept", "the program that measured it did not record the clock"},
    {"not-of-core", "it is not a time of an event, or one spent in memory, devices, timers or other machines"},
    {"several-cpus", "its members were on several CPUs, and communication between them does not follow their clock"},
    {"unbound", "its members were not bound, and communication between CPUs does not follow their clock"},
    {"ranks", "its members were ranks of MPI, on CPUs of machines that may differ"},
    {"no-yardstick", "the number of cycles per step of the yardstick is unknown"},
    {"not-read", "its cores were not read"},
    {"shared",
     "its cores were hardly ever proved to be alone, and other work on a core delays the yardstick of its clock"},
    {"changed", "the clock changed by more than 3 % meanwhile"},
    {"differ", "its CPUs had different clocks"},
    {"sessions", "its sessions had different clocks, or one of them none that is known"},
}};

/// What the readings of one CPU come to.
struct Chain {
  double mean = 0;   ///< as that of a visit
  double error = 0;  ///< share of it, twice the standard error
  bool steady = true;
};

Chain chain_of(const std::vector<double>& values) {
  Chain chain{.mean = clock_of(values).step.count};
  double squares = 0;
  double steady = 0;
  for (const double value : values) {
    const double off = value / chain.mean - 1;
    if (std::fabs(off) > steady_within) continue;
    squares += off * off;
    steady += 1;
  }
  const auto all = static_cast<double>(values.size());
  chain.steady = all - steady <= unsteady_share * all;
  chain.error = 2 * std::sqrt(squares) / std::max(1.0, steady);
  return chain;
}

CoreClock without(NoClock why) { return {0, 0, why}; }

}  // namespace

std::string to_text(NoClock reason) { return std::string(no_clock_words.at(static_cast<std::size_t>(reason)).name); }

std::optional<NoClock> parse_no_clock(std::string_view text) {
  const auto found = std::ranges::find(no_clock_words, text, &NoClockWords::name);
  if (found == no_clock_words.end()) return std::nullopt;
  return static_cast<NoClock>(std::distance(no_clock_words.begin(), found));
}

std::string_view meaning_of(NoClock reason) { return no_clock_words.at(static_cast<std::size_t>(reason)).meaning; }

void ClockTally::add(int cpu, Nanoseconds chain, Sharing sharing) {
  if (!(chain > Nanoseconds{})) return;
  ++readings_;
  if (sharing != Sharing::alone) return;
  ++readings_alone_;
  alone_[cpu].push_back(chain.count);
}

CoreClock ClockTally::clock(int cycles_per_step) const {
  if (cycles_per_step <= 0) return without(NoClock::no_yardstick);
  if (readings_ == 0) return without(NoClock::not_read);
  if (2 * readings_alone_ < readings_) return without(NoClock::shared);
  double least = 0;
  double most = 0;
  double error = 0;
  for (const auto& [cpu, values] : alone_) {
    const Chain chain = chain_of(values);
    if (!chain.steady) return without(NoClock::changed);
    least = most > 0 ? std::min(least, chain.mean) : chain.mean;
    most = std::max(most, chain.mean);
    error = std::max(error, chain.error);
  }
  if (most > (1 + same_clock) * least) return without(NoClock::differ);
  const double middle = (least + most) / 2;
  return {cycles_per_step / middle, yardstick_accuracy + error + (most - least) / (2 * middle), NoClock::not_kept};
}

}  // namespace assay
