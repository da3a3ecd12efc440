// SPDX-License-Identifier: Apache-2.0
// Builds rules from what was asked for.
#include "stats/rule/rule_table.hpp"
#include "stats/rule/rules.hpp"

namespace assay {
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
