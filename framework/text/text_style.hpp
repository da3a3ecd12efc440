// SPDX-License-Identifier: Apache-2.0
// What the reader's screen can show, and colours on it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace assay {

/// What may be written beside plain ASCII. Nothing is shown by colour alone.
struct TextStyle {
  bool colour = false;    ///< ECMA-48 colours, 256 of them
  bool unicode = false;   ///< block elements
  std::size_t width = 0;  ///< characters of a line, beyond which tables and lists are broken; 0: as many as they take
};

/// What a piece of text is, for its colour.
enum class Paint : std::uint8_t { none, heading, good, marked, bad };

/// The text in the colour of what it is; as it stands where there are none, or nothing to be seen.
std::string painted(const std::string& text, Paint paint, const TextStyle& style);

}  // namespace assay
