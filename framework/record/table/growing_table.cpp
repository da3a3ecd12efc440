// SPDX-License-Identifier: Apache-2.0
// Rows whose widths are guessed: what is to come is not known.
#include "record/table/growing_table.hpp"

#include <algorithm>
#include <utility>

#include "record/grouping.hpp"
#include "record/shown_value.hpp"
#include "text/printable.hpp"
#include "text/scale.hpp"
#include "text/utf8.hpp"

namespace assay {

namespace {

constexpr std::size_t value_width = 10;
constexpr std::size_t marks_width = 5;
constexpr std::size_t interval_width = 24;
constexpr std::size_t unit_width = 5;
constexpr std::size_t percent_width = 5;
constexpr std::size_t disturbed_width = 11;

// The columns that every series has.
struct Values {
  std::string value = "-";
  std::string marks{};
  std::string interval = "-";
  std::string unit = "-";
  std::string percent = "-";
  std::string disturbed = "-";
  std::string verdict{};
  Paint value_paint = Paint::none;
  Paint verdict_paint = Paint::none;
};

std::string line_of(const Values& values, const TextStyle& style) {
  return painted(to_right(values.value, value_width) + to_left(values.marks, marks_width), values.value_paint, style) +
         to_right(values.interval, interval_width) + "  " + to_left(values.unit, unit_width) + "  " +
         to_right(values.percent, percent_width) + "  " + to_right(values.disturbed, disturbed_width) + "  " +
         painted(values.verdict, values.verdict_paint, style);
}

Values values_of(const PointRecord& point) {
  Values values;
  values.verdict = verdict_text(point);
  values.verdict_paint = has_failed(point.outcome) ? Paint::bad : Paint::marked;
  const Result* result = dominant_result(point);
  if (result == nullptr) return values;
  const Estimate& headline = result->headline;
  const Scale scale = scale_of(headline.value, result->unit);
  const ShownValue text = shown(headline.value, headline.interval, scale);
  values.value = text.value;
  values.marks = marks_of(point, *result);
  if (!values.marks.empty()) values.marks.insert(0, " ");
  if (headline.interval.available()) values.interval = text.low + " .. " + text.high;
  values.unit = scale.name;
  values.percent = percent_text(headline.relative_half_width());
  values.disturbed = fixed_text(result->disturbed_share * 100, 1);
  values.verdict = verdict_text(*result);
  values.value_paint = values.marks.empty() ? Paint::none : Paint::marked;
  values.verdict_paint = result->verdict.outcome == Outcome::converged ? Paint::good : Paint::marked;
  return values;
}

Values titles() {
  return {"median", " ", "low .. high", "unit", "+-%", "disturbed %", "verdict", Paint::heading, Paint::heading};
}

}  // namespace

const std::vector<std::string>& GrowingTable::factors_of(const PointRecord& point) {
  const auto [entry, is_new] = factors_.try_emplace(point.series);
  if (is_new)
    for (const auto& level : point.point.levels()) entry->second.push_back(level.first);
  return entry->second;
}

std::vector<std::string> GrowingTable::add(const PointRecord& point) {
  const auto& factors = factors_of(point);
  auto& widths = widths_[point.series];
  if (widths.empty())
    for (const std::string& factor : factors) widths.push_back(character_count(factor));
  std::string levels;
  std::string names;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const std::string level = shown_level(point.point, factors[i]);
    widths[i] = std::max(widths[i], character_count(level));
    levels += "  " + to_left(level, widths[i]);
    names += "  " + to_left(factors[i], widths[i]);
  }
  std::vector<std::string> lines;
  if (!has_rows_ || series_ != point.series) {
    lines.push_back(painted(printable(point.series), Paint::heading, style_));
    lines.push_back(painted(names, Paint::heading, style_) + line_of(titles(), style_));
  }
  has_rows_ = true;
  series_ = point.series;
  lines.push_back(levels + line_of(values_of(point), style_));
  return lines;
}

}  // namespace assay
