// SPDX-License-Identifier: Apache-2.0
// A script for gnuplot that holds what it draws: values against the factor with most levels, a curve for each
// combination of the others.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <ostream>
#include <set>

#include "base/value.hpp"
#include "record/export/export_parts.hpp"
#include "record/export/exports.hpp"
#include "record/shown_value.hpp"
#include "record/table/result_row.hpp"
#include "text/number_format.hpp"
#include "text/printable.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

// A text in single quotes, in which gnuplot expands nothing. Backquotes are shown as \x60 all the same, and an angle
// behind brackets as \x3e: gnuplot writes it to SVG as it is, where XML has no place for it.
std::string gnuplot_text(const std::string& text) {
  std::string made = "'";
  for (const char letter : printable(text)) {
    if (letter == '\'')
      made += "''";
    else if (letter == '`')
      made += "\\x60";
    else if (letter == '>' && made.ends_with("]]"))
      made += "\\x3e";
    else
      made += letter;
  }
  return made + '\'';
}

// One value to draw.
struct Dot {
  double x = 0;
  const PointRecord* point = nullptr;
  const Result* result = nullptr;
};

// The picture of a series.
struct Picture {
  std::string factor;               // along the abscissa; empty: one value per curve
  bool is_numeric = true;           // else levels stand at 1, 2, 3...
  bool is_geometric = false;        // numbers over more than a factor of 16
  std::vector<std::string> levels;  // of words, in order
  std::vector<std::string> others;  // factors whose levels distinguish the curves
  std::map<std::string, std::vector<Dot>> curves;
  std::size_t numberless = 0;
  std::size_t marked = 0;
};

std::set<double> numbers_of(const SeriesGroup& group, const std::string& factor) {
  std::set<double> numbers;
  for (const PointRecord& point : group.points) {
    const Value* level = point.point.find(factor);
    const auto number = level != nullptr ? number_of(*level) : std::nullopt;
    if (!number || !std::isfinite(*number)) return {};
    numbers.insert(*number);
  }
  return numbers;
}

void choose_abscissa(Picture& picture, const SeriesGroup& group) {
  std::size_t most = 1;
  for (const std::string& factor : factors_of(group.points)) {
    const auto numbers = numbers_of(group, factor);
    if (numbers.size() <= most) continue;
    most = numbers.size();
    picture.factor = factor;
    picture.is_geometric = *numbers.begin() > 0 && *numbers.rbegin() / *numbers.begin() > 16;
  }
  if (!picture.factor.empty()) return;
  picture.is_numeric = false;
  for (const std::string& factor : factors_of(group.points)) {
    std::vector<std::string> levels;
    for (const PointRecord& point : group.points) {
      const std::string level = shown_level(point.point, factor);
      if (std::ranges::find(levels, level) == levels.end()) levels.push_back(level);
    }
    if (levels.size() <= std::max<std::size_t>(1, picture.levels.size())) continue;
    picture.factor = factor;
    picture.levels = std::move(levels);
  }
}

double abscissa_of(const Picture& picture, const PointRecord& point) {
  if (picture.factor.empty()) return 1;
  if (picture.is_numeric) return *number_of(*point.point.find(picture.factor));
  const auto found = std::ranges::find(picture.levels, shown_level(point.point, picture.factor));
  return static_cast<double>(found - picture.levels.begin()) + 1;
}

// The levels that distinguish a curve from the others.
std::string curve_name(const Picture& picture, const PointRecord& point, Regime regime) {
  std::string name;
  for (const std::string& factor : picture.others) name += (name.empty() ? "" : " ") + shown_level(point.point, factor);
  if (regime != Regime::solo) name += (name.empty() ? "" : " ") + to_text(regime);
  return name;
}

Picture picture_of(const SeriesGroup& group, const std::string& quantity) {
  Picture picture;
  choose_abscissa(picture, group);
  for (const std::string& factor : factors_of(group.points))
    if (factor != picture.factor && varies(factor, group.points)) picture.others.push_back(factor);
  for (const PointRecord& point : group.points) {
    bool drawn = false;
    for (const Result& result : point.results) {
      if (result.quantity != quantity || !has_number(result)) continue;
      drawn = true;
      if (!mark_words(point, result).empty()) ++picture.marked;
      picture.curves[curve_name(picture, point, result.regime)].push_back(
          {abscissa_of(picture, point), &point, &result});
    }
    if (!drawn) ++picture.numberless;
  }
  return picture;
}

// Numbers only: no foreign text stands where gnuplot reads data.
void write_data(std::ostream& out, const std::string& name, const std::vector<Dot>& dots, bool marked, double size) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  out << '$' << name << " << EOD\n# abscissa median low high\n";
  for (const Dot& dot : dots) {
    if (mark_words(*dot.point, *dot.result).empty() == marked) continue;
    const Estimate& headline = dot.result->headline;
    const bool has = headline.interval.available();
    out << to_text(dot.x);
    for (const double value :
         {headline.value, has ? headline.interval.low : headline.value, has ? headline.interval.high : headline.value})
      out << ' ' << to_text(std::isfinite(value) ? value / size : none);
    out << '\n';
  }
  out << "EOD\n";
}

// Without a single value gnuplot would refuse the range.
bool has_some(const std::vector<Dot>& dots, bool marked) {
  return std::ranges::any_of(dots,
                             [&](const Dot& dot) { return mark_words(*dot.point, *dot.result).empty() != marked; });
}

