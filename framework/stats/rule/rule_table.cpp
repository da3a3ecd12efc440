// SPDX-License-Identifier: Apache-2.0
// The rules that exist, and the bounds and accuracy that a request amounts to.
#include "stats/rule/rule_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/value.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

constexpr std::array entries{&median_ci_rule, &quantile_ci_rule, &median_cs_rule, &trimmed_ci_rule,
                             &mean_ci_rule,   &stddev_rule,      &stderr_rule,    &fixed_rule,
                             &time_rule,      &stable_min_rule,  &all_rule,       &any_rule};

void require(bool possible, const RuleSpec& spec, std::string_view parameter, std::string_view condition) {
  if (!possible) throw RuleError(spec.name, parameter, condition);
}

// The conditions, those of ranges too, are written so that NaN is refused.
void require_possible_shares(const RuleSpec& spec) {
  require(!spec.eps || eps_range.holds(*spec.eps), spec, "eps", eps_range.words);
  require(alpha_range.holds(spec.alpha), spec, "alpha", alpha_range.words);
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

/// The least eps of the rule and its parts, given or by default; nothing where none has an accuracy.
std::optional<double> least_eps(const RuleSpec& spec) {
  std::optional<double> least = own_eps(spec);
  for (const RuleSpec& part : spec.parts)
    if (const auto eps = least_eps(part); eps && (!least || *eps < *least)) least = eps;
  return least;
}

std::string standard_text(const RuleEntry& entry) {
  if (entry.combines) return "eps, alpha and floors are each part's own; limits are the widest of the parts'.";
  std::string text;
  if (entry.standard > 0) text += std::string(entry.argument) + " " + to_text(entry.standard) + ", ";
  if (entry.eps > 0) text += "eps " + percent(entry.eps) + ", ";
  if (entry.takes("min-visits"))
    text += "at least " + counted(static_cast<std::size_t>(entry.budget.min_visits), "visit") + " and " +
            counted(entry.budget.min_timings, "timing") + ", ";
  std::string limits;
  if (entry.takes("max-timings")) limits = counted(entry.budget.max_timings, "timing");
  if (entry.takes("max-time")) limits += (limits.empty() ? "" : " and ") + rounded(entry.budget.max_time);
  return text + "at most " + limits + ".";
}

}  // namespace

RuleError::RuleError(const std::string& rule, std::string_view parameter, std::string_view condition)
    : std::invalid_argument(std::string(parameter) + " of rule " + rule + " must be " + std::string(condition)),
      parameter_(parameter) {}

std::span<const RuleEntry* const> rule_entries() { return entries; }

const RuleEntry* find_rule(std::string_view name) {
  const auto* const found =
      std::find_if(entries.begin(), entries.end(), [name](const RuleEntry* entry) { return entry->name == name; });
  return found == entries.end() ? nullptr : *found;
}

const RuleEntry& rule_entry(std::string_view name) {
  if (const RuleEntry* entry = find_rule(name)) return *entry;
  throw std::invalid_argument("there is no stopping rule named " + std::string(name));
}

std::optional<double> own_eps(const RuleSpec& spec) {
  const double standard = rule_entry(spec.name).eps;
  return spec.eps || standard == 0 ? spec.eps : std::optional(standard);
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
  for (const RuleEntry* entry : entries) names.emplace_back(entry->name);
  return names;
}

Budget budget_of(const RuleSpec& spec) {
  const RuleEntry& entry = rule_entry(spec.name);
  const double argument = rule_argument(spec);
  require(entry.combines || spec.parts.empty(), spec, "parts", "left out");
  Budget budget = entry.combines ? combined_budget(spec) : entry.budget;
  budget.min_visits = spec.budget.min_visits.value_or(budget.min_visits);
  budget.min_timings = spec.budget.min_timings.value_or(budget.min_timings);
  // A limit that was not requested does not stand in the way of a floor that was.
  budget.max_timings = spec.budget.max_timings.value_or(std::max(budget.max_timings, budget.min_timings));
  budget.max_time = spec.budget.max_time.value_or(budget.max_time);
  if (!entry.takes("min-visits")) budget = counting_budget(spec, budget, argument);
  require_possible_shares(spec);
  require_possible_bounds(spec, budget);
  return budget;
}

bool has_accuracy(const RuleSpec& spec) {
  return rule_entry(spec.name).eps > 0 || std::any_of(spec.parts.begin(), spec.parts.end(), &has_accuracy);
}

Accuracy accuracy_of(const RuleSpec& spec) {
  return {spec.alpha, least_eps(spec).value_or(standard_accuracy), spec.floor.value_or(0), 0};
}

RuleSpec sharpened(RuleSpec spec, double factor) {
  if (const auto eps = own_eps(spec)) spec.eps = *eps * factor;
  for (RuleSpec& part : spec.parts) part = sharpened(std::move(part), factor);
  return spec;
}

RuleSpec loosened(RuleSpec spec, double eps) {
  if (rule_entry(spec.name).eps > 0) spec.eps = std::max(*own_eps(spec), eps);
  for (RuleSpec& part : spec.parts) part = loosened(std::move(part), eps);
  return spec;
}

RuleHelp rule_help(std::string_view name) {
  const RuleEntry& entry = rule_entry(name);
  return {std::string(entry.summary), std::string(entry.stops), std::string(entry.reports), standard_text(entry),
          std::string(entry.expect)};
}

}  // namespace assay
