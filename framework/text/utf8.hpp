// SPDX-License-Identifier: Apache-2.0
// Characters of UTF-8 text, one at a time.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// A character and the number of bytes it takes; `size` is 0 where the bytes are not valid UTF-8.
struct Character {
  char32_t code = 0;
  std::size_t size = 0;
};
/// The character that starts at byte `at` < text.size(). Overlong forms, surrogates and cut sequences are not valid.
Character character_at(std::string_view text, std::size_t at);

/// Number of characters, each invalid byte counted as one: the width of a text in a table.
std::size_t character_count(std::string_view text);
/// The text with spaces behind it, or before it, up to so many characters: cells of a column.
std::string to_left(std::string_view text, std::size_t width);
std::string to_right(std::string_view text, std::size_t width);

/// Lines of at most so many bytes, broken between words; a longer word has a line of its own.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// The lines of a text, each broken between words where it has more than so many bytes (0: none is); what goes on is
/// indented to behind a short label, as in "note: ", or by two spaces.
std::string with_hanging_indent(std::string_view text, std::size_t width);

/// Columns that a text takes on a terminal: two for each wide character of East Asia and each emoji.
std::size_t display_width(std::string_view text);
/// As many whole characters from the beginning of a text as fit into so many columns.
std::string_view beginning_within(std::string_view text, std::size_t columns);

}  // namespace assay
