// SPDX-License-Identifier: Apache-2.0
// One table of keys that knows which field each sets, and how to write it.
#include "app/config/precision.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>

#include "app/config/series_context.hpp"
#include "base/typed.hpp"
#include "base/value.hpp"
#include "stats/rule/rule_text.hpp"
#include "text/suggest.hpp"

namespace assay {

namespace {

// A field that is set by a key of its own.
struct Key {
  std::string name;
  std::function<void(Precision&, const OptionValue&)> take;
  std::function<std::string(const Precision&)> write;  ///< empty text: not set
};

// What a field holds, whether or not it can be unset.
template <class T>
struct Content {
  using type = T;
};
template <class T>
struct Content<std::optional<T>> {
  using type = T;
};

// A field's text; empty when it is unset.
std::string text_of(double share) { return to_text(share); }
std::string text_of(Nanoseconds duration) { return duration_text(duration); }
std::string text_of(int count) { return std::to_string(count); }
std::string text_of(std::size_t count) { return std::to_string(count); }
template <class T>
std::string text_of(const std::optional<T>& field) {
  return field ? text_of(*field) : std::string();
}

// `member` gives a reference to the field.
template <class Member>
Key key(std::string name, Member member) {
  const auto take = [member](Precision& precision, const OptionValue& value) {
    using Field = typename Content<std::remove_reference_t<decltype(member(precision))>>::type;
    if constexpr (std::is_integral_v<Field>)
      member(precision) = static_cast<Field>(std::get<std::int64_t>(value));
    else
      member(precision) = std::get<Field>(value);
  };
  return {std::move(name), take, [member](const Precision& precision) { return text_of(member(precision)); }};
}

// A key that may be left to the framework.
Key auto_key(Key key) {
  key.take = [take = std::move(key.take)](Precision& precision, const OptionValue& value) {
    if (!std::holds_alternative<std::monostate>(value)) take(precision, value);
  };
  key.write = [write = std::move(key.write)](const Precision& precision) {
    auto text = write(precision);
    return text.empty() ? "auto" : text;
  };
  return key;
}

void take_state(Precision& precision, const OptionValue& value) {
  precision.state = parse_wanted_state(std::get<std::string>(value)).value_or(precision.state);
}

Key spare_time_key() {
  return {"spare-time",
          [](Precision& p, const OptionValue& value) { p.spare_time = std::get<std::string>(value) == "yes"; },
          [](const Precision& p) { return std::string(p.spare_time ? "yes" : "no"); }};
}

std::vector<Key> rule_keys() {
  return {key("eps", [](auto& p) -> auto& { return p.rule.eps; }),
          key("alpha", [](auto& p) -> auto& { return p.rule.alpha; }),
          key("floor", [](auto& p) -> auto& { return p.rule.floor; })};
}

std::vector<Key> budget_keys() {
  return {key("min-visits", [](auto& p) -> auto& { return p.rule.budget.min_visits; }),
          key("min-timings", [](auto& p) -> auto& { return p.rule.budget.min_timings; }),
          key("max-timings", [](auto& p) -> auto& { return p.rule.budget.max_timings; }),
          key("max-time", [](auto& p) -> auto& { return p.rule.budget.max_time; }), spare_time_key()};
}

std::vector<Key> visit_keys() {
  return {auto_key(key("reps", [](auto& p) -> auto& { return p.reps; })),
          auto_key(key("batches", [](auto& p) -> auto& { return p.batches; })),
          key("incarnations", [](auto& p) -> auto& { return p.incarnations; }),
          key("max-incarnations", [](auto& p) -> auto& { return p.rule.max_incarnations; }),
          key("warm-up", [](auto& p) -> auto& { return p.warm_up; }),
          key("span", [](auto& p) -> auto& { return p.span; }),
          key("min-span", [](auto& p) -> auto& { return p.min_span; }),
          key("deadline", [](auto& p) -> auto& { return p.deadline; }),
          key("max-points", [](auto& p) -> auto& { return p.max_points; }),
          key("noisy", [](auto& p) -> auto& { return p.noisy; }),
          key("too-noisy", [](auto& p) -> auto& { return p.too_noisy; }),
          {"state", take_state, [](const Precision& p) { return to_text(p.state); }}};
}

// All but the rule, which reads what these leave to it.
const std::vector<Key>& keys() {
  static const auto all = [] {
    auto table = rule_keys();
    for (auto& key : budget_keys()) table.push_back(std::move(key));
    for (auto& key : visit_keys()) table.push_back(std::move(key));
    return table;
  }();
  return all;
}

// Settings of one section with [precision] behind it.
class Lookup {
 public:
  Lookup(const Settings& settings, std::string section) : settings_(settings), section_(std::move(section)) {}

  const std::string& section() const { return section_; }
  const Setting* own(const std::string& key) const { return in(section_, key); }
  const Setting* find(const std::string& key) const {
    const Setting* found = own(key);
    return found != nullptr ? found : in("precision", key);
  }
  // Where to point when two keys do not go together: the first that was not left at its default.
  Where where(std::initializer_list<const char*> pair) const {
    for (const char* key : pair)
      if (const Setting* setting = find(key); setting != nullptr && !setting->at.file.empty()) return setting->at;
    return {};
  }

 private:
  const Setting* in(const std::string& section, const std::string& key) const {
    const auto found = settings_.find(section + "." + key);
    return found == settings_.end() ? nullptr : &found->second;
  }

