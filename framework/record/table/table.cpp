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

constexpr std::size_t least_room_for_words = 24;

// Of a line of `width` characters what the first `count` columns leave.
std::size_t room_beside(const std::vector<Column>& columns, std::size_t count, std::size_t width) {
  std::size_t taken = 0;
  for (std::size_t i = 0; i < count; ++i) taken += columns[i].width + 2;
  return width > taken ? width - taken : 0;
}

// Words in the last column are broken into the room that the others leave of a line, or the labels where that is next
// to nothing.
void fit_last(std::vector<Column>& columns, std::size_t labels, std::size_t width) {
  if (width == 0 || columns.size() < 2 || columns.back().right) return;
  std::size_t room = room_beside(columns, columns.size() - 1, width);
  if (room < least_room_for_words) room = room_beside(columns, std::min(labels, columns.size() - 1), width);
  columns.back().width = std::min(columns.back().width, std::max(room, least_room_for_words));
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
    of_labels += columns[i].width + 2;
  }
  std::vector<std::vector<std::size_t>> blocks{first};
  std::size_t taken = of_labels;
  for (std::size_t i = first.size(); i < columns.size(); ++i) {
    const bool is_full = width > 0 && taken + columns[i].width > width && blocks.back().size() > first.size();
    if (is_full) {
      blocks.push_back(first);
      taken = of_labels;
    }
    blocks.back().push_back(i);
    taken += columns[i].width + 2;
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
  for (std::size_t i = 0; i < header_.size(); ++i) columns.push_back(column_of(header_[i], rows_, i));
  fit_last(columns, labels, style_.width);
  const std::vector<Paint> of_header(header_.size(), Paint::heading);
  bool is_first = true;
  for (const auto& block : blocks_of(columns, labels, style_.width)) {
    if (!is_first) out << '\n';
    is_first = false;
    print_row(out, header_, columns, block, of_header, style_);
    for (std::size_t i = 0; i < rows_.size(); ++i) print_row(out, rows_[i], columns, block, paints_[i], style_);
  }
}

}  // namespace assay
