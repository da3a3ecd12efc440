// SPDX-License-Identifier: Apache-2.0
// Joining, trimming, and distinguishing numbers from words.
#include "text/words.hpp"

#include <algorithm>

namespace assay {

std::string joined(const std::vector<std::string>& texts, std::string_view separator, std::size_t most) {
  std::string all;
  for (std::size_t i = 0; i < std::min(texts.size(), most); ++i) {
    if (i > 0) all += separator;
    all += texts[i];
  }
  if (texts.size() > most) {
    all += separator;
    all += "and " + std::to_string(texts.size() - most) + " more";
  }
  return all;
}

std::string_view trimmed(std::string_view text, std::string_view blanks) {
  const auto first = text.find_first_not_of(blanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

bool is_whole_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

}  // namespace assay
