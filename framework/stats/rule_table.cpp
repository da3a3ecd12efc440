// SPDX-License-Identifier: Apache-2.0
// The rules that exist, with their defaults and their descriptions.
#include "stats/stopping_rule.hpp"

#include <array>
#include <cmath>
#include <stdexcept>

#include "base/value.hpp"
#include "stats/rules.hpp"

namespace assay {
namespace {

struct RuleEntry {
  std::string_view name;
  double eps;
  Budget budget;
  std::unique_ptr<StoppingRule> (*make)(const RuleSpec&, const Budget&);
  std::string_view help;
};

constexpr std::string_view median_ci_help =
    "median-ci (default): stops when the 1 - alpha interval of the median reaches no further than eps (default 2 %) of "
    "the median, or than floor. The interval counts the values below the median per visit, takes the standard error of "
    "these shares from groups of 1, 2 and 4 batches of visits, and is never narrower than the rank interval for "
    "independent values; from 3 incarnations on the t interval over the logs of their medians must satisfy eps too. A "
    "guard, the interval at 1.68 times the rank half-width, must lie within 3 eps, so that a median in the gap between "
    "two modes is not accepted. Looks after 8, 10, 13, 17, 22, ... visits; at least 8 visits (5 where a visit is one "
    "long batch), at most 4000 timings and 5 s. Says resolution when half a clock step exceeds eps / 2 of the median. "
    "Expect 100 to 600 timings, and intervals that hold the long-run median in 95 % of campaigns or more as long as "
    "the "
    "visits span the changes of the machine's mood.";
constexpr std::string_view stddev_help =
    "stddev: stops when the standard deviation of the values is below eps (default 10 %) of their mean, or at most "
    "floor; 8 to 33 timings, at most 5 s. Reports the mean with the t interval of independent values. This is a test "
    "of "
    "homogeneity, not accuracy: it stops at once or never, and one preemption among the values keeps it from stopping. "
    "Read the median with its headline interval beside it.";
constexpr std::string_view stderr_help =
    "stderr: stops when the standard error of the mean, the standard deviation over the root of n, is at most eps "
    "(default 10 %) of the mean, or at most floor; 8 to 33 timings, at most 5 s. Reports the mean with the t interval "
    "of "
    "independent values. Expect few timings and an interval that promises too much where values have long tails or "
    "depend on each other: it then covers about half of what it claims. Read the median with its headline interval "
    "beside it.";
constexpr std::string_view fixed_help =
    "fixed: stops after count timings, whatever they are; no default; at most 5 s. Reports the median with its "
    "headline "
    "interval. Nothing is promised about accuracy: the interval says what was reached.";

constexpr std::array<RuleEntry, 4> entries{{
    {"median-ci", 0.02, {8, 5, 4000, seconds(5)}, &make_median_ci, median_ci_help},
    {"stddev", 0.1, {1, 8, 33, seconds(5)}, &make_stddev, stddev_help},
    {"stderr", 0.1, {1, 8, 33, seconds(5)}, &make_stderr, stderr_help},
    {"fixed", 0, {1, 1, 0, seconds(5)}, &make_fixed, fixed_help},
}};

const RuleEntry& entry_of(std::string_view name) {
  for (const RuleEntry& entry : entries)
    if (entry.name == name) return entry;
  throw std::invalid_argument("there is no stopping rule named " + std::string(name));
}

void require(bool possible, const RuleSpec& spec, const std::string& parameter, const std::string& condition) {
  if (!possible) throw std::invalid_argument(parameter + " of rule " + spec.name + " must be " + condition);
}

void require_possible_shares(const RuleSpec& spec) {
  // Written so that NaN is refused too.
  require(!spec.eps || (*spec.eps > 0 && *spec.eps <= 1), spec, "eps", "above 0 and at most 1");
  require(spec.alpha > 0 && spec.alpha <= 0.5, spec, "alpha", "above 0 and at most 0.5");
  require(!spec.floor || (*spec.floor > 0 && std::isfinite(*spec.floor)), spec, "floor", "positive and finite");
}

void require_possible_bounds(const RuleSpec& spec, const Budget& budget) {
  require(budget.min_visits >= 1, spec, "min-visits", "at least 1");
  require(budget.min_timings >= 1, spec, "min-timings", "at least 1");
  require(budget.max_timings >= budget.min_timings, spec, "max-timings",
          "at least min-timings, which is " + std::to_string(budget.min_timings));
  require(budget.max_time > Nanoseconds{0} && std::isfinite(budget.max_time.count), spec, "max-time",
          "positive and finite");
  require(spec.max_incarnations >= 1, spec, "max-incarnations", "at least 1");
}

/// The bounds of `fixed` follow from its count: floors meant for other rules must not keep it from stopping there.
void apply_count(const RuleSpec& spec, Budget& budget) {
  require(spec.count && *spec.count >= 1, spec, "count", "given, and at least 1");
  require(!spec.budget.max_timings || *spec.budget.max_timings >= *spec.count, spec, "max-timings",
          "at least count, which is " + std::to_string(*spec.count));
  budget.min_visits = 1;
  budget.min_timings = 1;
  budget.max_timings = *spec.count;
}

}  // namespace

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  for (const RuleEntry& entry : entries) names.emplace_back(entry.name);
  return names;
}

std::string rule_help(std::string_view name) { return std::string(entry_of(name).help); }

Budget budget_of(const RuleSpec& spec) {
  Budget budget = entry_of(spec.name).budget;
  budget.min_visits = spec.budget.min_visits.value_or(budget.min_visits);
  budget.min_timings = spec.budget.min_timings.value_or(budget.min_timings);
  budget.max_timings = spec.budget.max_timings.value_or(budget.max_timings);
  budget.max_time = spec.budget.max_time.value_or(budget.max_time);
  if (spec.name == "fixed") apply_count(spec, budget);
  require_possible_shares(spec);
  require_possible_bounds(spec, budget);
  return budget;
}

double eps_of(const RuleSpec& spec) { return spec.eps.value_or(entry_of(spec.name).eps); }

std::unique_ptr<StoppingRule> make_rule(const RuleSpec& spec) {
  const RuleEntry& entry = entry_of(spec.name);
  const Budget budget = budget_of(spec);
  RuleSpec resolved = spec;
  resolved.eps = eps_of(spec);
  return entry.make(resolved, budget);
}

}  // namespace assay
