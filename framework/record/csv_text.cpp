// SPDX-License-Identifier: Apache-2.0
// Quoting, and formulas kept from being ones.
#include "record/csv_text.hpp"

#include <string_view>

namespace assay {

namespace {

std::string quoted(std::string cell) {
  if (cell.find_first_of(",\"\r\n") == cell.npos) return cell;
  for (auto at = cell.find('"'); at != cell.npos; at = cell.find('"', at + 2)) cell.insert(at, 1, '"');
  return '"' + cell + '"';
}

}  // namespace

std::string csv_text(const std::string& text, CsvStyle style) {
  const bool formula = !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
  return quoted(formula && style == CsvStyle::guarded ? '\'' + text : text);
}

}  // namespace assay
