// SPDX-License-Identifier: Apache-2.0
// Aligning words in columns.
#include "bench/text_table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ostream>

namespace assay::bench {
namespace {

std::string padded(const std::string& text, std::size_t width, bool to_the_left) {
  const std::string blanks(width > text.size() ? width - text.size() : 0, ' ');
  return to_the_left ? text + blanks : blanks + text;
}

std::vector<std::size_t> widths_of(const TextTable& table) {
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < table.headings.size(); ++column) {
    std::size_t widest = table.headings[column].size();
    for (const auto& row : table.rows) widest = std::max(widest, row.at(column).size());
    widths.push_back(widest);
  }
  return widths;
}

void print_row(std::ostream& out, const std::vector<std::string>& row, const std::vector<std::size_t>& widths,
               bool markdown) {
  if (markdown) out << "| ";
  for (std::size_t column = 0; column < row.size(); ++column) {
    if (column > 0) out << (markdown ? " | " : "  ");
    out << padded(row[column], widths[column], column == 0);
  }
  out << (markdown ? " |\n" : "\n");
}

}  // namespace

void print(std::ostream& out, const TextTable& table, bool markdown) {
  const std::vector<std::size_t> widths = widths_of(table);
  out << (markdown ? "**" + table.title + "**\n\n" : table.title + '\n');
  print_row(out, table.headings, widths, markdown);
  if (markdown) {
    std::vector<std::string> rule{std::string(widths.front(), '-')};
    for (std::size_t column = 1; column < widths.size(); ++column)
      rule.push_back(std::string(std::max<std::size_t>(widths[column], 2) - 1, '-') + ':');
    print_row(out, rule, widths, markdown);
  }
  for (const auto& row : table.rows) print_row(out, row, widths, markdown);
  out << '\n' << std::flush;
}

std::string decimal(double number, int digits) {
  if (!std::isfinite(number)) return "-";
  std::array<char, 64> text;
  const auto end = std::to_chars(text.begin(), text.end(), number, std::chars_format::fixed, digits).ptr;
  return {text.begin(), end};
}

std::string hundredths(double share) {
  if (!std::isfinite(share)) return "-";
  // Rounded down: 99.6 % is not 100 %.
  return decimal(std::floor(100 * share + 1e-9), 0);
}

}  // namespace assay::bench
