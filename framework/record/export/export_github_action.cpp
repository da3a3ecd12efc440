// SPDX-License-Identifier: Apache-2.0
// Rows of github-action-benchmark: values that are all better one way.
#include <algorithm>
#include <cmath>
#include <ostream>

#include "base/error.hpp"
#include "base/value.hpp"
#include "record/export/export_parts.hpp"
#include "record/export/exports.hpp"
#include "record/shown_value.hpp"
#include "text/number_format.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

using Members = Json::Object;

// Where the format's reader expects it: the number of the interval's larger half behind a sign.
std::string range_of(const Estimate& headline) { return "± " + to_text(half_width(headline.value, headline.interval)); }

std::string extra_of(const NumberedResult& row) {
  const Result& result = *row.result;
  std::string text = "verdict: " + verdict_text(result) + "\nn: " + std::to_string(result.summary.n) +
                     "\nprocesses: " + std::to_string(result.incarnations);
  if (const auto marks = mark_words(*row.point, result); !marks.empty()) text += "\nmarks: " + joined(marks, ", ");
  if (row.point->simulated) text += "\nsimulated time";
  return text;
}

// One direction of those there are; what has neither cannot be watched.
Better direction_in(const std::vector<NumberedResult>& rows) {
  const auto has = [&](Better direction) {
    return std::ranges::any_of(rows,
                               [&](const NumberedResult& row) { return direction_of(row.result->unit) == direction; });
  };
  const bool both = has(Better::smaller) && has(Better::bigger);
  if (both)
    throw ConfigError(Problem{{"assay export"},
                              "there are times and rates, and a file of github-action-benchmark has one direction",
                              "smaller is better for times, bigger for rates",
                              "write two files, one with --direction smaller, one with --direction bigger"});
  return has(Better::bigger) ? Better::bigger : Better::smaller;
}

}  // namespace

Remarks write_github_action(std::ostream& out, const ExportSource& source, const ExportOptions& options) {
  const auto groups = group_by_series(source.records);
  const NumberedResults found = numbered_results(groups);
  const Better direction = options.direction != Better::unknown ? options.direction : direction_in(found.rows);
  std::size_t other = 0;
  std::size_t unknown = 0;
  bool first = true;
  out << '[';
  for (const NumberedResult& row : found.rows) {
    const Result& result = *row.result;
    const Better own = direction_of(result.unit);
    if (own != direction) {
      ++(own == Better::unknown ? unknown : other);
      continue;
    }
    Members entry{{"name", result_name(*row.group, *row.point, result)},
                  {"value", result.headline.value},
                  {"unit", symbol(result.unit)}};
    if (std::isfinite(half_width(result.headline.value, result.headline.interval)))
      entry.emplace_back("range", range_of(result.headline));
    entry.emplace_back("extra", extra_of(row));
    out << (first ? "\n" : ",\n") << to_text(entry);
    first = false;
  }
  out << "\n]\n";
  Remarks remarks;
  if (other > 0) remarks.push_back(counted(other, "result") + " of the other direction left out");
  if (unknown > 0)
    remarks.push_back(counted(unknown, "result") + " left out: counts, bytes and ratios have no better direction");
  tell_numberless(remarks, found.numberless);
  return remarks;
}

}  // namespace assay
