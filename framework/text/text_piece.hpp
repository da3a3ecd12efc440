// SPDX-License-Identifier: Apache-2.0
// A part of a longer text with its position there, for readers that report where a problem is.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string_view>

#include "text/words.hpp"

namespace assay {

/// Positions count from that of the whole text: 0 for offsets, 1 for columns.
struct TextPiece {
  std::string_view text;
  std::size_t position = 0;

  /// What follows the first `length` bytes; empty, with the position of the end or behind it, where there are no more.
  TextPiece from(std::size_t length) const { return {text.substr(std::min(length, text.size())), position + length}; }
  /// The first `length` bytes.
  TextPiece upto(std::size_t length) const { return {text.substr(0, length), position}; }
  /// Without spaces and tabs at both ends; where there is nothing else, an empty piece at the beginning of this one.
  TextPiece trimmed() const {
    const auto first = text.find_first_not_of(" \t");
    return {assay::trimmed(text), position + (first == text.npos ? 0 : first)};
  }
};

}  // namespace assay
