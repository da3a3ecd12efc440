// SPDX-License-Identifier: Apache-2.0
// A row of the CSV files in which Apache Otava (formerly Hunter) looks for changes.
#include <ostream>
#include <set>

#include "base/value.hpp"
#include "record/export/export_parts.hpp"
#include "record/export/exports.hpp"
#include "text/number_format.hpp"
#include "text/printable.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

// Columns before those of results: its time column, and attributes.
const std::vector<std::string> leading_columns{"time", "host", "version", "marks"};

std::vector<std::string> leading_cells(const std::vector<Record>& records, const std::string& marks) {
  std::vector<std::string> cells(leading_columns.size());
  for (const Record& record : records)
    if (const auto* session = std::get_if<SessionRecord>(&record))
      cells = {session->started, fact_of(session->facts, "host.name"), fact_of(session->facts, "assay.version"), {}};
  cells.back() = marks;
  return cells;
}

std::string otava_line(const std::vector<std::string>& cells, CsvStyle style) {
  std::vector<std::string> texts;
  for (const std::string& cell : cells) texts.push_back(csv_text(printable(cell), style));
  return joined(texts, ",") + '\n';
}

}  // namespace

Remarks write_otava(std::ostream& out, const ExportSource& source, const ExportOptions& options) {
  const auto groups = group_by_series(source.records);
  const NumberedResults found = numbered_results(groups);
  std::vector<std::string> header = leading_columns;
  std::set<std::string> taken(header.begin(), header.end());
  std::vector<std::string> numbers;
  std::vector<std::string> marked;
  for (const NumberedResult& row : found.rows) {
    const std::string name = result_name(*row.group, *row.point, *row.result);
    const std::string column = name + " (" + symbol(row.result->unit) + ')';
    if (!taken.insert(column).second) continue;
    header.push_back(column);
    numbers.push_back(to_text(row.result->headline.value));
    if (const auto marks = mark_words(*row.point, *row.result); !marks.empty())
      marked.push_back(name + ": " + joined(marks, " "));
  }
  std::string line = otava_line(leading_cells(source.records, joined(marked, "; ")), options.style);
  line.pop_back();
  for (const std::string& number : numbers) line += ',' + number;
  out << otava_line(header, options.style) << line << '\n';
  Remarks remarks;
  if (numbers.size() < found.rows.size())
    remarks.push_back(counted(found.rows.size() - numbers.size(), "result") + " left out: another has the same name");
  tell_numberless(remarks, found.numberless);
  return remarks;
}

}  // namespace assay
