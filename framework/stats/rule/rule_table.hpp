// SPDX-License-Identifier: Apache-2.0
// What the rules are before they are built: names, arguments, parameters, defaults, help; all that is said of one
// stands in the file of its class.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "stats/rule/stopping_rule.hpp"

namespace assay {

/// What stands behind the colon of a rule's name.
enum class ArgumentKind : std::uint8_t { none, share, count, duration };

class BoundedRule;

/// A rule that exists: all that is said of it. It stands in the file of its class.
struct RuleEntry {
  std::string_view name;
  std::string_view argument = {};  ///< what the argument is called in messages; empty: there is none
  ArgumentKind kind = ArgumentKind::none;
  double standard = 0;  ///< argument where none is given; 0: one must be given
  double eps = 0;       ///< where none is given; 0: the rule has no accuracy
  Budget budget = {};
  std::string_view parameters;  ///< names of those that the rule takes, separated by spaces
  bool combines = false;        ///< made of parts
  /// Builds the rule from a spec that is resolved.
  std::unique_ptr<BoundedRule> (*make)(const RuleSpec& spec, const Budget& budget);
  // See RuleHelp; the figures under `expect` are those of tests/bench/coverage.
  std::string_view summary;
  std::string_view stops;
  std::string_view reports;
  std::string_view expect;

  /// True when `parameter` has a meaning for the rule.
  bool takes(std::string_view parameter) const { return parameters.find(parameter) != parameters.npos; }
};

// What the entries of several rules have in common.
inline constexpr std::string_view all_parameters = "eps alpha floor min-visits min-timings max-timings max-time";
inline constexpr Budget usual_budget{8, 5, 4000, seconds(5)};

// The rules, each in the file of its class; the source of this header has their order.
extern const RuleEntry median_ci_rule, quantile_ci_rule, median_cs_rule, trimmed_ci_rule, mean_ci_rule, stddev_rule,
    stderr_rule, fixed_rule, time_rule, stable_min_rule, all_rule, any_rule;

/// All of them, in the order of rule_names().
std::span<const RuleEntry* const> rule_entries();
/// The one of that name; null when there is none.
const RuleEntry* find_rule(std::string_view name);
/// The one of that name. Throws std::invalid_argument when there is none.
const RuleEntry& rule_entry(std::string_view name);

/// The eps that is given, else the rule's default; nothing where neither is. Parts have their own.
std::optional<double> own_eps(const RuleSpec& spec);
/// What the argument comes to; 0 for a rule that has none. Throws std::invalid_argument when it is impossible.
double rule_argument(const RuleSpec& spec);

}  // namespace assay
