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

namespace {

using Lines = std::vector<std::string>;

/// Columns that stay together: a column without a header belongs to the one before it.
struct Group {
  Lines lines;
  std::size_t width = 0;
};

void append(Lines& to, const Lines& more) {
  if (to.empty()) {
    to = more;
    return;
  }
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += "  " + more.at(i);
}

std::vector<Group> groups_of(const std::vector<MarkedColumn>& columns, std::size_t labels) {
  std::vector<Group> groups;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].is_blank()) continue;
    const bool is_label = c < labels;
    if (groups.empty() || (!is_label && !columns[c].is_headless())) groups.emplace_back();
    append(groups.back().lines, columns[c].lines());
    groups.back().width = character_count(groups.back().lines.front());
  }
  return groups;
}

void print_block(std::ostream& out, Lines lines) {
  for (std::string& line : lines) {
    line.erase(line.find_last_not_of(' ') + 1);
    if (!line.empty()) out << line << '\n';
  }
}

}  // namespace

void print_columns(std::ostream& out, const std::vector<MarkedColumn>& columns, std::size_t labels) {
  const std::vector<Group> groups = groups_of(columns, labels);
  if (groups.empty()) return;
  Lines block = groups.front().lines;
  std::size_t width = groups.front().width;
  bool is_begun = false;
  for (std::size_t i = 1; i < groups.size(); ++i) {
    if (is_begun && width + 2 + groups[i].width > widest_table) {
      print_block(out, std::move(block));
      out << '\n';
      block = groups.front().lines;
      width = groups.front().width;
    }
    append(block, groups[i].lines);
    width += 2 + groups[i].width;
    is_begun = true;
  }
  print_block(out, std::move(block));
}

}  // namespace assay
