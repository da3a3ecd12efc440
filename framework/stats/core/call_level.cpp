// SPDX-License-Identifier: Apache-2.0
// Levels of readings, and which of them is that of a core alone.
#include "stats/core/call_level.hpp"

#include <algorithm>
#include <cmath>

#include "stats/core/grid_modes.hpp"

namespace assay {
namespace {

// Calls of cores alone took 188 to 198 ns for nine tenths of the time, and up to 213 occasionally; 175 to 182 in the
// fast state; 225 to 235 beside a neighbour that waits.
constexpr double slow_call = 1.12;
constexpr double slowest_call = 1.3;
constexpr double near_call = 1.045;  // times another level: one begins there
constexpr double same_call = 1.035;
constexpr double kept_call = 0.25;     // of the readings of the fullest level: then what was usual stays so
constexpr double least_beside = 0.05;  // of the readings of the one beside it
constexpr double least_of_level = 10;
constexpr double moved_call = 0.01;
constexpr double look_at_calls_again = 1.25;  // times the readings of the last time

bool has_moved(double now, double before) { return std::fabs(now - before) > moved_call * now; }

}  // namespace

bool CallLevel::add(double call) {
  counts_.add(call);
  if (counts_.size() < next_look_) return false;
  next_look_ = static_cast<std::int64_t>(std::ceil(look_at_calls_again * static_cast<double>(counts_.size())));
  const UsualCall before = usual_;
  const double usual = kept(alone());
  const auto below = level_beside(usual, usual / slow_call, usual / near_call);
  const auto above = level_beside(usual, near_call * usual, slow_call * usual);
  usual_ = {usual, below ? std::sqrt(usual * *below) : 0, above ? std::sqrt(usual * *above) : slow_call * usual};
  return has_moved(usual_.cost, before.cost) || has_moved(usual_.shortest, before.shortest) ||
         has_moved(usual_.longest, before.longest);
}

void CallLevel::confirm(const UsualCall& earlier) {
  if (!(usual_.cost > 0)) usual_ = earlier;
}

/// The fullest level, unless it is what a neighbour that waits makes of another.
double CallLevel::alone() const {
  const double fullest = counts_.fullest().value_or(0);
  return level_beside(fullest, fullest / slowest_call, fullest / slow_call).value_or(fullest);
}

/// What was usual stays so while it holds many: points that are finished earlier and later are to be of one state.
double CallLevel::kept(double found) const {
  const auto [less, more] = std::minmax(usual_.cost, found);
  // Beside a level that is lower by as much as neighbours delay it was none of a core alone.
  const bool is_another = less > 0 && more > same_call * less && usual_.cost < slow_call * found;
  const auto wanted = kept_call * static_cast<double>(counts_.about(found));
  return is_another && static_cast<double>(counts_.about(usual_.cost)) >= wanted ? usual_.cost : found;
}

/// With a valley between the two.
std::optional<double> CallLevel::level_beside(double one, double least, double most) const {
  const auto next = counts_.fullest_within(least, most);
  if (!next) return std::nullopt;
  const auto about = [&](double call) { return static_cast<double>(counts_.about(call)); };
  const double peak = about(*next);
  const bool is_level = is_valley(about(std::sqrt(one * *next)), peak);
  return is_level && peak >= std::max(least_of_level, least_beside * about(one)) ? next : std::nullopt;
}

}  // namespace assay
