// SPDX-License-Identifier: Apache-2.0
// Which values pictures show, and by which characters.
#include "record/table/pictures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "record/shown_value.hpp"
#include "record/table/result_columns.hpp"
#include "record/table/result_row.hpp"
#include "text/printable.hpp"

namespace assay {

namespace {

const Result* result_in(const PointRecord& point, const std::string& quantity, Regime regime) {
  const auto found = std::ranges::find_if(point.results, [&](const Result& result) {
    return result.quantity == quantity && result.regime == regime && is_shown(result);
  });
  return found == point.results.end() ? nullptr : &*found;
}

std::string subject_of(const SeriesGroup& group, const Point& point, const std::string& factor, Regime regime) {
  std::string text;
  for (const std::string& other : factors_of(group.points))
    if (other != factor && varies(other, group.points)) text += other + '=' + shown_level(point, other) + ' ';
  if (regime != Regime::solo) text += to_text(regime) + ' ';
  if (!text.empty()) text.pop_back();
  return text;
}

std::set<Regime> regimes_of(const std::vector<const PointRecord*>& points, const std::string& quantity) {
  std::set<Regime> regimes;
  for (const PointRecord* point : points)
    for (const Result& result : point->results)
      if (result.quantity == quantity && is_shown(result)) regimes.insert(result.regime);
  return regimes;
}

}  // namespace

PictureCell cell_of(const PointRecord& point, const std::string& quantity, Regime regime) {
  if (point.results.empty()) return {nullptr, no_number};
  const Result* result = result_in(point, quantity, regime);
  if (result == nullptr) return {nullptr, no_cell};
  for (const char mark : marks_of(point, *result))
    if (mark != '~') return {result, mark};
  const bool is_unsteady = !unsteady_text(*result, {}).empty();
  return {result, is_unsteady || !std::isfinite(result->headline.value) ? unsteady_cell : '\0'};
}

PictureRange::PictureRange(const std::vector<PictureCell>& cells) {
  for (const PictureCell& cell : cells) {
    if (cell.mark != 0) continue;
    const double value = cell.result->headline.value;
    if (lowest_ == nullptr || value < lowest_->headline.value) lowest_ = cell.result;
    if (highest_ == nullptr || value > highest_->headline.value) highest_ = cell.result;
  }
  is_logarithmic_ = any() && lowest_->headline.value > 0 && highest_->headline.value >= 10 * lowest_->headline.value;
}

double PictureRange::position(double value) const { return is_logarithmic_ ? std::log(value) : value; }

int PictureRange::level(double value, int levels) const {
  const double low = position(lowest_->headline.value);
  const double high = position(highest_->headline.value);
  if (!(high > low)) return levels / 2;
  return std::clamp(static_cast<int>((position(value) - low) / (high - low) * levels), 0, levels - 1);
}

std::string PictureRange::text() const {
  const Estimate& low = lowest_->headline;
  const Estimate& high = highest_->headline;
  const auto common = common_scale({low.value, high.value}, lowest_->unit);
  const Scale of_low = common ? *common : scale_of(low.value, lowest_->unit);
  const Scale of_high = common ? *common : scale_of(high.value, lowest_->unit);
  std::string text = shown(low.value, low.interval, of_low).value;
  if (of_low.name != of_high.name) text += ' ' + of_low.name;
  text += " .. " + shown(high.value, high.interval, of_high).value + ' ' + of_high.name;
  return is_logarithmic_ ? text + ", by logarithms" : text;
}

std::string character_of(const PictureCell& cell, const PictureRange& range, const TextStyle& style) {
  if (cell.mark != 0) return {cell.mark};
  constexpr std::array<const char*, 8> blocks{"\u2581", "\u2582", "\u2583", "\u2584",
                                              "\u2585", "\u2586", "\u2587", "\u2588"};
  const double value = cell.result->headline.value;
  if (style.unicode) return blocks.at(static_cast<std::size_t>(range.level(value, blocks.size())));
  return std::to_string(range.level(value, 10));
}

std::string meaning_of_cells(const std::string& used) {
  std::string text;
  const auto add = [&](char mark, const char* meaning) {
    if (used.find(mark) != used.npos) text += (text.empty() ? "" : "; ") + std::string(1, mark) + ' ' + meaning;
  };
  add(no_number, "no number");
  add(no_cell, "not measured, or in another regime");
  add(unsteady_cell, "unsteady");
  add('!', "not converged");
  add('#', "disturbed");
  add('?', "without interval");
  add('^', "CPUs moved");
  return text;
}

std::vector<PictureGroup> picture_groups(const SeriesGroup& group, const std::string& factor,
                                         const std::string& quantity) {
  std::vector<std::string> keys;
  std::map<std::string, std::vector<const PointRecord*>> by_rest;
  for (const PointRecord& point : group.points) {
    if (point.point.find(factor) == nullptr) continue;
    const std::string key = to_text(point.point.without(factor));
    auto& points = by_rest[key];
    if (points.empty()) keys.push_back(key);
    points.push_back(&point);
  }
  std::vector<PictureGroup> groups;
  for (const std::string& key : keys) {
    const auto& points = by_rest.at(key);
    for (const Regime regime : regimes_of(points, quantity))
      groups.push_back({subject_of(group, points.front()->point, factor, regime), regime, points});
  }
  return groups;
}

std::optional<std::string> pictured_quantity(const SeriesGroup& group) {
  for (const PointRecord& point : group.points)
    if (!point.results.empty()) return point.results.front().quantity;
  return std::nullopt;
}

}  // namespace assay
