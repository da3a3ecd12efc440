// SPDX-License-Identifier: Apache-2.0
// Builds rules from what was asked for.
#include <algorithm>
#include <array>

#include "stats/rule/rule_table.hpp"
#include "stats/rule/rules.hpp"

namespace assay {
namespace {

struct Maker {
  std::string_view name;
  std::unique_ptr<BoundedRule> (*make)(const RuleSpec& spec, const Budget& budget);
};

constexpr std::array<Maker, 12> makers{{
    {"median-ci", &make_median_ci},
    {"quantile-ci", &make_quantile_ci},
    {"median-cs", &make_median_cs},
    {"trimmed-ci", &make_trimmed_ci},
    {"mean-ci", &make_mean_ci},
    {"stddev", &make_stddev},
    {"stderr", &make_stderr},
    {"fixed", &make_fixed},
    {"time", &make_time},
    {"stable-min", &make_stable_min},
    {"all", &make_all},
    {"any", &make_any},
}};

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
  result.eps = entry.eps > 0 ? std::optional(spec.eps.value_or(entry.eps)) : std::nullopt;
  if (entry.eps == 0) result.floor.reset();
  result.budget = named_bounds(spec, entry, is_part);
  for (RuleSpec& part : result.parts) part = resolved(part, true);
  return result;
}

std::unique_ptr<BoundedRule> make(const RuleSpec& spec, bool is_part) {
  Budget budget = budget_of(spec);
  if (rule_entry(spec.name).combines) {  // the parts keep to their own floors
    budget.min_visits = 1;
    budget.min_timings = 1;
  }
  const auto* const found =
      std::find_if(makers.begin(), makers.end(), [&](const Maker& maker) { return maker.name == spec.name; });
  return found->make(resolved(spec, is_part), budget);
}

}  // namespace

std::unique_ptr<StoppingRule> make_rule(const RuleSpec& spec) { return make(spec, false); }

MinimumEffort minimum_effort(const RuleSpec& rule, int incarnations, int batches) {
  return make(rule, false)->minimum(incarnations, batches);
}

std::unique_ptr<BoundedRule> make_part(const RuleSpec& spec) { return make(spec, true); }

}  // namespace assay