  const Settings& settings_;
  std::string section_;
};

void check_incarnations(const Precision& precision, const Lookup& lookup, Problems& problems) {
  if (precision.incarnations <= precision.rule.max_incarnations) return;
  problems.add(lookup.where({"max-incarnations", "incarnations"}), "incarnations is above max-incarnations",
               std::to_string(precision.incarnations) + " and " + std::to_string(precision.rule.max_incarnations),
               "raise one or lower the other");
}

void check_visits(const Precision& precision, const Budget& budget, const Lookup& lookup, Problems& problems) {
  const double least = static_cast<double>(budget.min_visits) * precision.batches.value_or(first_visit_length);
  if (least <= static_cast<double>(budget.max_timings)) return;
  problems.add(lookup.where({"max-timings", "min-visits", "batches"}), "max-timings is less than the least visits take",
               number_text(least) + " timings (min-visits times batches) and " + std::to_string(budget.max_timings),
               "raise max-timings, or lower min-visits or batches");
}

void check_spread(const Precision& precision, const Budget& budget, const Lookup& lookup, Problems& problems) {
  if (budget.min_timings >= 2) return;
  problems.add(lookup.where({"min-timings", "rule"}), "min-timings = 1 with rule " + rule_heading(precision.rule),
               "the rule needs a spread, and one timing has none",
               "write 2 or more, or a rule that counts, as fixed:100");
}

// Not in a file, but on the command line or in the environment.
bool is_override(const Setting& setting) { return !setting.at.file.empty() && setting.at.line == 0; }

// A key that the rule in force does not listen to because it brings its own. A series' rule may well differ from what
// [precision] says for all of them, but not from the section's own keys, and not from what was given for this run.
void check_overridden(const Precision& shared, const Precision& precision, const Lookup& lookup, Problems& problems) {
  const bool is_own_rule = lookup.own("rule") != nullptr;
  for (const Key& key : keys()) {
    const Setting* own = lookup.own(key.name);
    const Setting* setting = own != nullptr ? own : lookup.find(key.name);
    if (setting == nullptr || setting->at.file.empty() || key.write(shared) == key.write(precision)) continue;
    if (own == nullptr && !(is_own_rule && is_override(*setting))) continue;
    problems.add(setting->at, key.name + " has no effect here",
                 is_own_rule ? "the rule of [" + lookup.section() + "] brings its own, " + key.write(precision)
                             : "the rule of [precision] brings its own",
                 is_own_rule ? "take it out of the rule's parentheses, or override the rule"
                             : "write it into a rule of this section");
  }
}

// The rule, with what its text leaves open from the keys beside it.
void read_rule(Precision& precision, const Setting& setting, const Lookup& lookup, Problems& problems) {
  try {
    const Precision shared = precision;
    precision.rule = parse_rule(setting.value, shared.rule);
    check_overridden(shared, precision, lookup, problems);
  } catch (const RuleTextError& error) {
    problems.add(within(setting, error.offset()), std::string("rule: ") + error.what(), {},
                 error.known().empty() ? error.remedy() : suggestion(error.word(), error.known()));
  }
}

// A limit that was not requested does not stand in the way of one that was.
void settle_incarnations(Precision& precision, const Lookup& lookup) {
  if (lookup.where({"max-incarnations"}).file.empty())
    precision.rule.max_incarnations = std::max(precision.rule.max_incarnations, precision.incarnations);
}

// Where to point for a parameter of the rule, which may be a key of its own.
Where place_of(const std::string& parameter, const Lookup& lookup) {
  const bool is_key = std::ranges::find(keys(), parameter, &Key::name) != keys().end();
  return is_key ? lookup.where({parameter.c_str(), "rule"}) : lookup.where({"rule"});
}

// What the values mean for each other.
void check_together(const Precision& precision, const Lookup& lookup, Problems& problems) {
  check_incarnations(precision, lookup, problems);
  try {
    const Budget budget = budget_of(precision.rule);
    if (!has_accuracy(precision.rule)) return;
    check_visits(precision, budget, lookup, problems);
    check_spread(precision, budget, lookup, problems);
  } catch (const RuleError& error) {
    problems.add(place_of(error.parameter(), lookup), error.what());
  }
}

}  // namespace

Precision read_precision(const Settings& settings, const std::string& section, Problems& problems) {
  Precision precision;
  const Lookup lookup(settings, section);
  const auto before = problems.list().size();
  for (const Key& key : keys()) {
    const Setting* setting = lookup.find(key.name);
    if (setting != nullptr && setting->typed) key.take(precision, *setting->typed);
  }
  if (const Setting* rule = lookup.find("rule")) read_rule(precision, *rule, lookup, problems);
  settle_incarnations(precision, lookup);
  // A value that was refused would only cause further, misleading problems.
  if (problems.list().size() > before || section == "precision" || has_refused(settings)) return precision;
  check_together(precision, lookup, problems);
  return precision;
}

std::vector<std::pair<std::string, std::string>> precision_text(const Precision& precision) {
  std::vector<std::pair<std::string, std::string>> text{{"rule", rule_text(precision.rule)}};
  for (const Key& key : keys())
    if (auto value = key.write(precision); !value.empty()) text.emplace_back(key.name, std::move(value));
  return text;
}

}  // namespace assay
