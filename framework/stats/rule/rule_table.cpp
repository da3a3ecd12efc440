// SPDX-License-Identifier: Apache-2.0
// The rules that exist with their defaults, and what the bounds of a request come to.
#include "stats/rule/rule_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace assay {
namespace {

constexpr std::string_view all_parameters = "eps alpha floor min-visits min-timings max-timings max-time";
constexpr Budget usual_budget{8, 5, 4000, seconds(5)};
constexpr Budget skampi{1, 8, 33, seconds(5)};
constexpr Budget patient{8, 5, 100'000, seconds(1800)};
constexpr ArgumentKind none = ArgumentKind::none;

constexpr std::array<RuleEntry, 12> entries{{
    {"median-ci", "", none, 0, 0.02, usual_budget, all_parameters},
    {"quantile-ci", "p", ArgumentKind::share, 0.1, 0.02, usual_budget, all_parameters},
    {"median-cs", "", none, 0, 0.02, usual_budget, all_parameters},
    {"trimmed-ci", "", none, 0, 0.02, usual_budget, all_parameters},
    {"mean-ci", "", none, 0, 0.02, patient, all_parameters},
    {"stddev", "", none, 0, 0.1, skampi, all_parameters},
    {"stderr", "", none, 0, 0.1, skampi, all_parameters},
    {"fixed", "count", ArgumentKind::count, 0, 0, {1, 1, 0, seconds(5)}, "alpha max-time"},
    {"time", "time", ArgumentKind::duration, 0, 0, {1, 1, 1'000'000, {}}, "alpha max-timings"},
    {"stable-min", "", none, 0, 0, {1, 20, 4000, seconds(5)}, "min-visits min-timings max-timings max-time"},
    {"all", "", none, 0, 0, {}, all_parameters, true},
    {"any", "", none, 0, 0, {}, all_parameters, true},
}};

void require(bool possible, const RuleSpec& spec, std::string_view parameter, const std::string& condition) {
  if (!possible)
    throw std::invalid_argument(std::string(parameter) + " of rule " + spec.name + " must be " + condition);
}

// The conditions are written so that NaN is refused too.
void require_possible_shares(const RuleSpec& spec) {
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

/// The bounds of `fixed` and `time` follow from what they count; floors meant for other rules do not hold them up.
Budget counting_budget(const RuleSpec& spec, Budget budget, double argument) {
  budget.min_visits = 1;
  budget.min_timings = 1;
  if (spec.name == "fixed") {
    budget.max_timings = static_cast<std::size_t>(argument);
    require(spec.budget.max_timings.value_or(budget.max_timings) >= budget.max_timings, spec, "max-timings",
            "at least its count, which is " + std::to_string(budget.max_timings));
  } else {
    budget.max_time = Nanoseconds{argument};
    require(spec.budget.max_time.value_or(budget.max_time) >= budget.max_time, spec, "max-time", "at least its time");
  }
  return budget;
}

/// The widest bounds of the parts; the floors are the parts' own, the least and greatest of which are the whole's.
Budget combined_budget(const RuleSpec& spec) {
  require(!spec.parts.empty(), spec, "parts", "given, as in " + spec.name + "(median-ci, fixed:100)");
  Budget whole = budget_of(spec.parts.front());
  for (const RuleSpec& part : spec.parts) {
    const Budget budget = budget_of(part);
    const auto floor = [&](auto a, auto b) { return spec.name == "all" ? std::max(a, b) : std::min(a, b); };
    whole.min_visits = floor(whole.min_visits, budget.min_visits);
    whole.min_timings = floor(whole.min_timings, budget.min_timings);
    whole.max_timings = std::max(whole.max_timings, budget.max_timings);
    whole.max_time = std::max(whole.max_time, budget.max_time);
  }
  return whole;
}

}  // namespace

std::span<const RuleEntry> rule_entries() { return entries; }

const RuleEntry* find_rule(std::string_view name) {
  const auto* const found =
      std::find_if(entries.begin(), entries.end(), [name](const auto& e) { return e.name == name; });
  return found == entries.end() ? nullptr : found;
}

const RuleEntry& rule_entry(std::string_view name) {
  if (const RuleEntry* entry = find_rule(name)) return *entry;
  throw std::invalid_argument("there is no stopping rule named " + std::string(name));
}

double rule_argument(const RuleSpec& spec) {
  constexpr double most = 1e9;
  const RuleEntry& entry = rule_entry(spec.name);
  const double value = spec.argument.value_or(entry.standard);
  if (entry.kind == ArgumentKind::none)
    require(!spec.argument, spec, "argument", "left out");
  else if (entry.kind == ArgumentKind::share)
    require(value > 0 && value < 1, spec, entry.argument, "above 0 and below 1");
  else if (entry.kind == ArgumentKind::count)
    require(value >= 1 && value <= most && value == std::trunc(value), spec, entry.argument,
            "given as in fixed:100, and from 1 to 10^9");
  else
    require(value > 0 && std::isfinite(value), spec, entry.argument, "given as in time:2s, and above 0");
  return value;
}

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  for (const RuleEntry& entry : entries) names.emplace_back(entry.name);
  return names;
}

Budget budget_of(const RuleSpec& spec) {
  const RuleEntry& entry = rule_entry(spec.name);
  const double argument = rule_argument(spec);
  require(entry.combines || spec.parts.empty(), spec, "parts", "left out");
  Budget budget = entry.combines ? combined_budget(spec) : entry.budget;
  budget.min_visits = spec.budget.min_visits.value_or(budget.min_visits);
  budget.min_timings = spec.budget.min_timings.value_or(budget.min_timings);
  // A limit that nobody asked for does not stand in the way of a floor that was.
  budget.max_timings = spec.budget.max_timings.value_or(std::max(budget.max_timings, budget.min_timings));
  budget.max_time = spec.budget.max_time.value_or(budget.max_time);
  if (!entry.takes("min-visits")) budget = counting_budget(spec, budget, argument);
  require_possible_shares(spec);
  require_possible_bounds(spec, budget);
  return budget;
}

std::optional<double> eps_of(const RuleSpec& spec) {
  std::optional<double> least = spec.eps;
  for (const RuleSpec& part : spec.parts)
    if (const auto eps = eps_of(part); eps && (!least || *eps < *least)) least = eps;
  return least;
}

bool has_accuracy(const RuleSpec& spec) {
  return rule_entry(spec.name).eps > 0 || std::any_of(spec.parts.begin(), spec.parts.end(), &has_accuracy);
}

RuleSpec sharpened(RuleSpec spec, double factor) {
  const double eps = spec.eps.value_or(rule_entry(spec.name).eps);
  if (eps > 0) spec.eps = eps * factor;
  for (RuleSpec& part : spec.parts) part = sharpened(std::move(part), factor);
  return spec;
}

}  // namespace assay
