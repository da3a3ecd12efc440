// SPDX-License-Identifier: Apache-2.0
// The text format of OpenMetrics 1.0: https://prometheus.io/docs/specs/om/open_metrics_spec/.
#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>
#include <set>

#include "base/value.hpp"
#include "record/export/export_parts.hpp"
#include "record/export/exports.hpp"
#include "text/printable.hpp"

namespace assay {

namespace {

constexpr double ns_per_second = 1e9;

// A unit as base unit of the format. A family's name ends in it; a plain number has none.
struct MetricUnit {
  Unit unit;
  const char* name;
  double per_base;  ///< how many make a base unit: dividing rounds once
};
constexpr std::array<MetricUnit, 6> metric_units{{{Unit::nanoseconds, "seconds", ns_per_second},
                                                  {Unit::bytes, "bytes", 1},
                                                  {Unit::bytes_per_second, "bytes_per_second", 1},
                                                  {Unit::per_second, "hertz", 1},
                                                  {Unit::ratio, "ratio", 1},
                                                  {Unit::count, "", 1}}};

// A family per number of a result.
struct MetricNumber {
  const char* name;
  const char* help;
  double (*of)(const Estimate& headline);
  bool is_end = false;  ///< of an interval, which there may be none of
};
const std::array<MetricNumber, 3> metric_numbers{
    {{"assay_median", "Median of clean batches per event.", [](const Estimate& e) { return e.value; }},
     {"assay_low", "Lower end of the interval of the median.", [](const Estimate& e) { return e.interval.low; }, true},
     {"assay_high", "Upper end of the interval of the median.", [](const Estimate& e) { return e.interval.high; },
      true}}};

constexpr std::array<const char*, 5> mark_states{"not-converged", "short-term", "noisy", "no-interval", "cpus-moved"};
constexpr const char* marks_family = "assay_marks";

std::string label_value(const std::string& text) {
  std::string value = "\"";
  for (const char letter : printable(text)) {
    if (letter == '"' || letter == '\\') value += '\\';
    value += letter;
  }
  return value + '"';
}

bool is_label_digit(char letter) { return letter >= '0' && letter <= '9'; }

bool is_label_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || is_label_digit(letter);
}

// Letters, digits and underscores, no digit first; what is taken or reserved gets a prefix.
std::string label_name(const std::string& factor, std::set<std::string>& taken) {
  std::string name = factor;
  std::ranges::replace_if(
      name, [](char letter) { return !is_label_letter(letter); }, '_');
  const bool is_reserved = name == "le" || name == "quantile" || name.starts_with("__");
  if (name.empty() || is_label_digit(name.front()) || is_reserved) name.insert(0, "factor_");
  while (!taken.insert(name).second) name.insert(0, "factor_");
  return name;
}

// Without braces, so that a state can follow.
std::string labels_of(const NumberedResult& row) {
  std::set<std::string> taken{"series", "measurement", "quantity", "regime", marks_family};
  std::string labels =
      "series=" + label_value(row.point->series) + ",measurement=" + label_value(row.point->measurement) +
      ",quantity=" + label_value(row.result->quantity) + ",regime=\"" + to_text(row.result->regime) + '"';
  for (const auto& level : row.point->point.levels())
    labels += ',' + label_name(level.first, taken) + '=' + label_value(row.point->point.text(level.first));
  return labels;
}

void write_family(std::ostream& out, const MetricNumber& number, const MetricUnit& unit,
                  const std::vector<NumberedResult>& rows) {
  const std::string name = number.name + (*unit.name == '\0' ? std::string() : std::string("_") + unit.name);
  bool is_first = true;
  for (const NumberedResult& row : rows) {
    const Estimate& headline = row.result->headline;
    if (row.result->unit != unit.unit || (number.is_end && !headline.interval.available())) continue;
    const double value = number.of(headline) / unit.per_base;
    if (!std::isfinite(value)) continue;
    if (is_first) {
      out << "# TYPE " << name << " gauge\n";
      if (*unit.name != '\0') out << "# UNIT " << name << ' ' << unit.name << '\n';
      out << "# HELP " << name << ' ' << number.help << '\n';
    }
    is_first = false;
    out << name << '{' << labels_of(row) << "} " << to_text(value) << '\n';
  }
}

void write_marks(std::ostream& out, const std::vector<NumberedResult>& rows) {
  out << "# TYPE " << marks_family << " stateset\n"
      << "# HELP " << marks_family << " Reasons why a result is not to be taken at its word.\n";
  for (const NumberedResult& row : rows) {
    const auto marks = mark_words(*row.point, *row.result);
    const std::set<std::string> set(marks.begin(), marks.end());
    for (const char* state : mark_states)
      out << marks_family << '{' << labels_of(row) << ',' << marks_family << "=\"" << state << "\"} "
          << (set.contains(state) ? 1 : 0) << '\n';
  }
}

}  // namespace

Remarks write_openmetrics(std::ostream& out, const ExportSource& source, const ExportOptions& /*options*/) {
  const auto groups = group_by_series(source.records);
  const NumberedResults found = numbered_results(groups);
  for (const MetricNumber& number : metric_numbers)
    for (const MetricUnit& unit : metric_units) write_family(out, number, unit, found.rows);
  if (!found.rows.empty()) write_marks(out, found.rows);
  out << "# EOF\n";
  Remarks remarks;
  tell_numberless(remarks, found.numberless);
  return remarks;
}

}  // namespace assay
