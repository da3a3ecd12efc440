// SPDX-License-Identifier: Apache-2.0
// Rules built from what was asked for, and the floors and budgets around a rule's own criterion.
#include "stats/rule/rules.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "stats/rule/estimate.hpp"
#include "stats/rule/rule_table.hpp"
#include "stats/rule/rule_text.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

Verdict without_estimate(Outcome outcome, std::string reason, std::string statistic) {
  return {outcome, std::move(reason), {std::move(statistic), std::numeric_limits<double>::quiet_NaN(), {}, {}}};
}

}  // namespace

std::string BoundedRule::text() const { return full_rule_text(spec_); }

double BoundedRule::tolerance(double value) const { return std::max(eps() * std::abs(value), spec_.floor.value_or(0)); }

std::size_t BoundedRule::least_visits(bool /*of_one_batch*/) const {
  return static_cast<std::size_t>(budget_.min_visits);
}

std::string BoundedRule::lacking(const Sample& sample) const {
  const auto visits = static_cast<std::size_t>(sample.visits());
  const auto least = least_visits(has_single_visits(sample));
  if (visits < least) return std::to_string(visits) + " of at least " + counted(least, "visit");
  if (sample.size() < budget_.min_timings)
    return std::to_string(sample.size()) + " of at least " + counted(budget_.min_timings, "timing");
  return {};
}

Verdict BoundedRule::first_verdict(const Sample& sample, const Spent& spent) const {
  if (sample.empty()) return without_estimate(Outcome::open, "no clean observation", statistic());
  if (const std::size_t bad = count_not_finite(sample); bad > 0)
    return without_estimate(Outcome::failed,
                            std::to_string(bad) + " of " + counted(sample.size(), "value") +
                                (bad == 1 ? " is" : " are") + " not finite, or above 1e150",
                            statistic());
  Verdict verdict = assess(sample, spent);
  // Where the estimate overflows, so does what is allowed, and the one is not above the other.
  if (verdict.outcome == Outcome::converged && !std::isfinite(verdict.estimate.value))
    return {Outcome::open, "the values are too large for their " + std::string(statistic()), verdict.estimate};
  return verdict;
}

