// SPDX-License-Identifier: Apache-2.0
// Alignment of columns with marks.
#include "record/table/block_table.hpp"

#include <algorithm>
#include <ostream>

#include "text/utf8.hpp"

namespace assay {

bool MarkedColumn::is_blank() const {
  return std::ranges::all_of(cells_, [](const MarkedText& cell) { return cell.text.empty() || cell.text == "-"; });
}

std::vector<std::string> MarkedColumn::lines() const {
  std::size_t marks = 0;
  std::size_t text = 0;
  for (const MarkedText& cell : cells_) {
    marks = std::max(marks, cell.marks.size());
    text = std::max(text, character_count(cell.text));
  }
  text = std::max({text, character_count(upper_), character_count(lower_)});
  const std::string behind(marks, ' ');
  const auto aligned = right_ ? to_right : to_left;
  std::vector<std::string> lines{aligned(upper_, text) + behind, aligned(lower_, text) + behind};
  for (const MarkedText& cell : cells_) lines.push_back(aligned(cell.text, text) + to_left(cell.marks, marks));
  return lines;
}

void print_columns(std::ostream& out, const std::vector<MarkedColumn>& columns) {
  std::vector<std::string> lines;
  for (const MarkedColumn& column : columns) {
    if (column.is_blank()) continue;
    const auto more = column.lines();
    if (lines.empty()) {
      lines = more;
      continue;
    }
    for (std::size_t i = 0; i < lines.size(); ++i) lines[i] += "  " + more.at(i);
  }
  for (std::string& line : lines) {
    line.erase(line.find_last_not_of(' ') + 1);
    if (!line.empty()) out << line << '\n';
  }
}

}  // namespace assay
