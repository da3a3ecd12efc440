// SPDX-License-Identifier: Apache-2.0
// Averages over campaigns as text for people.
#include <algorithm>
#include <cmath>
#include <ostream>

#include "record/compare/average.hpp"
#include "record/grouping.hpp"
#include "record/shown_value.hpp"
#include "record/table/table.hpp"
#include "stats/rule/sessions.hpp"
#include "text/number_format.hpp"
#include "text/printable.hpp"
#include "text/scale.hpp"

namespace assay {
namespace {

using AverageRows = std::vector<const Average*>;

std::vector<PointRecord> averaged_points(const AverageRows& rows) {
  std::vector<PointRecord> points;
  for (const Average* row : rows) points.emplace_back().point = row->point;
  return points;
}

Scale scale_for(const Average& row) {
  double least = std::abs(row.values.front());
  for (const double value : row.values) least = std::min(least, std::abs(value));
  return scale_of(least > 0 ? least : std::abs(row.estimate.value), row.unit);
}

std::vector<std::string> cells_of(const Average& row, const std::vector<std::string>& factors) {
  const Scale scale = scale_for(row);
  const auto [least, most] = std::ranges::minmax(row.values);
  const int decimals =
      decimals_for(row.estimate.value / scale.size, half_width(row.estimate.value, row.estimate.interval) / scale.size);
  const auto text = [&](double value) { return fixed_text(value / scale.size, decimals); };
  const ShownValue value = shown(row.estimate.value, row.estimate.interval, scale);
  std::vector<std::string> cells;
  for (const std::string& factor : factors) cells.push_back(shown_level(row.point, factor));
  for (const std::string& cell : {printable(row.quantity), row.regime == Regime::solo ? "" : to_text(row.regime),
                                  value.value, value.low + " .. " + value.high, scale.name, percent_text(row.spread),
                                  text(least) + " .. " + text(most), std::to_string(row.converged)})
    cells.push_back(cell);
  return cells;
}

void print_series(std::ostream& out, const AverageRows& rows) {
  const auto points = averaged_points(rows);
  std::vector<std::string> varying;
  std::string constants;
  for (const std::string& factor : factors_of(points)) {
    if (varies(factor, points))
      varying.push_back(factor);
    else
      constants += ' ' + factor + '=' + shown_level(points.front().point, factor);
  }
  out << printable(rows.front()->series) << ": " << printable(rows.front()->measurement)
      << (constants.empty() ? "" : "\nat" + constants) << "\n\n";
  std::vector<std::string> header = varying;
  for (const char* title :
       {"quantity", "regime", "mean", "low .. high", "unit", "spread %", "least .. most", "converged"})
    header.emplace_back(title);
  TextTable table(header);
  for (const Average* row : rows) table.add(cells_of(*row, varying));
  table.print(out);
  out << '\n';
}

}  // namespace

void print_averages(std::ostream& out, const Averages& averages, std::size_t campaigns) {
  std::vector<AverageRows> series;
  for (const Average& row : averages.results) {
    const auto known =
        std::ranges::find_if(series, [&](const AverageRows& rows) { return rows.front()->series == row.series; });
    if (known == series.end())
      series.push_back({&row});
    else
      known->push_back(&row);
  }
  for (const AverageRows& rows : series) print_series(out, rows);
  if (!averages.missing.empty()) {
    out << "not averaged:\n";
    for (const NotAveraged& one : averages.missing)
      out << "  " << printable(one.series) << ' ' << printable(to_text(one.point)) << ": " << printable(one.reason)
          << '\n';
    out << '\n';
  }
  out << "mean      of " << campaigns << " campaigns' headlines, with equal weights, of their logarithms\n"
      << "low..high "
      << (campaigns < fewest_sessions ? "convex hull of the campaigns' own intervals: a spread of two is not reliable"
                                      : "95 % interval by Student's t over the logarithms")
      << "\nspread    standard deviation between campaigns, over the mean\n"
      << "converged campaigns whose own value did\n";
}

}  // namespace assay
