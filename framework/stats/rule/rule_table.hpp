// SPDX-License-Identifier: Apache-2.0
// What distinguishes the rules before they are built: names, arguments, parameters and defaults.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "stats/rule/stopping_rule.hpp"

namespace assay {

/// What stands behind the colon of a rule's name.
enum class ArgumentKind : std::uint8_t { none, share, count, duration };

/// A rule that exists.
struct RuleEntry {
  std::string_view name;
  std::string_view argument;  ///< what the argument is called in messages; empty: there is none
  ArgumentKind kind;
  double standard;  ///< argument where none is given; 0: one must be given
  double eps;       ///< where none is given; 0: the rule has no accuracy
  Budget budget;
  std::string_view parameters;  ///< names of those that the rule listens to, separated by spaces
  bool combines = false;        ///< made of parts

  /// True when `parameter` has a meaning for the rule.
  bool takes(std::string_view parameter) const { return parameters.find(parameter) != parameters.npos; }
};

/// All of them, in the order of rule_names().
std::span<const RuleEntry> rule_entries();
/// The one of that name; null when there is none.
const RuleEntry* find_rule(std::string_view name);
/// The one of that name. Throws std::invalid_argument when there is none.
const RuleEntry& rule_entry(std::string_view name);

/// What the argument comes to; 0 for a rule that has none. Throws std::invalid_argument when it is impossible.
double rule_argument(const RuleSpec& spec);

}  // namespace assay
