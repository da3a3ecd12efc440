// SPDX-License-Identifier: Apache-2.0
// Writes the texts of rules.
#include "stats/rule/rule_text.hpp"

#include "base/value.hpp"
#include "stats/rule/rule_table.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

void append(std::string& list, const std::string& item) { list += (list.empty() ? "" : ",") + item; }

/// The parameters of one rule that are set and that it listens to.
class ParameterList {
 public:
  explicit ParameterList(const RuleSpec& spec) : entry_(find_rule(spec.name)) {}

  template <class T, class Write>
  void add(std::string_view key, const std::optional<T>& value, Write write) {
    if (value && entry_ != nullptr && entry_->takes(key)) append(text_, std::string(key) + "=" + write(*value));
  }
  void add(const std::string& item) { append(text_, item); }
  const std::string& text() const { return text_; }

 private:
  const RuleEntry* entry_;
  std::string text_;
};

std::string parts_of(const RuleSpec& spec) {
  std::string parts;
  for (const RuleSpec& part : spec.parts) append(parts, full_rule_text(part));
  return parts;
}

std::string in_parentheses(const std::string& list) { return list.empty() ? "" : "(" + list + ")"; }

}  // namespace

std::string rule_heading(const RuleSpec& spec) {
  const RuleEntry* entry = find_rule(spec.name);
  if (entry == nullptr || !spec.argument) return spec.name;
  if (entry->kind == ArgumentKind::count)
    return spec.name + ":" + std::to_string(static_cast<std::size_t>(*spec.argument));
  if (entry->kind == ArgumentKind::duration) return spec.name + ":" + exact(Nanoseconds{*spec.argument});
  return spec.name + ":" + to_text(*spec.argument);
}

std::string rule_text(const RuleSpec& spec) { return rule_heading(spec) + in_parentheses(parts_of(spec)); }

std::string full_rule_text(const RuleSpec& spec) {
  const auto number = [](double value) { return to_text(value); };
  const auto whole = [](auto value) { return std::to_string(value); };
  ParameterList list(spec);
  if (!spec.parts.empty()) list.add(parts_of(spec));
  list.add("eps", spec.eps, number);
  // A combination is its parts', which have their own.
  if (spec.parts.empty()) list.add("alpha", std::optional(spec.alpha), number);
  list.add("floor", spec.floor, number);
  list.add("min-visits", spec.budget.min_visits, whole);
  list.add("min-timings", spec.budget.min_timings, whole);
  list.add("max-timings", spec.budget.max_timings, whole);
  list.add("max-time", spec.budget.max_time, [](Nanoseconds time) { return exact(time); });
  return rule_heading(spec) + in_parentheses(list.text());
}

}  // namespace assay
