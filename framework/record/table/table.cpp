// SPDX-License-Identifier: Apache-2.0
// Alignment of plain tables.
#include "record/table/table.hpp"

#include <algorithm>
#include <ostream>
#include <vector>

#include "text/printable.hpp"
#include "text/utf8.hpp"

namespace assay {

namespace {

struct Column {
  std::size_t width = 0;
  std::size_t least = 0;  // that its words can be broken into
  bool right = false;
};

bool is_blank(std::string_view cell) { return cell.find_first_not_of(" -") == cell.npos; }

bool starts_like_number(std::string_view cell) {
  const auto first = cell.find_first_not_of(" ~<");
  if (first == cell.npos) return false;
  cell.remove_prefix(first);
  if (cell.size() > 1 && (cell.front() == '-' || cell.front() == '+')) cell.remove_prefix(1);
  return cell.front() >= '0' && cell.front() <= '9';
}

Column column_of(const std::string& title, const std::vector<std::vector<std::string>>& rows, std::size_t index) {
  Column column{character_count(title), false};
  bool numbers_only = true;
  for (const auto& row : rows) {
    const std::string& cell = row[index];
    column.width = std::max(column.width, character_count(cell));
    column.right = column.right || starts_like_number(cell);
    numbers_only = numbers_only && (is_blank(cell) || starts_like_number(cell));
  }
  column.right = column.right && numbers_only;
  return column;
}

constexpr std::size_t least_room_for_words = 16;

std::size_t longest_word(std::string_view text) {
  std::size_t longest = 0;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    longest = std::max(longest, character_count(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return longest;
}

// Words can be broken at blanks; numbers are never broken.
std::size_t least_width(const Column& column, const std::string& title,
                        const std::vector<std::vector<std::string>>& rows, std::size_t index) {
  if (column.right) return column.width;
  std::size_t least = std::max(character_count(title), least_room_for_words);
  for (const auto& row : rows) least = std::max(least, longest_word(row[index]));
  return std::min(least, column.width);
}

// The widest of the columns `which` become narrower until they fit lines of `width` characters, or none can.
void narrow(std::vector<Column>& columns, const std::vector<std::size_t>& which, std::size_t width) {
  std::size_t total = 0;
  for (const std::size_t i : which) total += columns[i].width + (total == 0 ? 0 : 2);
  for (; total > width; --total) {
    Column* widest = nullptr;
    for (const std::size_t i : which)
      if (columns[i].width > columns[i].least && (widest == nullptr || columns[i].width > widest->width))
        widest = &columns[i];
    if (widest == nullptr) return;
    --widest->width;
  }
}

std::string aligned(const std::string& cell, const Column& column, Paint paint, const TextStyle& style) {
  const std::size_t size = character_count(cell);
  const std::string padding(column.width > size ? column.width - size : 0, ' ');
  return column.right ? padding + painted(cell, paint, style) : painted(cell, paint, style) + padding;
}

// The columns `which` of a row; what is broken goes on in lines of its own.
void print_row(std::ostream& out, const std::vector<std::string>& row, const std::vector<Column>& columns,
               const std::vector<std::size_t>& which, const std::vector<Paint>& paints, const TextStyle& style) {
  std::vector<std::vector<std::string>> cells;
  std::size_t lines = 1;
  for (const std::size_t i : which) {
    const bool is_broken = character_count(row[i]) > columns[i].width;
    cells.push_back(is_broken ? wrapped(row[i], columns[i].width) : std::vector<std::string>{row[i]});
    lines = std::max(lines, cells.back().size());
  }
  for (std::size_t k = 0; k < lines; ++k) {
    std::string line;
    for (std::size_t c = 0; c < which.size(); ++c) {
      const std::size_t i = which[c];
      const Paint paint = i < paints.size() ? paints[i] : Paint::none;
      line += (c == 0 ? "" : "  ") + aligned(k < cells[c].size() ? cells[c][k] : "", columns[i], paint, style);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  }
}

// The columns of each block: the labels, and as many others as there is room for.
std::vector<std::vector<std::size_t>> blocks_of(const std::vector<Column>& columns, std::size_t labels,
                                                std::size_t width) {
  std::vector<std::size_t> first;
  std::size_t of_labels = 0;
  for (std::size_t i = 0; i < std::min(labels, columns.size()); ++i) {
    first.push_back(i);
    of_labels += columns[i].least + 2;
  }
  std::vector<std::vector<std::size_t>> blocks{first};
  std::size_t taken = of_labels;
  for (std::size_t i = first.size(); i < columns.size(); ++i) {
    const bool is_full = width > 0 && taken + columns[i].least > width && blocks.back().size() > first.size();
    if (is_full) {
      blocks.push_back(first);
      taken = of_labels;
    }
    blocks.back().push_back(i);
    taken += columns[i].least + 2;
  }
  return blocks;
}

}  // namespace

TextTable::TextTable(std::vector<std::string> header, const TextStyle& style)
    : style_(style), header_(std::move(header)) {
  for (std::string& cell : header_) cell = printable(cell);
}

void TextTable::add(std::vector<std::string> row, std::vector<Paint> paints) {
  row.resize(header_.size());
  for (std::string& cell : row) cell = printable(cell);
  rows_.push_back(std::move(row));
  paints_.push_back(std::move(paints));
}

void TextTable::print(std::ostream& out, std::size_t labels) const {
  std::vector<Column> columns;
  for (std::size_t i = 0; i < header_.size(); ++i) {
    columns.push_back(column_of(header_[i], rows_, i));
    columns.back().least = least_width(columns.back(), header_[i], rows_, i);
  }
  const std::vector<Paint> of_header(header_.size(), Paint::heading);
  bool is_first = true;
  for (const auto& block : blocks_of(columns, labels, style_.width)) {
    if (!is_first) out << '\n';
    is_first = false;
    std::vector<Column> fitting = columns;
    if (style_.width > 0) narrow(fitting, block, style_.width);
    print_row(out, header_, fitting, block, of_header, style_);
    for (std::size_t i = 0; i < rows_.size(); ++i) print_row(out, rows_[i], fitting, block, paints_[i], style_);
  }
}

}  // namespace assay
