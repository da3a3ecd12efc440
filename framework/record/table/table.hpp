// SPDX-License-Identifier: Apache-2.0
// Room: results as tables and pictures for people.
// Aligned text for people.
#pragma once
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/record.hpp"
#include "record/table/layout.hpp"
#include "record/table/table_choice.hpp"

namespace assay {

/// A plain table: a header, rows of the same width (cells that are missing are empty, cells too many are dropped),
/// numbers aligned right, all made printable.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header, const TextStyle& style = {});
  /// A row, and what its cells are where that has a colour.
  void add(std::vector<std::string> row, std::vector<Paint> paints = {});
  std::size_t rows() const { return rows_.size(); }
  /// Columns separated by two spaces; a column whose cells all start like numbers or are "-" is aligned right. In a
  /// table wider than the style's lines words are broken at blanks; if that is not enough, it is printed in blocks
  /// below each other, each with the first `labels` columns.
  void print(std::ostream& out, std::size_t labels = 1) const;

 private:
  TextStyle style_;
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::vector<Paint>> paints_;  ///< of the rows
};

/// All results of a journal as tables by series: factors that vary as columns (what is the same throughout stands above
/// the table once), then quantity where there are several, median with marks, interval, unit, half-width in per cent,
/// regime where there are several members, timings, incarnations, disturbed share and verdict. A point without a number
/// has the reason as its verdict. Regimes that less than a quarter of the batches were in are counted, not shown.
/// Derived values stand after each series, curves and matrices of placements as pictures after them; a legend of the
/// marks used, notes and a count of outcomes after all of them. Foreign text is made printable.
void print_results(std::ostream& out, const std::vector<Record>& records, const TableChoice& choice = {});

/// The same of several campaigns, one after another under their names. What is asked for has to be there in one of
/// them: throws ConfigError, at `where`, before anything is printed.
void print_results(std::ostream& out, std::span<const ShownCampaign> campaigns, const TableChoice& choice,
                   const std::string& where);

/// One line about a finished point, without line end, for a growing log: the primary quantity in its dominant regime,
/// or why there is no number.
std::string one_line(const PointRecord& point);

}  // namespace assay
