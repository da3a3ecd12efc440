// SPDX-License-Identifier: Apache-2.0
// A letter at a time; the first mistake ends the reading.
#include "base/pattern.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/escape.hpp"

namespace assay {
namespace {

constexpr std::string_view blanks = " \t";
constexpr std::string_view spread_mark = "...";
constexpr std::string_view no_words = "none";

bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

class PatternReader {
 public:
  explicit PatternReader(std::string_view text) : text_(text) {}

  Pattern read() {
    Pattern pattern;
    try {
      for (skip_blanks(); at_ < text_.size(); skip_blanks()) pattern.words.push_back(read_word());
    } catch (DomainError& error) {
      pattern.error = std::move(error);
    }
    return pattern;
  }

 private:
  [[noreturn]] static void fail(std::size_t offset, std::string what, std::string remedy) {
    throw DomainError{offset, std::move(what), std::move(remedy), {}};
  }

  void skip_blanks() { at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size()); }

  PatternWord read_word() {
    PatternWord word;
    const std::size_t start = at_;
    while (at_ < text_.size() && blanks.find(text_[at_]) == blanks.npos) {
      const char letter = text_[at_];
      if (letter == '\'')
        read_single_quotes(word);
      else if (letter == '"')
        read_double_quotes(word);
      else
        read_letter(word, text_, at_, 0);
    }
    if (word.spreads && (word.pieces.size() != 1 || text_[start] != '{'))
      fail(start, "a name that spreads into words beside other text", "put blanks around it, or leave the dots out");
    return word;
  }

  // Letters and names up to the quote that closes.
  void read_single_quotes(PatternWord& word) {
    const std::size_t end = text_.find('\'', at_ + 1);
    if (end == text_.npos) fail(at_, "a single quote is not closed", "close it, or put it in double quotes");
    add_text(word, {});
    for (++at_; at_ < end;) read_letter(word, text_.substr(0, end), at_, 0);
    at_ = end + 1;
  }

  void read_double_quotes(PatternWord& word) {
    const auto quoted = unquoted(text_.substr(at_));
    if (!quoted) fail(at_, "malformed double quotes", R"(close them with '"'; the escapes are \" \\ \n \t \xHH)");
    add_text(word, {});
    for (std::size_t inside = 0; inside < quoted->content.size();) read_letter(word, quoted->content, inside, at_ + 1);
    at_ += quoted->length;
  }

  // One letter, brace or name of `text` at `at`, which begins at `base` in the whole.
  static void read_letter(PatternWord& word, std::string_view text, std::size_t& at, std::size_t base) {
    const char letter = text[at];
    const bool doubled = at + 1 < text.size() && text[at + 1] == letter;
    if (letter == '}' && !doubled) fail(base + at, "a closing brace without an opening one", "write }} for a brace");
    if (letter == '{' && !doubled) return read_name(word, text, at, base);
    add_text(word, {&letter, 1});
    at += letter == '{' || letter == '}' ? 2 : 1;
  }

  static void read_name(PatternWord& word, std::string_view text, std::size_t& at, std::size_t base) {
    const std::size_t end = text.find('}', at);
    std::string_view name = text.substr(at + 1, end == text.npos ? 0 : end - at - 1);
    if (name.ends_with(spread_mark)) {
      name.remove_suffix(spread_mark.size());
      word.spreads = true;
    }
    if (!is_name(name)) fail(base + at, "braces without a name in them", "write {NAME}, or {{ for a brace");
    word.pieces.push_back({std::string(name), true, base + at + 1});
    at = end + 1;
  }

  // Empty text makes a word, too: '' is an argument.
  static void add_text(PatternWord& word, std::string_view text) {
    if (word.pieces.empty() || word.pieces.back().is_name) word.pieces.push_back({});
    word.pieces.back().text += text;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// A level's own words, in which nothing is replaced any more.
void spread(const std::string& level, std::vector<std::string>& words) {
  if (level == no_words) return;
  const Pattern pattern = read_pattern(level);
  if (pattern.error || !pattern.names().empty())
    throw std::invalid_argument("level " + in_quotes(level) + " is no list of words" +
                                (pattern.error ? ": " + pattern.error->what : ": it has names in braces"));
  for (const PatternWord& word : pattern.words) words.push_back(word.pieces.empty() ? "" : word.pieces.front().text);
}

}  // namespace

std::vector<PatternPiece> Pattern::names() const {
  std::vector<PatternPiece> found;
  for (const PatternWord& word : words)
    std::ranges::copy_if(word.pieces, std::back_inserter(found), &PatternPiece::is_name);
  return found;
}

Pattern read_pattern(std::string_view text) { return PatternReader(text).read(); }

std::vector<std::string> expand(const Pattern& pattern, const std::function<std::string(const std::string&)>& level) {
  std::vector<std::string> words;
  for (const PatternWord& word : pattern.words) {
    if (word.spreads) {
      spread(level(word.pieces.front().text), words);
      continue;
    }
    std::string whole;
    for (const PatternPiece& piece : word.pieces) whole += piece.is_name ? level(piece.text) : piece.text;
    words.push_back(std::move(whole));
  }
  return words;
}

}  // namespace assay
