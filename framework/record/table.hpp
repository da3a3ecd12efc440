// SPDX-License-Identifier: Apache-2.0
// Aligned text for people.
#pragma once
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/record.hpp"

namespace assay {

/// A plain table: a header, rows of the same width (cells that are missing are empty, cells too many are dropped),
/// numbers aligned right, all made printable.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header);
  void add(std::vector<std::string> row);
  std::size_t rows() const { return rows_.size(); }
  /// Columns separated by two spaces; a column whose cells all start like numbers or are "-" is aligned right.
  void print(std::ostream& out) const;

 private:
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
};

/// All results of a journal as tables by series: factors that vary as columns (what is the same throughout stands above
/// the table once), then quantity where there are several, median with marks, interval, unit, half-width in per cent,
/// regime where there are several members, timings, incarnations, disturbed share and verdict. A point without a number
/// has the reason as its verdict. Regimes that less than a quarter of the batches were in are counted, not shown.
/// Derived values stand after each series; a legend of the marks used, notes and a count of outcomes after all of them.
/// Foreign text is made printable.
void print_results(std::ostream& out, const std::vector<Record>& records);

/// One line about a finished point, without line end, for a growing log: the primary quantity in its dominant regime,
/// or why there is no number.
std::string one_line(const PointRecord& point);

}  // namespace assay
