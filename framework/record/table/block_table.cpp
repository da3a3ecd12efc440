// SPDX-License-Identifier: Apache-2.0
// Alignment of columns with marks.
#include "record/table/block_table.hpp"

#include <algorithm>
#include <ostream>

#include "text/utf8.hpp"

namespace assay {

namespace {

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string room(width - std::min(width, character_count(text)), ' ');
  return right ? room + text : text + room;
}

}  // namespace

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
  std::vector<std::string> lines{padded(upper_, text, right_) + behind, padded(lower_, text, right_) + behind};
  for (const MarkedText& cell : cells_)
    lines.push_back(padded(cell.text, text, right_) + padded(cell.marks, marks, false));
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
