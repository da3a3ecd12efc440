// SPDX-License-Identifier: Apache-2.0
// Alignment of plain tables.
#include "record/table/table.hpp"

#include <algorithm>
#include <ostream>

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

void print_row(std::ostream& out, const std::vector<std::string>& row, const std::vector<Column>& columns,
               const std::vector<Paint>& paints, const TextStyle& style) {
  std::string line;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string padding(columns[i].width - character_count(row[i]), ' ');
    const std::string cell = i < paints.size() ? painted(row[i], paints[i], style) : row[i];
    line += (i == 0 ? "" : "  ") + (columns[i].right ? padding + cell : cell + padding);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  out << line << '\n';
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

void TextTable::print(std::ostream& out) const {
  std::vector<Column> columns;
  for (std::size_t i = 0; i < header_.size(); ++i) columns.push_back(column_of(header_[i], rows_, i));
  print_row(out, header_, columns, std::vector<Paint>(header_.size(), Paint::heading), style_);
  for (std::size_t i = 0; i < rows_.size(); ++i) print_row(out, rows_[i], columns, paints_[i], style_);
}

}  // namespace assay
