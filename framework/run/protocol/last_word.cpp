// SPDX-License-Identifier: Apache-2.0
// A message composed by hand.
#include "run/protocol/last_word.hpp"

#include <algorithm>
#include <charconv>
#include <tuple>

#include "run/protocol/messages.hpp"

namespace assay {
namespace {

bool can_stand_in_text(char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; }

}  // namespace

LastWord::LastWord(int rank, std::string_view why) noexcept {
  constexpr std::string_view head =
      R"({"protocol":4,"number":0,"kind":"failed","body":{"outcome":"failed","why":"member )";
  constexpr std::string_view tail = "\",\"code\":\"\"}}\n";
  constexpr std::size_t room = std::tuple_size_v<decltype(text_)> - head.size() - tail.size() - 16;
  static_assert(protocol_version == 4 && last_word == 0);
  std::array<char, 12> digits;
  const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), rank).ptr;
  append(head);
  append({digits.data(), static_cast<std::size_t>(end - digits.data())});
  append(": ");
  for (const char c : why.substr(0, room)) text_[length_++] = can_stand_in_text(c) ? c : '?';
  append(tail);
}

void LastWord::append(std::string_view text) noexcept {
  length_ = static_cast<std::size_t>(std::ranges::copy(text, text_.begin() + length_).out - text_.begin());
}

}  // namespace assay
