// SPDX-License-Identifier: Apache-2.0
// Names, words and numbers of export formats.
#include "record/export/export_parts.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <variant>

#include "base/value.hpp"
#include "record/core_cycles.hpp"
#include "record/export/exports.hpp"
#include "record/shown_value.hpp"
#include "text/number_format.hpp"
#include "text/printable.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

std::vector<std::string> words_of(const std::string& marks) {
  std::vector<std::string> words;
  for (const char mark : all_marks)
    if (marks.find(mark) != marks.npos) words.emplace_back(mark_word(mark));
  return words;
}

}  // namespace

std::string_view mark_word(char mark) {
  switch (mark) {
    case '!':
      return "not-converged";
    case '~':
      return "short-term";
    case '#':
      return "noisy";
    case '^':
      return "cpus-moved";
    default:
      return "no-interval";
  }
}

Better direction_of(Unit unit) {
  switch (unit) {
    case Unit::nanoseconds:
      return Better::smaller;
    case Unit::bytes_per_second:
    case Unit::per_second:
      return Better::bigger;
    default:
      return Better::unknown;
  }
}

std::vector<std::string> mark_words(const PointRecord& point, const Result& result) {
  return words_of(marks_of(point, result));
}

std::vector<std::string> mark_words(const PointRecord& point) {
  std::string marks;
  for (const Result& result : point.results) marks += marks_of(point, result);
  return words_of(marks);
}

std::string markdown_cell(const std::string& text) {
  constexpr std::string_view special = "\\|<>&*_`[]#~@";
  std::string cell;
  for (const char letter : printable(text)) {
    if (special.find(letter) != special.npos) cell += '\\';
    cell += letter;
  }
  return cell;
}

std::string point_name(const PointRecord& point) {
  std::string name = printable(point.series);
  for (const auto& [factor, level] : point.point.levels())
    name += ' ' + factor + '=' + printable(point.point.text(factor));
  return name;
}

std::string result_name(const SeriesGroup& group, const PointRecord& point, const Result& result) {
  std::string name = point_name(point);
  const auto& quantities = group.series.quantities;
  if (quantities.empty() || quantities.front().name != result.quantity) name += ' ' + printable(result.quantity);
  if (result.regime != Regime::solo) name += ' ' + to_text(result.regime);
  return name;
}

NumberedResults numbered_results(const std::vector<SeriesGroup>& groups) {
  NumberedResults found;
  for (const SeriesGroup& group : groups)
    for (const PointRecord& point : group.points) {
      if (point.results.empty()) ++found.numberless;
      for (const Result& result : point.results) {
        if (has_number(result))
          found.rows.push_back({&group, &point, &result});
        else
          ++found.numberless;
      }
    }
  return found;
}

void tell_numberless(std::vector<std::string>& remarks, std::size_t count) {
  if (count > 0)
    remarks.push_back(counted(count, "point") +
                      " without a number left out: the format has no way to say why; "
                      "--format junit or json has");
}

Json finite_json(double number) { return std::isfinite(number) ? Json(number) : Json(); }

Json when_json(const Interval& interval, double number) { return interval.available() ? finite_json(number) : Json(); }

Json level_json(const Value& level) {
  if (const auto* real = std::get_if<double>(&level); real != nullptr && !std::isfinite(*real)) return to_text(*real);
  return std::visit([](const auto& value) { return Json(value); }, level);
}

Json count_json(std::size_t count) { return Json(static_cast<std::int64_t>(count)); }

Json::Object levels_json(const Point& point) {
  Json::Object levels;
  for (const auto& [factor, level] : point.levels()) levels.emplace_back(factor, level_json(level));
  return levels;
}

CycleTexts cycle_texts(const Result& result) {
  const auto cycles = cycles_of(result);
  if (!cycles) return {{}, {}, {}, {}, result.unit == Unit::nanoseconds ? to_text(result.clock.why) : ""};
  const auto finite = [](double number) { return std::isfinite(number) ? to_text(number) : std::string(); };
  const auto end = [&](double number) { return cycles->interval.available() ? finite(number) : std::string(); };
  return {finite(cycles->value), end(cycles->interval.low), end(cycles->interval.high), to_text(result.clock.ghz), {}};
}

bool has_number(const Result& result) { return std::isfinite(result.headline.value); }

}  // namespace assay
