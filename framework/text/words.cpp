// SPDX-License-Identifier: Apache-2.0
// Joining, trimming, ranges of CPUs, and distinguishing numbers from words.
#include "text/words.hpp"

#include <algorithm>

namespace assay {

namespace {

std::string range_text(int first, int last) {
  return first == last ? std::to_string(first) : std::to_string(first) + "-" + std::to_string(last);
}

}  // namespace

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

std::string cpu_ranges(const std::vector<int>& cpus) {
  std::string text;
  for (std::size_t from = 0, to = 0; from < cpus.size(); from = to) {
    for (to = from + 1; to < cpus.size() && cpus[to] == cpus[to - 1] + 1;) ++to;
    text += (text.empty() ? "" : ",") + range_text(cpus[from], cpus[to - 1]);
  }
  return text.empty() ? "none" : text;
}

}  // namespace assay
