// SPDX-License-Identifier: Apache-2.0
// Reads the texts of rules, by recursive descent, and writes them.
#include "stats/rule/rule_text.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/escape.hpp"
#include "base/typed.hpp"
#include "base/value.hpp"
#include "stats/rule/rule_table.hpp"
#include "text/number_format.hpp"
#include "text/text_piece.hpp"

namespace assay {
namespace {

constexpr int deepest = 8;

/// What stands between the commas of a list in parentheses, those within inner parentheses left alone.
std::vector<TextPiece> items_of(const TextPiece& list) {
  std::vector<TextPiece> items;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= list.text.size(); ++i) {
    const char c = i < list.text.size() ? list.text[i] : ',';
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c != ',' || depth > 0) continue;
    items.push_back(list.upto(i).from(start).trimmed());
    start = i + 1;
  }
  return items;
}

/// A rule's name with argument, and what its parentheses hold.
struct Form {
  TextPiece head;
  std::optional<TextPiece> list;
};

Form form_of(const TextPiece& rule) {
  const auto open = rule.text.find('(');
  if (open == rule.text.npos) {
    if (const auto stray = rule.text.find_first_of("),"); stray != rule.text.npos)
      throw RuleTextError(rule.position + stray, "unexpected " + excerpt(rule.text.substr(stray, 1)), "remove it");
    return {rule, {}};
  }
  int depth = 0;
  for (std::size_t i = open; i < rule.text.size(); ++i) {
    depth += rule.text[i] == '(' ? 1 : rule.text[i] == ')' ? -1 : 0;
    if (depth > 0) continue;
    if (const TextPiece rest = rule.from(i + 1).trimmed(); !rest.text.empty())
      throw RuleTextError(rest.position, "unexpected " + excerpt(rest.text), "join rules as in all(RULE, RULE)");
    return {rule.upto(open).trimmed(), rule.upto(i).from(open + 1).trimmed()};
  }
  throw RuleTextError(rule.position + open, "a parenthesis is not closed", "write ) at the end");
}

template <class T>
T value_or_throw(const Typed<T>& typed, const TextPiece& piece) {
  if (!typed.value) throw RuleTextError(piece.position, excerpt(piece.text) + " " + typed.what, typed.remedy);
  return *typed.value;
}

std::int64_t count_of(const TextPiece& piece) {
  constexpr std::int64_t most = 1'000'000'000;
  const auto count = value_or_throw(read_count(piece.text), piece);
  if (count > most)
    throw RuleTextError(piece.position, excerpt(piece.text) + " is out of range", "write a number up to 10^9");
  return count;
}

template <class T>
std::string text_or_nothing(const std::optional<T>& value) {
  return value ? std::to_string(*value) : std::string();
}
std::string text_or_nothing(const std::optional<double>& value) { return value ? to_text(*value) : std::string(); }
std::string text_or_nothing(const std::optional<Nanoseconds>& value) { return value ? exact(*value) : std::string(); }

struct Parameter {
  std::string_view name;
  void (*set)(RuleSpec&, const TextPiece&);
  std::string (*text)(const RuleSpec&);  ///< empty: not set
};
constexpr std::array<Parameter, 7> parameters{{
    {"eps", [](RuleSpec& spec, const TextPiece& p) { spec.eps = value_or_throw(read_share(p.text), p); },
     [](const RuleSpec& spec) { return text_or_nothing(spec.eps); }},
    // A combination is its parts', which have their own.
    {"alpha", [](RuleSpec& spec, const TextPiece& p) { spec.alpha = value_or_throw(read_share(p.text), p); },
     [](const RuleSpec& spec) { return spec.parts.empty() ? to_text(spec.alpha) : std::string(); }},
    {"floor", [](RuleSpec& spec, const TextPiece& p) { spec.floor = value_or_throw(read_amount(p.text), p); },
     [](const RuleSpec& spec) { return text_or_nothing(spec.floor); }},
    {"min-visits", [](RuleSpec& spec, const TextPiece& p) { spec.budget.min_visits = static_cast<int>(count_of(p)); },
     [](const RuleSpec& spec) { return text_or_nothing(spec.budget.min_visits); }},
    {"min-timings",
     [](RuleSpec& spec, const TextPiece& p) { spec.budget.min_timings = static_cast<std::size_t>(count_of(p)); },
     [](const RuleSpec& spec) { return text_or_nothing(spec.budget.min_timings); }},
    {"max-timings",
     [](RuleSpec& spec, const TextPiece& p) { spec.budget.max_timings = static_cast<std::size_t>(count_of(p)); },
     [](const RuleSpec& spec) { return text_or_nothing(spec.budget.max_timings); }},
    {"max-time",
     [](RuleSpec& spec, const TextPiece& p) { spec.budget.max_time = value_or_throw(read_duration(p.text), p); },
     [](const RuleSpec& spec) { return text_or_nothing(spec.budget.max_time); }},
}};

std::vector<std::string> parameters_of(const RuleEntry& entry) {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters)
    if (entry.takes(parameter.name)) names.emplace_back(parameter.name);
  return names;
}

