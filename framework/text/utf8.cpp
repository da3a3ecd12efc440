// SPDX-License-Identifier: Apache-2.0
// Decoding of UTF-8, strict as the Unicode standard's table of well-formed sequences requires.
#include "text/utf8.hpp"

#include <algorithm>
#include <array>

namespace assay {

namespace {

std::size_t size_from(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xC2) return 0;
  if (lead < 0xE0) return 2;
  if (lead < 0xF0) return 3;
  return lead < 0xF5 ? 4 : 0;
}

bool is_wide(char32_t code) {
  struct Range {
    char32_t first;
    char32_t last;
  };
  constexpr std::array<Range, 9> wide{{{0x1100, 0x115F},
                                       {0x2E80, 0xA4CF},
                                       {0xAC00, 0xD7A3},
                                       {0xF900, 0xFAFF},
                                       {0xFE30, 0xFE6F},
                                       {0xFF00, 0xFF60},
                                       {0xFFE0, 0xFFE6},
                                       {0x1F300, 0x1FAFF},
                                       {0x20000, 0x3FFFD}}};
  return std::ranges::any_of(wide, [=](Range range) { return range.first <= code && code <= range.last; });
}

bool is_allowed(char32_t code, std::size_t size) {
  constexpr std::array<char32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code >= smallest.at(size) && code <= 0x10FFFF && !surrogate;
}

std::string room_beside(std::string_view text, std::size_t width) {
  return std::string(width - std::min(width, character_count(text)), ' ');
}

}  // namespace

Character character_at(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t size = size_from(lead);
  if (size <= 1) return {lead, size};
  if (text.size() - at < size) return {};
  char32_t code = lead & (0xFFU >> (size + 1));
  for (const char next : text.substr(at + 1, size - 1)) {
    const auto byte = static_cast<unsigned char>(next);
    if ((byte & 0xC0U) != 0x80U) return {};
    code = code << 6U | (byte & 0x3FU);
  }
  return is_allowed(code, size) ? Character{code, size} : Character{};
}

std::size_t display_width(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = character_at(text, at);
    columns += is_wide(character.code) ? 2 : 1;
    at += std::max<std::size_t>(character.size, 1);
  }
  return columns;
}

std::string_view beginning_within(std::string_view text, std::size_t columns) {
  std::size_t at = 0;
  while (at < text.size()) {
    const Character character = character_at(text, at);
    const std::size_t needed = is_wide(character.code) ? 2 : 1;
    if (needed > columns) break;
    columns -= needed;
    at += std::max<std::size_t>(character.size, 1);
  }
  return text.substr(0, at);
}

std::size_t character_count(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) at += std::max<std::size_t>(character_at(text, at).size, 1);
  return count;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (text.size() > width) {
    auto end = text.rfind(' ', width);
    if (end == text.npos) end = text.find(' ');
    if (end == text.npos) break;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  lines.emplace_back(text);
  return lines;
}

namespace {

// Behind "note: ", "!  " or blanks.
std::size_t hanging_indent(std::string_view line) {
  constexpr std::size_t longest_label = 14;
  constexpr std::size_t usual = 2;
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  for (const std::string_view end : {": ", "  "}) {
    const std::size_t at = line.find(end, begin);
    if (at != line.npos && at + end.size() - begin <= longest_label) return at + end.size();
  }
  return begin + usual;
}

void add_broken(std::string& text, std::string_view line, std::size_t width) {
  const std::size_t indent = hanging_indent(line);
  const std::string first = wrapped(line, width).front();
  text.append(first).push_back('\n');
  if (first.size() >= line.size()) return;
  const std::size_t room = width > 2 * indent ? width - indent : width / 2;
  for (const std::string& part : wrapped(line.substr(first.size() + 1), room))
    text.append(std::min(indent, width / 2), ' ').append(part).push_back('\n');
}

}  // namespace

std::string with_hanging_indent(std::string_view text, std::size_t width) {
  if (width == 0) return std::string(text);
  std::string broken;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (line.size() > width)
      add_broken(broken, line, width);
    else
      broken.append(line).push_back('\n');
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return broken;
}

std::string to_left(std::string_view text, std::size_t width) { return std::string(text) + room_beside(text, width); }

std::string to_right(std::string_view text, std::size_t width) { return room_beside(text, width) + std::string(text); }

}  // namespace assay
