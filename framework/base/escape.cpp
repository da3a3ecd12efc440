// SPDX-License-Identifier: Apache-2.0
// Quoting and unquoting, byte by byte.
#include "base/escape.hpp"

namespace assay {

namespace {

constexpr std::string_view digits = "0123456789abcdef";

std::string escaped(char letter) {
  switch (letter) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    default:
      return letter >= ' ' && letter <= '~' ? std::string(1, letter) : "\\x" + hex_of(std::string_view(&letter, 1));
  }
}

std::optional<char> hex_byte(std::string_view two) {
  if (two.size() != 2) return std::nullopt;
  const auto high = digits.find(two[0]);
  const auto low = digits.find(two[1]);
  if (high == digits.npos || low == digits.npos) return std::nullopt;
  return static_cast<char>(high * 16 + low);
}

struct Decoded {
  char letter;
  std::size_t length;
};

// `rest` starts with a backslash.
std::optional<Decoded> decoded(std::string_view rest) {
  switch (rest.size() > 1 ? rest[1] : '\0') {
    case '"':
    case '\\':
      return Decoded{rest[1], 2};
    case 'n':
      return Decoded{'\n', 2};
    case 't':
      return Decoded{'\t', 2};
    case 'x':
      if (const auto byte = hex_byte(rest.substr(2, 2))) return Decoded{*byte, 4};
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::string in_quotes(std::string_view text) {
  std::string quoted = "\"";
  for (const char letter : text) quoted += escaped(letter);
  return quoted + '"';
}

std::string excerpt(std::string_view text, std::size_t limit) {
  return in_quotes(text.substr(0, limit)) + (text.size() > limit ? "..." : "");
}

std::optional<Unquoted> unquoted(std::string_view text) {
  if (text.empty() || text[0] != '"') return std::nullopt;
  Unquoted result;
  for (std::size_t at = 1; at < text.size();) {
    if (text[at] == '"') return Unquoted{std::move(result.content), at + 1};
    const auto next = text[at] == '\\' ? decoded(text.substr(at)) : Decoded{text[at], 1};
    if (!next) return std::nullopt;
    result.content += next->letter;
    at += next->length;
  }
  return std::nullopt;
}

std::string hex_of(std::uint64_t number, unsigned count) {
  std::string text;
  for (unsigned digit = count; digit > 0; --digit) text += digits[number >> (4 * (digit - 1)) & 15U];
  return text;
}

}  // namespace assay
