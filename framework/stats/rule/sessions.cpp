// SPDX-License-Identifier: Apache-2.0
// Combines the estimates of sessions, each of which counts once.
#include "stats/rule/sessions.hpp"

#include <algorithm>
#include <cmath>
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

}  // namespace assay