Verdict BoundedRule::decide(const Sample& sample, const Spent& spent) const {
  if (std::string lack = lacking(sample); !lack.empty())
    return without_estimate(Outcome::open, std::move(lack), statistic());
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

std::int64_t visits_for(std::size_t timings, int batches) {
  const auto each = static_cast<std::size_t>(std::max(1, batches));
  return static_cast<std::int64_t>((timings + each - 1) / each);
}

MinimumEffort BoundedRule::minimum_as_part(int incarnations, int batches) const {
  MinimumEffort minimum = minimum_of_criterion(incarnations, batches);
  const auto floor = static_cast<std::int64_t>(least_visits(batches == 1));
  minimum.visits = std::max({minimum.visits, floor, visits_for(budget_.min_timings, batches)});
  return minimum;
}

MinimumEffort BoundedRule::minimum(int incarnations, int batches) const {
  constexpr std::int64_t far = 100'000;  // beyond that no caller needs the next interim analysis
  const MinimumEffort part = minimum_as_part(incarnations, batches);
  MinimumEffort minimum{std::min(part.visits, visits_for(budget_.max_timings, batches)),
                        std::min(part.time, budget_.max_time)};
  while (minimum.visits < far && !is_look(static_cast<int>(minimum.visits))) ++minimum.visits;
  return minimum;
}

bool is_spaced_look(int visits, int first) {
  int look = first;
  while (look < visits) look = (5 * look + 3) / 4;
  return look == visits;
}

bool is_dense_look(int visits) {
  const auto stride = std::bit_floor(std::max(32U, static_cast<unsigned>(std::max(visits, 0))) / 32);
  return visits > 0 && static_cast<unsigned>(visits) % stride == 0;
}

Verdict IntervalRule::judged(Estimate estimate, const Sample& sample, const Spent& spent, const Interval* guard) const {
  const double allowed = tolerance(estimate.value);
  estimate = with_campaigns(std::move(estimate), sample, spent.between);
  Verdict verdict = resolution_verdict(std::move(estimate), allowed, spent.half_step);
  if (verdict.stop()) return verdict;
  judge_width(verdict, allowed, eps(), guard);
  verdict.reason += remark_on_campaigns(spent.between, eps());
  return verdict;
}

std::string remark_on_campaigns(double between, double eps) {
  return between > eps / 2 ? " (of which " + percent(between) + " is what campaigns differ by)" : "";
}

void judge_width(Verdict& verdict, double allowed, double eps, const Interval* guard) {
  const Estimate& estimate = verdict.estimate;
  const double half = reach(estimate.value, estimate.interval);
  verdict.reason = std::isinf(half) ? "no interval" : comparison("half-width", half, allowed, estimate.value, eps);
  if (half > allowed) return;
  const double guarded = guard == nullptr ? 0 : reach(estimate.value, *guard);
  if (guarded <= guard_allowance * allowed) {
    verdict.outcome = Outcome::converged;
    return;
  }
  verdict.reason += std::isinf(guarded) ? ", but there is no guard interval"
                                        : ", but " + comparison("that of the guard", guarded, guard_allowance * allowed,
                                                                estimate.value, guard_allowance * eps);
}

Verdict resolution_verdict(Estimate estimate, double tolerance, double half_step) {
  if (!(half_step > tolerance / 2)) return {Outcome::open, {}, std::move(estimate)};
  return {Outcome::resolution,
          "half the clock's resolution of " + rounded(half_step) + " > " + rounded(tolerance / 2) +
              ", half of the accuracy asked for,",
          std::move(estimate)};
}

namespace {

/// The bounds that the text of a rule names: limits only for the whole, and none that follow from an argument.
BudgetSpec named_bounds(const RuleSpec& spec, const RuleEntry& entry, bool is_part) {
  const Budget budget = budget_of(spec);
  BudgetSpec named;
  if (entry.takes("min-visits") && !entry.combines) {
    named.min_visits = spec.budget.min_visits;
    named.min_timings = spec.budget.min_timings;
  }
  if (!is_part && entry.takes("max-timings")) named.max_timings = budget.max_timings;
  if (!is_part && entry.takes("max-time")) named.max_time = budget.max_time;
  return named;
}

/// Only what the rule listens to, defaults filled in.
RuleSpec resolved(const RuleSpec& spec, bool is_part) {
  const RuleEntry& entry = rule_entry(spec.name);
  RuleSpec result = spec;
  if (entry.kind != ArgumentKind::none) result.argument = rule_argument(spec);
  result.eps = entry.eps > 0 ? own_eps(spec) : std::nullopt;
  if (entry.eps == 0) result.floor.reset();
  result.budget = named_bounds(spec, entry, is_part);
  for (RuleSpec& part : result.parts) part = resolved(part, true);
  return result;
}

std::unique_ptr<BoundedRule> make(const RuleSpec& spec, bool is_part) {
  Budget budget = budget_of(spec);
  const RuleEntry& entry = rule_entry(spec.name);
  if (entry.combines) {  // the parts keep to their own floors
    budget.min_visits = 1;
    budget.min_timings = 1;
  }
  return entry.make(resolved(spec, is_part), budget);
}

}  // namespace

std::unique_ptr<StoppingRule> make_rule(const RuleSpec& spec) { return make(spec, false); }

MinimumEffort minimum_effort(const RuleSpec& rule, int incarnations, int batches) {
  return make(rule, false)->minimum(incarnations, batches);
}

std::unique_ptr<BoundedRule> make_part(const RuleSpec& spec) { return make(spec, true); }

}  // namespace assay
