// SPDX-License-Identifier: Apache-2.0
// Curves in a line each.
#include <algorithm>
#include <ostream>
#include <set>

#include "record/table/pictures.hpp"
#include "text/printable.hpp"
#include "text/utf8.hpp"

namespace assay {

namespace {

constexpr std::size_t fewest_levels = 4;
constexpr std::size_t most_curves = 16;

// Factors with numbers as levels, enough of them.
std::vector<std::string> curve_factors(const SeriesGroup& group) {
  std::vector<std::string> found;
  for (const std::string& factor : factors_of(group.points)) {
    std::set<double> levels;
    for (const PointRecord& point : group.points)
      if (const Value* level = point.point.find(factor))
        if (const auto number = number_of(*level)) levels.insert(*number);
    if (levels.size() >= fewest_levels) found.push_back(factor);
  }
  return found;
}

struct Curve {
  std::string head;
  std::string line;
  std::string range;
  std::string used;
};

Curve curve_of(const PictureGroup& group, const std::string& quantity, const TextStyle& style) {
  std::vector<PictureCell> cells;
  Curve curve{group.subject, {}, {}, {}};
  for (const PointRecord* point : group.points) cells.push_back(cell_of(*point, quantity, group.regime));
  const PictureRange range(cells);
  for (const PictureCell& cell : cells) {
    curve.line += character_of(cell, range, style);
    if (cell.mark != 0) curve.used += cell.mark;
  }
  curve.range = range.any() ? range.text() : "nothing without a mark";
  return curve;
}

void print_curves_over(std::ostream& out, const SeriesGroup& group, const std::string& factor,
                       const std::string& quantity, const TextStyle& style) {
  std::vector<Curve> curves;
  std::size_t left_out = 0;
  std::size_t width = 0;
  for (const PictureGroup& one : picture_groups(group, factor, quantity)) {
    if (one.points.size() < fewest_levels) continue;
    if (curves.size() == most_curves) {
      ++left_out;
      continue;
    }
    curves.push_back(curve_of(one, quantity, style));
    width = std::max(width, character_count(curves.back().head));
  }
  if (curves.empty()) return;
  const auto& first = group.points.front().point;
  const auto& last = group.points.back().point;
  out << '\n' << printable(quantity) << " over " << factor;
  if (curves.size() == 1) out << " from " << shown_level(first, factor) << " to " << shown_level(last, factor);
  out << ", a character per level:\n";
  std::string used;
  for (const Curve& curve : curves) {
    out << "  " << to_left(curve.head, width) << (width > 0 ? "  " : "") << curve.line << "  " << curve.range << '\n';
    used += curve.used;
  }
  if (left_out > 0) out << "  and " << left_out << " more; --filter chooses among them\n";
  if (const std::string meaning = meaning_of_cells(used); !meaning.empty()) out << "  " << meaning << '\n';
}

}  // namespace

void print_curves(std::ostream& out, const SeriesGroup& group, const TextStyle& style) {
  const auto quantity = pictured_quantity(group);
  if (!quantity) return;
  for (const std::string& factor : curve_factors(group)) print_curves_over(out, group, factor, *quantity, style);
}

}  // namespace assay