void write_axes(std::ostream& out, const Picture& picture, const std::string& unit) {
  out << "unset logscale\nset xtics auto\nset xlabel " << gnuplot_text(picture.factor) << "\nset ylabel "
      << gnuplot_text(unit) << '\n';
  if (picture.is_geometric) out << "set logscale x 2\n";
  if (picture.is_numeric) {
    out << "set autoscale x\nset offsets graph 0.05, graph 0.05, graph 0.05, graph 0.05\n";
    return;
  }
  out << "set offsets 0, 0, graph 0.05, graph 0.05\nset xrange [0.5:" << std::max<std::size_t>(1, picture.levels.size())
      << ".5]\nset xtics (";
  for (std::size_t i = 0; i < picture.levels.size(); ++i)
    out << (i > 0 ? ", " : "") << gnuplot_text(picture.levels[i]) << ' ' << i + 1;
  out << ")\n";
}

std::string title_of(const SeriesGroup& group, const std::string& quantity, const Picture& picture) {
  std::string title = group.series.series + ": " + quantity + " (median with its interval)";
  if (picture.marked > 0) title += "; " + std::to_string(picture.marked) + " marked, hollow";
  if (picture.numberless > 0) title += "; " + counted(picture.numberless, "point") + " without a number";
  return title;
}

void write_plots(std::ostream& out, const Picture& picture, std::size_t index) {
  std::vector<std::string> plots;
  std::size_t curve = 0;
  for (const auto& [name, dots] : picture.curves) {
    const std::string data = "$s" + std::to_string(index) + "c" + std::to_string(++curve);
    const std::string color = " lc " + std::to_string(curve);
    const bool clean = has_some(dots, false);
    if (clean && picture.is_numeric) plots.push_back(data + " using 1:2 with lines" + color + " notitle");
    if (clean)
      plots.push_back(data + " using 1:2:3:4 with yerrorbars pt 7 ps 0.6" + color + " title " + gnuplot_text(name));
    if (has_some(dots, true))
      plots.push_back(data + "m using 1:2:3:4 with yerrorbars pt 6 ps 0.9" + color + " title " +
                      gnuplot_text(name + (name.empty() ? "marked" : " (marked)")));
  }
  out << "plot " << joined(plots, ", \\\n     ") << '\n';
}

void write_numberless(std::ostream& out, const SeriesGroup& group) {
  for (const PointRecord& point : group.points)
    if (point.results.empty())
      out << "# no number: " << gnuplot_text(point_name(point) + " " + verdict_text(point)) << '\n';
}

// True where there was something to draw.
struct Drawn {
  const SeriesGroup* group;
  std::string quantity;
  Picture picture;
  Scale scale;
};

std::vector<Drawn> drawn_of(const std::vector<SeriesGroup>& groups) {
  std::vector<Drawn> all;
  for (const SeriesGroup& group : groups) {
    if (group.points.empty() || group.series.quantities.empty()) continue;
    const std::string& quantity = group.series.quantities.front().name;
    Picture picture = picture_of(group, quantity);
    if (picture.curves.empty()) continue;
    const Result& first = *picture.curves.begin()->second.front().result;
    const Scale scale = scale_in(column_scales(group), first);
    all.push_back({&group, quantity, std::move(picture), scale});
  }
  return all;
}

}  // namespace

Remarks write_gnuplot(std::ostream& out, const ExportSource& source, const ExportOptions& /*options*/) {
  const auto groups = group_by_series(source.records);
  const auto all = drawn_of(groups);
  out << "# Results of Assay. As SVG: gnuplot FILE > PICTURE.svg\n"
         "# As PNG: gnuplot -e \"format = 'png'\" FILE > PICTURE.png\n";
  for (const SeriesGroup& group : groups) write_numberless(out, group);
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::size_t curve = 0;
    for (const auto& [name, dots] : all[i].picture.curves) {
      const std::string data = "s" + std::to_string(i) + "c" + std::to_string(++curve);
      write_data(out, data, dots, false, all[i].scale.size);
      write_data(out, data + 'm', dots, true, all[i].scale.size);
    }
  }
  const std::string height = std::to_string(std::max<std::size_t>(1, all.size()) * 400);
  out << "if (!exists(\"format\")) format = 'svg'\n"
      << "if (format eq 'png') set terminal pngcairo noenhanced size 900," << height
      << "; else set terminal svg noenhanced size 900," << height << "\n"
      << "set key outside right noenhanced\nset grid\n";
  if (!all.empty()) out << "set multiplot layout " << all.size() << ",1\n";
  for (std::size_t i = 0; i < all.size(); ++i) {
    out << "set title " << gnuplot_text(title_of(*all[i].group, all[i].quantity, all[i].picture)) << '\n';
    write_axes(out, all[i].picture, all[i].scale.name);
    write_plots(out, all[i].picture, i);
  }
  if (!all.empty()) out << "unset multiplot\n";
  const auto series =
      std::ranges::count_if(groups, [](const SeriesGroup& group) { return !group.series.series.empty(); });
  const auto left_out = series - static_cast<std::ptrdiff_t>(all.size());
  if (left_out == 0) return {};
  return {std::to_string(left_out) + " series without a number of their first quantity are not drawn"};
}

}  // namespace assay
