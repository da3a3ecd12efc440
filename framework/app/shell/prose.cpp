// SPDX-License-Identifier: Apache-2.0
// Reading the small notation that help texts keep to.
#include "app/shell/prose.hpp"

#include <algorithm>
#include <utility>

namespace assay {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

char at(std::string_view text, std::size_t i) { return i < text.size() ? text[i] : ' '; }

// The end of a quoted text that begins at `begin`, behind its closing quote; `begin` where it is an apostrophe.
std::size_t end_of_quoted(std::string_view text, std::size_t begin) {
  if (text[begin] != '\'' || (begin > 0 && std::string_view(" (/").find(text[begin - 1]) == text.npos)) return begin;
  for (auto end = text.find('\'', begin + 1); end != text.npos; end = text.find('\'', end + 1))
    if (!is_letter(at(text, end + 1)) && end > begin + 1) return end + 1;
  return begin;
}

// The end of a setting behind an option, " precision.eps=5%"; `begin` where there is none.
std::size_t end_of_setting(std::string_view text, std::size_t begin) {
  if (at(text, begin) != ' ') return begin;
  constexpr std::string_view others = ".-=%";
  auto end = begin + 1;
  while (end < text.size() && (is_letter(text[end]) || others.find(text[end]) != others.npos)) ++end;
  return text.substr(begin, end - begin).find('=') == text.npos ? begin : end;
}

// The end of an option that begins at `begin`; `begin` where there is none.
std::size_t end_of_option(std::string_view text, std::size_t begin) {
  if (text.substr(begin, 2) != "--" || !is_letter(at(text, begin + 2))) return begin;
  if (begin > 0 && std::string_view(" (").find(text[begin - 1]) == text.npos) return begin;
  auto end = begin + 2;
  while (end < text.size() && (is_letter(text[end]) || text[end] == '-' || text[end] == '=')) ++end;
  return end_of_setting(text, end);
}

Token::Kind kind_of_line(std::string_view word) {
  return is_capital(word.front()) ? Token::Kind::variable : Token::Kind::word;
}

}  // namespace

std::vector<Span> spans_of(std::string_view text) {
  std::vector<Span> spans{{}};
  for (std::size_t i = 0; i < text.size();) {
    const auto quoted = end_of_quoted(text, i);
    const auto option = end_of_option(text, i);
    if (quoted > i) spans.push_back({std::string(text.substr(i + 1, quoted - i - 2)), true});
    if (option > i) spans.push_back({std::string(text.substr(i, option - i)), true});
    const auto end = std::max(quoted, option);
    if (end > i) {
      spans.push_back({});
      i = end;
    } else {
      spans.back().text += text[i++];
    }
  }
  std::erase_if(spans, [](const Span& span) { return span.text.empty(); });
  return spans;
}

std::vector<Token> tokens_of(std::string_view synopsis) {
  std::vector<Token> tokens;
  const auto belongs = [](char c) { return is_letter(c) || c == '-' || c == '_'; };
  while (!synopsis.empty()) {
    const bool is_word = belongs(synopsis.front());
    const auto end = std::ranges::find_if(synopsis, [&](char c) { return belongs(c) != is_word; });
    const auto length = static_cast<std::size_t>(end - synopsis.begin());
    const auto text = synopsis.substr(0, length);
    tokens.push_back({std::string(text), is_word ? kind_of_line(text) : Token::Kind::sign});
    synopsis.remove_prefix(length);
  }
  return tokens;
}

std::vector<std::string> ways_to_call(const CommandInfo& command) {
  constexpr std::string_view bar = " | ";
  std::vector<std::string> ways;
  std::string_view rest = command.synopsis;
  while (true) {
    const auto end = rest.find(bar);
    const std::string way(rest.substr(0, end));
    const bool is_named = way == command.name || way.starts_with(command.name + " ");
    ways.push_back(is_named ? way : command.name + " " + way);
    if (end == rest.npos) return ways;
    rest.remove_prefix(end + bar.size());
  }
}

std::string on_one_line(std::string_view text) {
  std::string line(text);
  while (line.ends_with('\n')) line.pop_back();
  std::ranges::replace(line, '\n', ' ');
  return line;
}

std::string ended(std::string text) { return text.empty() || text.ends_with('.') ? text : text + "."; }

std::string as_sentence(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return ended(std::move(text));
}

}  // namespace assay
