// SPDX-License-Identifier: Apache-2.0
// Levels of readings, and which of them are those of a core alone.
#include "stats/core/call_level.hpp"

#include <algorithm>
#include <cmath>

#include "stats/core/grid_modes.hpp"

namespace assay {
namespace {

// Calls of cores alone took 188 to 198 ns for nine tenths of the time, and up to 213 occasionally; 225 to 235 beside a
// neighbour that waits.
constexpr double slow_call = 1.12;
constexpr double slowest_call = 1.3;
constexpr double level_above = 1.045;  // times a level: the next one begins there
constexpr double of_fullest_call = 0.25;
constexpr double least_beside = 0.05;  // of the readings of the one beside it
constexpr double least_of_level = 10;
constexpr double moved_call = 0.01;
constexpr double look_at_calls_again = 1.25;  // times the readings of the last time

}  // namespace

bool CallLevel::add(double call) {
  counts_.add(call);
  if (counts_.size() < next_look_) return false;
  next_look_ = static_cast<std::int64_t>(std::ceil(look_at_calls_again * static_cast<double>(counts_.size())));
  const double before = usual_.longest;
  const double usual = alone();
  usual_ = {usual, slow_call * highest(usual)};
  return std::fabs(usual_.longest - before) > moved_call * usual_.longest;
}

void CallLevel::confirm(const UsualCall& earlier) {
  if (!(usual_.cost > 0)) usual_ = earlier;
}

/// The fullest level, unless it is what a neighbour that waits makes of another, with a valley between the two.
double CallLevel::alone() const {
  const double fullest = counts_.fullest().value_or(0);
  const auto lower = counts_.fullest_within(fullest / slowest_call, fullest / slow_call);
  if (!lower) return fullest;
  const auto about = [&](double call) { return static_cast<double>(counts_.about(call)); };
  const double peak = about(*lower);
  const bool is_level = peak >= std::max(least_of_level, least_beside * about(fullest)) &&
                        is_valley(about(std::sqrt(fullest * *lower)), peak);
  return is_level ? *lower : fullest;
}

/// The last of the levels from this one on that are nearer to each other than neighbours delay. The tail of a level is
/// none.
double CallLevel::highest(double usual) const {
  constexpr double before_peak = 1.02;
  const auto about = [&](double call) { return static_cast<double>(counts_.about(call)); };
  const double wanted = of_fullest_call * about(counts_.fullest().value_or(0));
  for (double top = usual;;) {
    const auto next = counts_.fullest_within(level_above * top, slow_call * top);
    if (!next || about(*next) < wanted || about(*next / before_peak) > about(*next)) return top;
    top = *next;
  }
}

}  // namespace assay
