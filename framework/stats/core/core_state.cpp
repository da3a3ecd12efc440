// SPDX-License-Identifier: Apache-2.0
// States in words.
#include "stats/core/core_state.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/value.hpp"

namespace assay {
namespace {

constexpr double like_clock = 1.03;
constexpr double same_clock_ratio = 1.015;
constexpr double like_distance = 1.2;         // others delay the round trip
constexpr double like_distance_alone = 1.05;  // less than from one core of a cache to the next
constexpr std::string_view as_found = "as found";
constexpr std::string_view clock_word = ", clock ";
constexpr std::string_view distance_word = ", distance ";
constexpr std::string_view step_word = ", step ";
constexpr std::string_view in_ghz = " GHz";
constexpr std::string_view of_the_usual = " of the usual";
constexpr std::string_view one_cpu = ", one CPU";
constexpr std::string_view own_cpus = ", separate CPUs";
constexpr std::array wanted_names{"alone", "any", "shared"};

bool near(double a, double b, double ratio) {
  if (a == 0 || b == 0) return a == b;
  return std::max(a, b) <= ratio * std::min(a, b);
}

/// Takes "WORD number UNIT" off the front; nothing where it is not there.
std::optional<double> take(std::string_view& text, std::string_view word, std::string_view unit) {
  if (!text.starts_with(word)) return std::nullopt;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data() + word.size(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  if (!rest.starts_with(unit)) return std::nullopt;
  text = rest.substr(unit.size());
  return number;
}

Spread take_spread(std::string_view& text) {
  for (const auto& [words, spread] : {std::pair(one_cpu, Spread::one_cpu), std::pair(own_cpus, Spread::own_cpus)})
    if (text.starts_with(words)) {
      text.remove_prefix(words.size());
      return spread;
    }
  return Spread::unknown;
}

}  // namespace

std::string clock_text(const CoreState& state) {
  if (state.clock_ghz > 0) return to_text(state.clock_ghz) + std::string(in_ghz);
  return state.clock_ratio > 0 ? to_text(state.clock_ratio) + std::string(of_the_usual) : "";
}

std::string to_text(const CoreState& state) {
  std::string text(state.sharing == Sharing::unknown ? std::string(as_found) : to_text(state.sharing));
  if (state.spread == Spread::one_cpu) text += one_cpu;
  if (state.spread == Spread::own_cpus) text += own_cpus;
  if (const std::string clock = clock_text(state); !clock.empty()) text += std::string(clock_word) + clock;
  if (state.distance_ns > 0) text += std::string(distance_word) + to_text(state.distance_ns) + " ns";
  return text;
}

std::string to_text_with_step(const CoreState& state) {
  std::string text = to_text(state);
  if (state.step > Nanoseconds{}) text += std::string(step_word) + to_text(state.step.count) + " ns";
  return text;
}

std::optional<CoreState> parse_core_state(std::string_view text) {
  CoreState state;
  const std::string_view sharing = text.substr(0, text.find(','));
  if (sharing != as_found) {
    const auto parsed = parse_sharing(sharing);
    if (!parsed || *parsed == Sharing::unknown) return std::nullopt;
    state.sharing = *parsed;
  }
  text.remove_prefix(sharing.size());
  state.spread = take_spread(text);
  state.clock_ghz = take(text, clock_word, in_ghz).value_or(0);
  if (!(state.clock_ghz > 0)) state.clock_ratio = take(text, clock_word, of_the_usual).value_or(0);
  state.distance_ns = take(text, distance_word, " ns").value_or(0);
  state.step = {take(text, step_word, " ns").value_or(0)};
  return text.empty() ? std::optional(state) : std::nullopt;
}

namespace {

// By the chain where both have it: the usual clock of one campaign may be an unusual one of another.
bool has_like_clock(const CoreState& a, const CoreState& b) {
  const bool is_at_one = a.sharing == Sharing::alone || !clock_text(a).empty() || !clock_text(b).empty();
  const double ratio = is_at_one ? same_clock_ratio : like_clock;
  if (a.step > Nanoseconds{} && b.step > Nanoseconds{}) return near(a.step.count, b.step.count, ratio);
  return near(a.clock_ghz, b.clock_ghz, like_clock) && near(a.clock_ratio, b.clock_ratio, like_clock);
}

}  // namespace

bool is_like(const CoreState& a, const CoreState& b) {
  const double ratio = a.sharing == Sharing::alone ? like_distance_alone : like_distance;
  return a.sharing == b.sharing && a.spread == b.spread && has_like_clock(a, b) &&
         near(a.distance_ns, b.distance_ns, ratio);
}

bool is_one_clock(Nanoseconds a, Nanoseconds b) { return near(a.count, b.count, same_clock_ratio); }

std::optional<double> other_clock(const CoreState& a, const CoreState& b) {
  if (a != b || has_like_clock(a, b)) return std::nullopt;
  return std::round(100 * (b.step / a.step)) / 100;
}

std::string to_text(WantedState state) { return wanted_names.at(static_cast<std::size_t>(state)); }

std::optional<WantedState> parse_wanted_state(std::string_view text) {
  for (std::size_t i = 0; i < wanted_names.size(); ++i)
    if (text == wanted_names.at(i)) return static_cast<WantedState>(i);
  return std::nullopt;
}

}  // namespace assay
