// SPDX-License-Identifier: Apache-2.0
// What an open point is predicted to need: for the time that is left, and for when its visits are due.
#include <algorithm>
#include <cmath>

#include "run/point/open_point.hpp"
#include "stats/rule/stopping_rule.hpp"

namespace assay {
namespace {

constexpr double most_visits = 1e5;
constexpr double even_pace = 32;  // visits over the span at least, whatever the interval is already
constexpr double most_spans = 3;
constexpr double crowd = 4;           // times as many visits in a time as so far, behind the span
constexpr double awaited_pace = 4;    // times as many visits in a time, while a design waits for what they show
constexpr double with_margin = 1.25;  // times what is foreseen: else what is seen late makes a crowd at the end

}  // namespace

/// How many times as wide as may be the part of the interval is that more visits or a longer time make narrower.
double OpenPoint::missing_width(const Estimate& estimate, double shrinks) const {
  const double width = estimate.relative_half_width();
  const double between = spent_in(samples_.wanted_state()).between;
  if (!(between > 0) || accuracy_.eps <= between) return width / accuracy_.eps / shrinks;
  const auto own = [&](double all) { return std::sqrt(std::max(0.0, all * all - between * between)); };
  return own(width) / own(accuracy_.eps) / shrinks;
}

/// In all. Widths shrink with the square root of the effort; rules that count do not look at them.
double OpenPoint::visits_needed(const Verdict& verdict) const {
  const RuleSpec& rule = series_->precision.rule;
  const bool counts = rule.name == "fixed" || rule.name == "time";
  // Student's quantile shrinks with the visits, too: by about this much from here on.
  const double shrinks = 1 + 1.45 / std::max(1, visits_ - 1);
  const double missing = missing_width(verdict.estimate, shrinks);
  const double needed = counts ? 0 : std::min(visits_ * std::max(missing * missing, verdict.effort), most_visits);
  return std::max(needed, static_cast<double>(minimum_effort(rule, incarnations_, visit_length_).visits));
}

/// A rule is asked at its looks only.
int OpenPoint::look_from(int visits) const {
  while (!rule_->is_look(visits) && visits < most_visits) ++visits;
  return visits;
}

/// Within what the rule gives of time and of timings.
double OpenPoint::affordable_visits() const {
  const double by_time = spent_ > Nanoseconds{} ? (max_time_ + extra_) / (spent_ / visits_) : most_visits;
  if (batches_ == 0) return by_time;
  const double timings = static_cast<double>(batches_) / visits_;
  return std::min(by_time, static_cast<double>(max_timings_) / timings);
}

Nanoseconds OpenPoint::wanted() const {
  constexpr double least_efforts = 2;  // that a point needs of which nothing but the cost of a visit is known
  if (visits_ == 0) return {};
  if (!latest_estimate_) return least_efforts * std::max(spent_ / visits_ * least_visits_, spent_);
  const int visits = visits_ < foreseen_look_ ? foreseen_look_ : look_from(visits_ + 1);
  return std::max(spent_ / visits_ * visits,
                  minimum_effort(series_->precision.rule, incarnations_, visit_length_).time);
}

/// Where changes of the machine decide how wide the interval is, time makes it narrow, and visits do not: longer than
/// was asked for, by as much as that promises to suffice.
Nanoseconds OpenPoint::span_wanted() const {
  const Nanoseconds span = series_->precision.span;
  if (!latest_estimate_ || latest_estimate_->basis != "periods") return span;
  const double missing = missing_width(*latest_estimate_);
  return missing > 1 && missing * missing <= most_spans ? missing * missing * span : span;
}

double OpenPoint::most_extensions() const {
  constexpr double usual = 4;
  constexpr double nearly_there = 8;
  const bool lacks_all_but_width =
      !satisfied_ && latest_estimate_ && latest_estimate_->relative_half_width() <= accuracy_.eps;
  return lacks_all_but_width ? nearly_there : usual;
}

bool OpenPoint::may_sharpen() const {
  if (!series_->precision.spare_time || !latest_estimate_ || is_long() || is_extended()) return false;
  const double width = latest_estimate_->relative_half_width();
  return width <= accuracy_.eps && width > accuracy_.eps / 2 && 2 * budgeted() < max_time_ &&
         2 * primary().size() < max_timings_;
}

bool OpenPoint::can_be_sharper() const {
  if (!satisfied_ || !latest_estimate_ || is_long() || !(time_left_extended() > Nanoseconds{})) return false;
  const double width = latest_estimate_->relative_half_width();
  return width <= accuracy_.eps && width > accuracy_.eps / 2 && primary().size() < max_timings_;
}

// A point that needs three hundred visits is not to have ten of them in the first half of its span and the others in a
// crowd behind it: its interval would be one for that moment.
Nanoseconds OpenPoint::due() const {
  const Nanoseconds span = series_->precision.span;
  if (visits_ == 0 || !(span > Nanoseconds{})) return {};
  const Nanoseconds left = first_ + span_wanted() - began_;
  const double pace = is_awaited_ ? awaited_pace : 1;
  if (!(left > Nanoseconds{})) return began_ + (began_ - first_) / (pace * crowd * visits_);
  const double to_come = pace * std::max(with_margin * (foreseen_ - visits_), even_pace * (left / span));
  return began_ + left / std::max(1.0, std::min(to_come, affordable_visits() - visits_));
}

}  // namespace assay
