// SPDX-License-Identifier: Apache-2.0
// Text in double quotes: any bytes as printable ASCII, and back.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

/// The text in double quotes; `"` and `\` behind a backslash, newline as \n, tab as \t, every other byte outside
/// printable ASCII as \xHH with lower-case digits.
std::string in_quotes(std::string_view text);

/// As in_quotes, for messages: cut after `limit` bytes, with "..." behind the closing quote.
std::string excerpt(std::string_view text, std::size_t limit = 40);

/// The content of a quoted text that starts at `text[0]`, and how many bytes it takes including both quotes. Bytes that
/// need no escape are taken as they are. Nothing when the text is not quoted, not closed, or has an unknown escape.
struct Unquoted {
  std::string content;
  std::size_t length = 0;
};
std::optional<Unquoted> unquoted(std::string_view text);

}  // namespace assay
