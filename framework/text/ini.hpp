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
  std::string value;  ///< as written, quotes included, so that offsets in it are columns of the file
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

/// Reads the text. `#` starts a comment at the start of a line or after white space, outside double quotes, in which a
/// backslash escapes. Values are trimmed. A byte order mark at the start and CRLF are accepted; NUL bytes and invalid
/// UTF-8 end the reading with one problem; control characters, lines above 64 KiB, lines that would include a file, and
/// values that a shell would expand (outside quotes, and outside [variant.NAME]) are problems. Columns count bytes from
/// 1.
IniFile parse_ini(std::string_view text, const std::string& file);

/// A value as plain text: the content of one that is in double quotes as a whole, otherwise the value as it is.
std::string plain_text(std::string_view value);
/// The inverse: the text as a value, in double quotes where it needs them.
std::string value_text(std::string_view text);

/// "line 3 of FILE", for messages that name a second position.
std::string place_of(const Where& where);

}  // namespace assay
