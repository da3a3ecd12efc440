// SPDX-License-Identifier: Apache-2.0
// Floors and budgets around a rule's own criterion.
#include "stats/rules.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/value.hpp"
#include "stats/estimate.hpp"
#include "stats/phrase.hpp"

namespace assay {
namespace {

Verdict without_estimate(Outcome outcome, std::string reason, std::string_view statistic) {
  return {outcome, std::move(reason), {std::string(statistic), std::numeric_limits<double>::quiet_NaN(), {}, {}}};
}

}  // namespace

std::string BoundedRule::text() const {
  std::string text = spec_.name + "(eps=" + to_text(spec_.eps.value_or(0)) + ",alpha=" + to_text(spec_.alpha);
  if (spec_.floor) text += ",floor=" + to_text(*spec_.floor);
  if (spec_.budget.min_visits) text += ",min-visits=" + std::to_string(budget_.min_visits);
  if (spec_.budget.min_timings) text += ",min-timings=" + std::to_string(budget_.min_timings);
  return text + ",max-timings=" + std::to_string(budget_.max_timings) + ",max-time=" + exact(budget_.max_time) + ")";
}

double BoundedRule::tolerance(double value) const {
  return std::max(spec_.eps.value_or(0) * std::abs(value), spec_.floor.value_or(0));
}

std::size_t BoundedRule::least_visits(const Sample& /*sample*/) const {
  return static_cast<std::size_t>(budget_.min_visits);
}

std::string BoundedRule::lacking(const Sample& sample) const {
  const auto visits = static_cast<std::size_t>(sample.visits());
  const auto least = least_visits(sample);
  if (visits < least) return std::to_string(visits) + " of at least " + counted(least, "visit");
  if (sample.size() < budget_.min_timings)
    return std::to_string(sample.size()) + " of at least " + counted(budget_.min_timings, "timing");
  return {};
}

Verdict BoundedRule::first_verdict(const Sample& sample, const Spent& spent) const {
  if (sample.empty()) return without_estimate(Outcome::open, "no clean observation", statistic());
  if (const std::size_t bad = count_not_finite(sample); bad > 0)
    return without_estimate(
        Outcome::failed,
        std::to_string(bad) + " of " + counted(sample.size(), "value") + (bad == 1 ? " is" : " are") + " not finite",
        statistic());
  return assess(sample, spent);
}

Verdict BoundedRule::check(const Sample& sample, const Spent& spent) const {
  Verdict verdict = first_verdict(sample, spent);
  const std::string lack = lacking(sample);
  if (!lack.empty()) verdict.outcome = Outcome::open;
  std::string after = counted(static_cast<std::size_t>(sample.visits()), "visit");
  if (verdict.outcome == Outcome::open && sample.size() >= budget_.max_timings) {
    verdict.outcome = Outcome::max_timings;
    after = counted(sample.size(), "timing");
  } else if (verdict.outcome == Outcome::open && spent.time >= budget_.max_time) {
    verdict.outcome = Outcome::max_time;
    after = rounded(spent.time);
  }
  if (verdict.outcome == Outcome::open && !lack.empty()) {
    verdict.reason = lack;
    return verdict;
  }
  verdict.reason += " after " + after + (lack.empty() || sample.empty() ? "" : ", but " + lack);
  return verdict;
}

Verdict resolution_verdict(Estimate estimate, double tolerance, double half_step) {
  if (!(half_step > tolerance / 2)) return {Outcome::open, {}, std::move(estimate)};
  return {Outcome::resolution,
          "half a clock step of " + rounded(half_step) + " > " + rounded(tolerance / 2) +
              ", half of the accuracy asked for,",
          std::move(estimate)};
}

}  // namespace assay
