// SPDX-License-Identifier: Apache-2.0
// Colours of the first sixteen only: the reader's own choice of background and taste applies to those.
#include "text/text_style.hpp"

#include <string_view>

namespace assay {

namespace {

std::string_view code_of(Paint paint) {
  switch (paint) {
    case Paint::heading:
      return "\x1b[1m";
    case Paint::good:
      return "\x1b[32m";
    case Paint::marked:
      return "\x1b[33m";
    case Paint::bad:
      return "\x1b[31m";
    case Paint::none:
      break;
  }
  return {};
}

}  // namespace

std::string painted(const std::string& text, Paint paint, const TextStyle& style) {
  if (!style.colour || paint == Paint::none || text.find_first_not_of(' ') == text.npos) return text;
  return std::string(code_of(paint)) + text + "\x1b[0m";
}

}  // namespace assay