double argument_of(const RuleEntry& entry, const TextPiece& piece) {
  switch (entry.kind) {
    case ArgumentKind::none:
      break;
    case ArgumentKind::share:
      return value_or_throw(read_share(piece.text), piece);
    case ArgumentKind::count:
      return static_cast<double>(count_of(piece));
    case ArgumentKind::duration:
      return value_or_throw(read_duration(piece.text), piece).count;
  }
  throw RuleTextError(piece.position, "rule " + std::string(entry.name) + " has no argument",
                      "write " + std::string(entry.name) + ", parameters in parentheses");
}

/// One rule of the text, with its parts.
class Reader {
 public:
  /// `depth` is how many combinations the rule is part of.
  Reader(const RuleSpec& shared, int depth) : spec_(shared), depth_(depth) {
    spec_.argument.reset();
    spec_.parts.clear();
  }

  RuleSpec read(const TextPiece& rule) {
    if (depth_ > deepest)
      throw RuleTextError(rule.position, "rules are nested too deeply", "use at most 8 levels of all and any");
    const Form form = form_of(rule);
    read_head(form.head);
    const auto items = form.list && !form.list->text.empty() ? items_of(*form.list) : std::vector<TextPiece>{};
    // Parameters first: parts take them over, wherever they stand.
    for (const TextPiece& item : items)
      if (is_parameter(item)) read_parameter(item);
    for (const TextPiece& item : items)
      if (!is_parameter(item)) read_part(item);
    check(rule);
    return spec_;
  }

 private:
  static bool is_parameter(const TextPiece& item) {
    return item.text.substr(0, item.text.find('(')).find('=') != item.text.npos;
  }

  void read_head(const TextPiece& head) {
    const auto colon = std::min(head.text.find(':'), head.text.size());
    const TextPiece name = head.upto(colon).trimmed();
    if (name.text.empty()) throw RuleTextError(name.position, "a rule is missing", "write its name, as median-ci");
    entry_ = find_rule(name.text);
    if (entry_ == nullptr)
      throw RuleTextError(name.position, "unknown rule " + excerpt(name.text), std::string(name.text), rule_names());
    spec_.name = name.text;
    if (colon < head.text.size()) {
      const TextPiece argument = head.from(colon + 1).trimmed();
      spec_.argument = argument_of(*entry_, argument);
      places_.emplace_back(entry_->argument, argument.position);
    }
  }

  void read_parameter(const TextPiece& item) {
    const auto equals = item.text.find('=');
    const TextPiece key = item.upto(equals).trimmed();
    const TextPiece value = item.from(equals + 1).trimmed();
    const auto* const found =
        std::find_if(parameters.begin(), parameters.end(), [&](const auto& p) { return p.name == key.text; });
    if (found == parameters.end() || !entry_->takes(found->name))
      throw RuleTextError(key.position, "rule " + spec_.name + " has no parameter " + excerpt(key.text),
                          std::string(key.text), parameters_of(*entry_));
    if (depth_ > 0 && found->name.starts_with("max-"))
      throw RuleTextError(key.position, std::string(found->name) + " belongs to the whole rule, not to a part",
                          "write it in the outermost parentheses, beside the parts");
    found->set(spec_, value);
    places_.emplace_back(found->name, value.position);
  }

  void read_part(const TextPiece& item) {
    if (!entry_->combines)
      throw RuleTextError(item.position, "rule " + spec_.name + " has no parts: " + excerpt(item.text),
                          "write parameters as in eps=2%, or all(...) around the rules");
    RuleSpec shared = spec_;
    shared.budget.max_timings.reset();
    shared.budget.max_time.reset();
    spec_.parts.push_back(Reader(shared, depth_ + 1).read(item));
  }

  /// Complains where the text says something impossible; what comes from `shared` is the caller's to check.
  void check(const TextPiece& rule) const {
    try {
      budget_of(spec_);
    } catch (const RuleError& error) {
      const auto is_meant = [&](const auto& place) { return place.first == error.parameter(); };
      if (const auto place = std::ranges::find_if(places_, is_meant); place != places_.end())
        throw RuleTextError(place->second, error.what(), "");
      const bool is_missing =
          (entry_->kind != ArgumentKind::none && error.parameter() == entry_->argument) || error.parameter() == "parts";
      if (is_missing) throw RuleTextError(rule.position, error.what(), "");
    }
  }

  RuleSpec spec_;
  int depth_;
  const RuleEntry* entry_ = nullptr;
  std::vector<std::pair<std::string_view, std::size_t>> places_;  ///< what the text gives, and where
};

void append(std::string& list, const std::string& item) { list += (list.empty() ? "" : ",") + item; }

std::string parts_of(const RuleSpec& spec) {
  std::string parts;
  for (const RuleSpec& part : spec.parts) append(parts, full_rule_text(part));
  return parts;
}

std::string in_parentheses(const std::string& list) { return list.empty() ? "" : "(" + list + ")"; }

}  // namespace

RuleSpec parse_rule(std::string_view text, const RuleSpec& shared) {
  return Reader(shared, 0).read(TextPiece{text}.trimmed());
}

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
  std::string list = parts_of(spec);
  const RuleEntry* entry = find_rule(spec.name);
  for (const Parameter& parameter : parameters) {
    const std::string text = parameter.text(spec);
    if (!text.empty() && entry != nullptr && entry->takes(parameter.name))
      append(list, std::string(parameter.name) + "=" + text);
  }
  return rule_heading(spec) + in_parentheses(list);
}

}  // namespace assay
