// SPDX-License-Identifier: Apache-2.0
// Rows whose widths are guessed: what is to come is not known.
#include "record/table/growing_table.hpp"

#include <algorithm>

#include "record/grouping.hpp"
#include "record/shown_value.hpp"
#include "record/table/trust.hpp"
#include "text/printable.hpp"
#include "text/scale.hpp"
#include "text/utf8.hpp"

namespace assay {

namespace {

constexpr std::size_t value_width = 10;
constexpr std::size_t unit_width = 5;
constexpr std::size_t percent_width = 5;
constexpr std::size_t widest_name = 40;     // beyond which the column of trust does not move on
constexpr std::size_t narrowest_text = 16;  // that names and words are broken into

// One row, or the heading.
struct RowCells {
  std::string value = "-";
  std::string unit = "-";
  std::string percent = "-";
  std::string name{};
  std::string trust{};
  Paint value_paint = Paint::none;
  Paint trust_paint = Paint::none;
};

std::string front_of(const RowCells& cells, const TextStyle& style) {
  return painted(to_right(cells.value, value_width), cells.value_paint, style) + " " + to_left(cells.unit, unit_width) +
         "  " + to_right(cells.percent, percent_width) + "  ";
}
constexpr std::size_t front_width = value_width + 1 + unit_width + 2 + percent_width + 2;

RowCells cells_of(const PointRecord& point) {
  RowCells cells;
  const Result* result = dominant_result(point);
  if (result == nullptr) {
    cells.trust = trust_text(point);
    cells.trust_paint = has_failed(point.outcome) ? Paint::bad : Paint::marked;
    return cells;
  }
  const Estimate& headline = result->headline;
  const Scale scale = scale_of(headline.value, result->unit);
  cells.value = shown(headline.value, headline.interval, scale).value;
  cells.unit = scale.name;
  cells.percent = percent_text(headline.relative_half_width());
  cells.trust = trust_text(point, *result, scale, true);
  cells.value_paint = marks_of(point, *result).empty() ? Paint::none : Paint::marked;
  cells.trust_paint = result->verdict.outcome == Outcome::converged ? Paint::good : Paint::marked;
  return cells;
}

// Lines of at most so many columns; a word that is wider is broken.
std::vector<std::string> broken(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  for (const std::string& line : wrapped(text, width)) {
    std::string_view rest = line;
    for (; display_width(rest) > width; rest.remove_prefix(lines.back().size()))
      lines.emplace_back(beginning_within(rest, width));
    lines.emplace_back(rest);
  }
  return lines;
}

}  // namespace

std::string GrowingTable::name_of(const PointRecord& point) const {
  std::string name = printable(point.series);
  const auto known = factors_.find(point.series);
  for (const auto& [factor, level] : point.point.levels())
    if (known == factors_.end() || std::ranges::find(known->second, factor) != known->second.end())
      name += " " + printable(factor) + "=" + shown_level(point.point, factor);
  return name;
}

/// Name and trust beside each other where the row fits, else below each other.
std::vector<std::string> GrowingTable::lines_of(const std::string& front, const std::string& name,
                                                const std::string& trust, Paint paint) const {
  const std::size_t width = style_.width == 0 ? std::string::npos : style_.width;
  const std::string beside = to_left(name, name_width_) + "  ";
  if (width == std::string::npos || front_width + display_width(beside) + display_width(trust) <= width)
    return {front + beside + painted(trust, paint, style_)};
  const std::size_t room = std::max(width, front_width + narrowest_text) - front_width;
  const std::string indent(front_width, ' ');
  std::vector<std::string> lines;
  for (const std::string& part : broken(name, room)) lines.push_back((lines.empty() ? front : indent) + part);
  for (const std::string& part : broken(trust, room)) lines.push_back(indent + painted(part, paint, style_));
  return lines;
}

std::vector<std::string> GrowingTable::add(const PointRecord& point, std::size_t width) {
  if (width > 0) style_.width = width;
  const std::string name = name_of(point);
  name_width_ = std::max(name_width_, std::min(character_count(name), widest_name));
  std::vector<std::string> lines;
  if (!has_rows_) {
    const RowCells titles{"median", "unit", "+- %", {}, {}, Paint::heading, Paint::heading};
    lines = lines_of(front_of(titles, style_), "point", "trust", Paint::heading);
  }
  has_rows_ = true;
  const RowCells cells = cells_of(point);
  for (std::string& line : lines_of(front_of(cells, style_), name, cells.trust, cells.trust_paint))
    lines.push_back(std::move(line));
  return lines;
}

}  // namespace assay
