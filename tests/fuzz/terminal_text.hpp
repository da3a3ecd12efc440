// SPDX-License-Identifier: Apache-2.0
// What may reach a terminal: lines of visible characters.
#pragma once
#include <string_view>

#include "text/utf8.hpp"

namespace assay::fuzz {

/// True for control characters other than a line's end, marks of direction and other characters without a width.
inline bool steers(char32_t code) {
  return (code < 0x20 && code != '\n') || (code >= 0x7f && code < 0xa0) || code == 0xad || code == 0x61c ||
         (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2060 && code <= 0x2069) || code == 0xfeff || (code >= 0xe0000 && code <= 0xe007f);
}

/// True when the text is valid UTF-8 that steers nothing.
inline bool is_harmless(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Character character = character_at(text, at);
    if (character.size == 0 || steers(character.code)) return false;
    at += character.size;
  }
  return true;
}

}  // namespace assay::fuzz
