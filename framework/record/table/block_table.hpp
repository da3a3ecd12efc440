// SPDX-License-Identifier: Apache-2.0
// Tables of numbers with marks, under headers of two lines.
#pragma once
#include <cstddef>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace assay {

/// A number, a code or a word, and the marks behind it.
struct MarkedText {
  std::string text;
  std::string marks{};
};

/// A column: two lines of header, and a cell per row. Numbers are aligned right, marks stand behind them.
class MarkedColumn {
 public:
  MarkedColumn(std::string upper, std::string lower, bool right = true)
      : upper_(std::move(upper)), lower_(std::move(lower)), right_(right) {}
  void add(MarkedText cell) { cells_.push_back(std::move(cell)); }
  /// True when every cell is "-" or empty: there is nothing to show.
  bool is_blank() const;
  bool is_headless() const { return upper_.empty() && lower_.empty(); }
  /// Header lines and cells, all of one width.
  std::vector<std::string> lines() const;

 private:
  std::string upper_;
  std::string lower_;
  bool right_;
  std::vector<MarkedText> cells_;
};

/// Characters of a line that a screen and a page have room for.
inline constexpr std::size_t widest_table = 120;

/// Prints the columns that have something to show, two spaces apart. All have the same number of rows. A table wider
/// than `widest_table` is printed in blocks below each other, each with the first `labels` columns; a column without a
/// header stays with the one before it.
void print_columns(std::ostream& out, const std::vector<MarkedColumn>& columns, std::size_t labels = 1);

}  // namespace assay
