// SPDX-License-Identifier: Apache-2.0
// Texts as cells of comma-separated values.
#pragma once
#include <string>
#include <utility>

#include "base/point.hpp"

namespace assay {

/// What is done about texts that a spreadsheet would take for formulas.
enum class CsvStyle : unsigned char {
  guarded,  ///< they get a leading apostrophe
  raw       ///< they stay as they are
};

/// The text as a cell, quoted as RFC 4180 has it where it must be. Texts are foreign: one that a spreadsheet would take
/// for a formula (it starts with = + - @, tab or carriage return) gets a leading apostrophe, unless raw ones are
/// wanted.
std::string csv_text(const std::string& text, CsvStyle style = CsvStyle::guarded);

/// A cell to be: a text of ours or a number, which is quoted where it must be and else stands as it is, or a foreign
/// text.
struct CsvCell {
  CsvCell(std::string content) : text(std::move(content)) {}
  static CsvCell foreign(std::string content) {
    CsvCell cell(std::move(content));
    cell.is_foreign = true;
    return cell;
  }
  std::string in(CsvStyle style) const { return csv_text(text, is_foreign ? style : CsvStyle::raw); }

  std::string text;
  bool is_foreign = false;
};

/// The level of a factor; empty where the point does not have it.
CsvCell level_cell(const Point& point, const std::string& factor);

}  // namespace assay
