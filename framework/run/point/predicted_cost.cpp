// SPDX-License-Identifier: Apache-2.0
// What an open point is predicted to need, for the time that is left.
#include <algorithm>
#include <cmath>

#include "run/point/open_point.hpp"
#include "stats/rule/stopping_rule.hpp"

namespace assay {

/// Widths shrink with the square root of the effort; rules that count do not look at them. A rule is asked at its looks
/// only.
Nanoseconds OpenPoint::prediction(double missing) const {
  constexpr double most_visits = 1e5;
  const RuleSpec& rule = series_->precision.rule;
  const MinimumEffort effort = minimum_effort(rule, incarnations_, visit_length_);
  const bool counts = rule.name == "fixed" || rule.name == "time";
  // Student's quantile shrinks with the visits, too: by about this much from here on.
  const double shrinks = 1 + 1.45 / std::max(1, visits_ - 1);
  const double needed = counts ? 0 : std::min(visits_ * std::pow(missing / shrinks, 2), most_visits);
  int visits = std::max({static_cast<int>(std::ceil(needed)), static_cast<int>(effort.visits), visits_ + 1});
  while (!rule_->is_look(visits) && visits < most_visits) ++visits;
  return std::max(spent_ / std::max(1, visits_) * visits, effort.time);
}

Nanoseconds OpenPoint::wanted() const {
  constexpr double least_efforts = 2;  // that a point needs of which nothing but the cost of a visit is known
  if (visits_ == 0) return {};
  if (!latest_estimate_) return least_efforts * std::max(spent_ / visits_ * least_visits_, spent_);
  return std::max(predicted_, spent_ + spent_ / std::max(1, visits_));
}

}  // namespace assay
