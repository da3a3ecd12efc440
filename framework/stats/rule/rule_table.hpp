// SPDX-License-Identifier: Apache-2.0
// What the rules are before they are built: names, arguments, parameters, defaults, help.
#pragma once
#include <span>
#include <string_view>

#include "stats/rule/rule_entry.hpp"

namespace assay {

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
