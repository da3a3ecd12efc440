// SPDX-License-Identifier: Apache-2.0
// Quoting, and formulas kept from being ones.
#include "text/csv_text.hpp"

#include <string_view>
#include <variant>

#include "base/value.hpp"

namespace assay {

namespace {

std::string quoted_cell(std::string cell) {
  if (cell.find_first_of(",\"\r\n") == cell.npos) return cell;
  for (auto at = cell.find('"'); at != cell.npos; at = cell.find('"', at + 2)) cell.insert(at, 1, '"');
  return '"' + cell + '"';
}

}  // namespace

std::string csv_text(const std::string& text, CsvStyle style) {
  const bool formula = !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
  return quoted_cell(formula && style == CsvStyle::guarded ? '\'' + text : text);
}

CsvCell level_cell(const Point& point, const std::string& factor) {
  const Value* level = point.find(factor);
  if (level == nullptr) return std::string();
  const auto* word = std::get_if<std::string>(level);
  return word != nullptr ? CsvCell::foreign(*word) : CsvCell(to_text(*level));
}

}  // namespace assay
