// SPDX-License-Identifier: Apache-2.0
// Reading what is asked of tables, and leaving out what is not.
#include "record/table/table_choice.hpp"

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "record/shown_value.hpp"
#include "record/table/column_table.hpp"
#include "text/suggest.hpp"

namespace assay {

namespace {

std::vector<std::string> pieces_of(const std::string& text, const std::string& where, const std::string& what) {
  std::vector<std::string> pieces;
  for (std::size_t from = 0; from <= text.size();) {
    const auto comma = std::min(text.find(',', from), text.size());
    std::string piece = text.substr(from, comma - from);
    const auto first = piece.find_first_not_of(' ');
    if (first == piece.npos)
      throw ConfigError(Problem{{where}, "an empty name in " + what + " " + shown(text), {}, "separate by one comma"});
    pieces.push_back(piece.substr(first, piece.find_last_not_of(' ') + 1 - first));
    from = comma + 1;
  }
  return pieces;
}

std::vector<std::string> own_names() { return {"series", "measurement", "quantity", "regime", "state", "verdict"}; }

bool is_own(const std::string& name) { return std::ranges::count(own_names(), name) > 0; }

bool has_factor(const SeriesGroup& group, const std::string& name) {
  return std::ranges::any_of(group.points,
                             [&](const PointRecord& point) { return point.point.find(factor_named(name)) != nullptr; });
}

// What a condition's name is at a point: as it is shown, and as configurations write it.
std::vector<std::string> texts_of(const PointRecord& point, const std::string& name) {
  if (name == "series") return {point.series};
  if (name == "measurement") return {point.measurement};
  if (name == "verdict" && point.results.empty()) return {to_text(point.outcome)};
  if (is_own(name)) return {};
  const std::string factor = factor_named(name);
  const Value* level = point.point.find(factor);
  if (level == nullptr) return {};
  return {shown_level(point.point, factor), point.point.text(factor), to_text(*level)};
}

std::vector<std::string> texts_of(const Result& result, const std::string& name) {
  if (name == "quantity") return {result.quantity};
  if (name == "regime") return {to_text(result.regime)};
  if (name == "state") return {to_text(result.state), to_text(result.state.sharing)};
  if (name == "verdict") return {outcome_text(result)};
  return {};
}

bool is_of_results(const std::string& name) {
  return name == "quantity" || name == "regime" || name == "state" || name == "verdict";
}

bool holds(const RowCondition& condition, const std::vector<std::string>& texts) {
  const bool matched = std::ranges::any_of(condition.patterns, [&](const std::string& pattern) {
    return std::ranges::any_of(texts, [&](const std::string& text) { return matches(text, pattern); });
  });
  return matched != condition.is_negated;
}

// Leaves of a point what the condition lets; false when nothing is left.
bool keep(PointRecord& point, const RowCondition& condition) {
  if (!is_of_results(condition.name) || point.results.empty()) return holds(condition, texts_of(point, condition.name));
  for (std::vector<Result>* results : {&point.results, &point.others})
    std::erase_if(*results, [&](const Result& result) { return !holds(condition, texts_of(result, condition.name)); });
  return !point.results.empty();
}

std::vector<std::string> known_columns(std::span<const SeriesGroup> groups) {
  std::vector<std::string> names;
  for (const ColumnInfo& column : all_columns()) names.emplace_back(column.name);
  for (const SeriesGroup& group : groups)
    for (const std::string& factor : factors_of(group.points))
      if (std::ranges::find(names, factor) == names.end()) names.push_back(factor);
  return names;
}

// What a condition may say: the levels that there are.
std::vector<std::string> known_texts(std::span<const SeriesGroup> groups, const std::string& name) {
  std::set<std::string> all;
  for (const SeriesGroup& group : groups)
    for (const PointRecord& point : group.points) {
      for (std::string& text : texts_of(point, name)) all.insert(std::move(text));
      for (const std::vector<Result>* results : {&point.results, &point.others})
        for (const Result& result : *results)
          for (std::string& text : texts_of(result, name)) all.insert(std::move(text));
    }
  return {all.begin(), all.end()};
}

void check_condition(const RowCondition& condition, std::span<const SeriesGroup> groups, const std::string& where,
                     std::vector<Problem>& problems) {
  const bool exists =
      std::ranges::any_of(groups, [&](const SeriesGroup& group) { return has_factor(group, condition.name); });
  if (!exists && !is_own(condition.name)) {
    std::vector<std::string> names = own_names();
    for (const SeriesGroup& group : groups)
      for (const std::string& factor : factors_of(group.points)) names.push_back(factor);
    problems.push_back(
        {{where}, "no point has a factor " + shown(condition.name), {}, suggestion(condition.name, names)});
    return;
  }
  const auto texts = known_texts(groups, condition.name);
  for (const std::string& pattern : condition.patterns)
    if (std::ranges::none_of(texts, [&](const std::string& text) { return matches(text, pattern); }))
      problems.push_back(
          {{where}, "nothing has " + condition.name + " " + shown(pattern), {}, suggestion(pattern, texts)});
}

}  // namespace

std::string factor_named(const std::string& name) {
  constexpr std::string_view prefix = "factor:";
  return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

std::vector<SortKey> parse_sort(const std::string& text, const std::string& where) {
  std::vector<SortKey> keys;
  for (std::string& name : pieces_of(text, where, "--sort")) {
    const bool descending = name.size() > 1 && name.front() == '-';
    keys.push_back({descending ? name.substr(1) : std::move(name), descending});
  }
  return keys;
}

std::vector<std::string> parse_columns(const std::string& text, const std::string& where) {
  return pieces_of(text, where, "--columns");
}

RowCondition parse_condition(const std::string& text, const std::string& where) {
  const auto equals = text.find('=');
  const bool is_negated = equals != text.npos && equals > 0 && text[equals - 1] == '!';
  const auto end = equals == text.npos ? 0 : equals - (is_negated ? 1 : 0);
  if (end == 0)
    throw ConfigError(Problem{{where},
                              "--filter " + shown(text) + " is no condition",
                              {},
                              "write NAME=LEVEL, NAME=LEVEL,LEVEL or NAME!=LEVEL; in levels * and ? are patterns"});
  return {text.substr(0, end), is_negated, pieces_of(text.substr(equals + 1), where, "--filter")};
}

bool matches(std::string_view text, std::string_view pattern) {
  std::size_t at = 0;
  std::size_t in_pattern = 0;
  std::size_t star = pattern.npos;
  std::size_t after_star = 0;
  while (at < text.size()) {
    if (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
      star = in_pattern++;
      after_star = at;
    } else if (in_pattern < pattern.size() && (pattern[in_pattern] == '?' || pattern[in_pattern] == text[at])) {
      ++at;
      ++in_pattern;
    } else if (star != pattern.npos) {
      in_pattern = star + 1;
      at = ++after_star;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', in_pattern) == pattern.npos;
}

void require_known(const TableChoice& choice, std::span<const SeriesGroup> groups, const std::string& where) {
  std::vector<Problem> problems;
  const auto names = known_columns(groups);
  const auto check = [&](const std::string& name, const std::string& option) {
    if (std::ranges::find(names, factor_named(name)) != names.end() || find_column(name) != nullptr) return;
    std::string remedy = suggestion(name, names);
    if (name == "series" || name == "measurement")
      remedy = "it stands above each table: --filter " + name +
               "=NAME chooses tables, and 'assay export DIR --format "
               "csv' has it as a column";
    if (remedy.empty()) remedy = "'assay show DIR --wide' prints all columns";
    problems.push_back({{where}, option + " names an unknown column " + shown(name), {}, std::move(remedy)});
  };
  for (const std::string& name : choice.columns) check(name, "--columns");
  for (const SortKey& key : choice.sort) check(key.column, "--sort");
  for (const RowCondition& condition : choice.filter) check_condition(condition, groups, where, problems);
  if (!problems.empty()) throw ConfigError(std::move(problems));
}

std::vector<SeriesGroup> filtered(std::vector<SeriesGroup> groups, const std::vector<RowCondition>& conditions) {
  if (conditions.empty()) return groups;
  for (SeriesGroup& group : groups) {
    group.derived.clear();
    std::erase_if(group.points, [&](PointRecord& point) {
      return !std::ranges::all_of(conditions, [&](const RowCondition& one) { return keep(point, one); });
    });
  }
  std::erase_if(groups, [](const SeriesGroup& group) { return group.points.empty(); });
  return groups;
}

}  // namespace assay
