// SPDX-License-Identifier: Apache-2.0
// Text in double quotes: any bytes as printable ASCII, and back; bytes and numbers in hexadecimal.
#pragma once
#include <cstddef>
#include <cstdint>
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

/// The last digits of a number in lower-case hexadecimal, at most 16, with zeros in front.
std::string hex_of(std::uint64_t number, unsigned count);
/// Two such digits for each byte.
template <class Bytes>
std::string hex_of(const Bytes& bytes) {
  std::string text;
  for (const auto byte : bytes) text += hex_of(static_cast<std::uint8_t>(byte), 2);
  return text;
}

}  // namespace assay
