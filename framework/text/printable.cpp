// SPDX-License-Identifier: Apache-2.0
// Which characters are shown as they are.
#include "text/printable.hpp"

#include <algorithm>

#include "base/escape.hpp"
#include "text/utf8.hpp"

namespace assay {

namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Controls; soft hyphen; Arabic letter mark; zero-width, direction and line marks; invisible operators; byte-order
// mark; annotations; tags.
constexpr Range hidden[] = {{0x00, 0x1F},     {0x7F, 0x9F},     {0xAD, 0xAD},      {0x61C, 0x61C},
                            {0x180E, 0x180E}, {0x200B, 0x200F}, {0x2028, 0x202E},  {0x2060, 0x206F},
                            {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F}};

void append_hex(std::string& out, std::string_view bytes) {
  for (const char byte : bytes) out += "\\x" + hex_of(static_cast<unsigned char>(byte), 2);
}

}  // namespace

bool is_hidden(char32_t code) {
  return std::ranges::any_of(hidden, [=](Range range) { return range.first <= code && code <= range.last; });
}

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = character_at(text, at);
    const auto bytes = text.substr(at, std::max<std::size_t>(character.size, 1));
    if (character.size == 0 || is_hidden(character.code))
      append_hex(out, bytes);
    else
      out += bytes;
    at += bytes.size();
  }
  return out;
}

}  // namespace assay
