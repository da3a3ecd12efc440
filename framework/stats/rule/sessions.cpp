// SPDX-License-Identifier: Apache-2.0
// Estimates of sessions, each of which counts once, and the spread of earlier campaigns about a value.
#include "stats/rule/sessions.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace assay {
namespace {

/// The centre that belongs to a t interval of the logs, or of the values where one is not positive.
double centre_of(const std::vector<double>& values) {
  const bool positive = std::all_of(values.begin(), values.end(), [](double value) { return value > 0; });
  if (!positive) return summarize(values).mean;
  std::vector<double> logs;
  for (const double value : values) logs.push_back(std::log(value / values.front()));
  return values.front() * std::exp(summarize(logs).mean);
}

/// From the lowest low to the highest high: two values have no spread that could be trusted.
Interval hull_of(std::span<const SessionEstimate> sessions) {
  Interval hull = sessions.front().interval;
  for (const SessionEstimate& session : sessions) {
    if (!session.interval.available()) return {};
    hull = {std::min(hull.low, session.interval.low), std::max(hull.high, session.interval.high),
            std::min(hull.level, session.interval.level)};
  }
  return hull;
}

}  // namespace

std::vector<double> values_of(std::span<const SessionEstimate> sessions) {
  std::vector<double> values;
  for (const SessionEstimate& session : sessions) values.push_back(session.value);
  return values;
}

Estimate over_sessions(std::span<const SessionEstimate> sessions, double alpha) {
  const std::vector<double> values = values_of(sessions);
  const double centre = centre_of(values);
  if (sessions.size() < fewest_sessions) return {"median", centre, hull_of(sessions), "sessions"};
  Interval interval = log_t_interval(values, alpha);
  if (!interval.available()) interval = t_interval(values, alpha);
  return {"median", centre, interval, "sessions"};
}

namespace {

bool has_logarithm(double value) { return value > 0 && std::isfinite(value); }

bool is_known(double value, const Interval& own) {
  return own.available() && has_logarithm(value) && has_logarithm(own.low) && has_logarithm(own.high);
}

}  // namespace

AnotherDay another_day(double value, const Interval& own, std::span<const double> earlier, double alpha) {
  if (!(alpha > 0 && alpha < 1)) throw std::invalid_argument("alpha is not between 0 and 1");
  if (earlier.size() > most_for_another_day) earlier = earlier.last(most_for_another_day);
  if (earlier.size() < fewest_for_another_day || !is_known(value, own)) return {};
  if (!std::ranges::all_of(earlier, has_logarithm)) return {};
  std::vector<double> logs;
  for (const double one : earlier) logs.push_back(std::log(one / value));
  const double freedom = static_cast<double>(earlier.size() - 1);
  const double apart = std::sqrt(2.0) * student_quantile(1 - alpha / 2, freedom) * moments_of(logs).stddev;
  const double below = std::hypot(apart, std::log(value / own.low));
  const double above = std::hypot(apart, std::log(own.high / value));
  // A value may lie outside its own interval by rounding only; the second one holds the first all the same.
  const Interval interval{std::min(value * std::exp(-below), own.low), std::max(value * std::exp(above), own.high),
                          std::min(own.level, 1 - alpha)};
  if (!(interval.low > 0) || !std::isfinite(interval.high)) return {};
  return {interval, earlier.size()};
}

}  // namespace assay
