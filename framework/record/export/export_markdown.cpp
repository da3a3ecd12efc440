// SPDX-License-Identifier: Apache-2.0
// Tables in Markdown, as GitHub and GitLab show them.
#include <ostream>

#include "record/export/export_parts.hpp"
#include "record/export/exports.hpp"
#include "record/shown_value.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

void write_cells(std::ostream& out, const std::vector<std::string>& cells) {
  out << "| " << joined(cells, " | ") << " |\n";
}

std::vector<std::string> first_cells(const std::vector<std::string>& factors, const PointRecord& point) {
  std::vector<std::string> cells;
  for (const std::string& factor : factors) cells.push_back(markdown_cell(shown_level(point.point, factor)));
  return cells;
}

std::vector<std::string> result_cells(const std::vector<std::string>& factors, const PointRecord& point,
                                      const Result& result) {
  const Estimate& headline = result.headline;
  const Scale scale = scale_of(headline.value, result.unit);
  const ShownValue text = shown(headline.value, headline.interval, scale);
  std::vector<std::string> cells = first_cells(factors, point);
  cells.push_back(markdown_cell(result.quantity));
  cells.push_back(result.regime == Regime::solo ? "" : to_text(result.regime));
  cells.push_back(markdown_cell(text.value + ' ' + scale.name));
  cells.push_back(headline.interval.available() ? text.low + " .. " + text.high : "-");
  cells.push_back(std::to_string(result.summary.n));
  cells.push_back(markdown_cell(verdict_text(result)));
  cells.push_back(joined(mark_words(point, result)));
  return cells;
}

void write_table(std::ostream& out, const SeriesGroup& group) {
  const auto factors = factors_of(group.points);
  std::vector<std::string> titles;
  for (const std::string& factor : factors) titles.push_back(markdown_cell(factor));
  titles.insert(titles.end(), {"quantity", "regime", "median", "interval", "n", "verdict", "marks"});
  write_cells(out, titles);
  std::vector<std::string> alignment(titles.size(), "---");
  alignment[factors.size() + 2] = "---:";
  write_cells(out, alignment);
  for (const PointRecord& point : group.points) {
    for (const Result& result : point.results) write_cells(out, result_cells(factors, point, result));
    if (!point.results.empty()) continue;
    std::vector<std::string> cells = first_cells(factors, point);
    cells.insert(cells.end(), {"", "", "N/A", "-", "0", markdown_cell(verdict_text(point)), ""});
    write_cells(out, cells);
  }
}

}  // namespace

Remarks write_markdown(std::ostream& out, const ExportSource& source, const ExportOptions& /*options*/) {
  bool is_first = true;
  for (const SeriesGroup& group : group_by_series(source.records)) {
    if (group.points.empty()) continue;
    out << (is_first ? "" : "\n") << "### " << markdown_cell(group.points.front().series) << "\n\n";
    write_table(out, group);
    is_first = false;
  }
  return {};
}

}  // namespace assay
