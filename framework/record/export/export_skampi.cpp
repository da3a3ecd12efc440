// SPDX-License-Identifier: Apache-2.0
// Columns as SKaMPI 5 writes them: "begin result", a row per point, "end result".
#include <cmath>
#include <ostream>

#include "base/escape.hpp"
#include "base/value.hpp"
#include "record/export/export_parts.hpp"
#include "record/export/exports.hpp"
#include "record/shown_value.hpp"
#include "text/printable.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

constexpr double ns_per_us = 1000;

// A word between blanks: what is none is put in quotes, without a blank in it.
std::string word(const std::string& text) {
  std::string made = in_quotes(text);
  for (auto at = made.find(' '); at != made.npos; at = made.find(' ', at)) made.replace(at, 1, "\\x20");
  return made;
}

std::string level_text(const Value& level) {
  const std::string text = to_text(level);
  return text.starts_with('"') ? word(std::get<std::string>(level)) : text;
}

std::string factors_text(const PointRecord& point) {
  std::string text;
  for (const auto& [factor, level] : point.point.levels())
    text += (text.empty() ? "" : " ") + factor + "= " + level_text(level);
  return text;
}

std::string number(double value, Unit unit) {
  return std::isfinite(value) ? to_text(unit == Unit::nanoseconds ? value / ns_per_us : value) : "nan";
}

// A block has one quantity in one regime, so that its columns are of one kind.
struct SkampiBlock {
  std::string quantity;
  Unit unit;
  Regime regime;
};

bool is_in(const SkampiBlock& block, const Result& result) {
  return block.quantity == result.quantity && block.regime == result.regime;
}

std::vector<SkampiBlock> blocks_of(const SeriesGroup& group) {
  std::vector<SkampiBlock> blocks;
  for (const PointRecord& point : group.points)
    for (const Result& result : point.results) {
      bool known = false;
      for (const SkampiBlock& block : blocks) known = known || is_in(block, result);
      if (!known) blocks.push_back({result.quantity, result.unit, result.regime});
    }
  return blocks;
}

void write_row(std::ostream& out, const PointRecord& point, const Result& result) {
  const Summary& summary = result.summary;
  const Interval& interval = result.headline.interval;
  const double none = std::nan("");
  out << factors_text(point);
  for (const double value : {summary.mean, summary.standard_error}) out << ' ' << number(value, result.unit);
  out << ' ' << summary.n;
  for (const double value : {result.headline.value, interval.available() ? interval.low : none,
                             interval.available() ? interval.high : none, summary.min, summary.max})
    out << ' ' << number(value, result.unit);
  const auto marks = mark_words(point, result);
  if (!marks.empty()) out << "  # marked: " << joined(marks, ", ") << "; " << printable(verdict_text(result));
  out << '\n';
}

void write_block(std::ostream& out, const SeriesGroup& group, const SkampiBlock& block) {
  const std::string unit = block.unit == Unit::nanoseconds ? "us" : symbol(block.unit);
  std::string name = group.series.series + '-' + block.quantity;
  if (block.regime != Regime::solo) name += '-' + to_text(block.regime);
  out << "begin result " << word(name) << '\n'
      << "# factors, then in " << unit << ": mean, standard error; number of timings; in " << unit
      << ": median, low, high, least, largest\n";
  for (const PointRecord& point : group.points)
    for (const Result& result : point.results)
      if (is_in(block, result)) write_row(out, point, result);
  out << "end result " << word(name) << '\n';
}

}  // namespace

Remarks write_skampi(std::ostream& out, const ExportSource& source, const ExportOptions& /*options*/) {
  out << "# Results of Assay in columns as SKaMPI 5 has them\n";
  for (const SeriesGroup& group : group_by_series(source.records)) {
    if (group.series.series.empty()) continue;
    out << "\n# " << printable(group.series.series) << ": " << printable(group.series.measurement) << ", until "
        << printable(group.series.rule) << '\n';
    for (const PointRecord& point : group.points)
      if (point.results.empty()) out << "# no number: " << factors_text(point) << ' ' << verdict_text(point) << '\n';
    for (const SkampiBlock& block : blocks_of(group)) write_block(out, group, block);
  }
  return {};
}

}  // namespace assay
