// SPDX-License-Identifier: Apache-2.0
// Texts as cells of comma-separated values.
#pragma once
#include <string>

namespace assay {

/// The text as a cell, quoted as RFC 4180 has it where it must be. Texts are foreign: one that a spreadsheet would take
/// for a formula (it starts with = + - @, tab or carriage return) gets a leading apostrophe.
std::string csv_text(const std::string& text);

}  // namespace assay
