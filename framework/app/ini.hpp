// SPDX-License-Identifier: Apache-2.0
// The campaign file's notation: sections, `key = value`, `#` comments, with positions.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace assay {

/// One `key = value` with where its key and its value stand.
struct IniEntry {
  std::string section;
  std::string key;
  std::string value;
  Where key_at;
  Where value_at;
};

/// One `[section]` header.
struct IniSection {
  std::string name;
  Where at;
};

/// A file's content. `problems` holds every malformed line, duplicate section and duplicate key found.
struct IniFile {
  std::vector<IniSection> sections;
  std::vector<IniEntry> entries;
  std::vector<Problem> problems;
};

/// Reads the text. `#` starts a comment at the start of a line or after white space, outside double quotes. Values are
/// trimmed; one that starts with a double quote extends to the closing one. CRLF is accepted; NUL bytes, invalid UTF-8,
/// lines above 64 KiB are problems.
IniFile parse_ini(std::string_view text, const std::string& file);

}  // namespace assay
