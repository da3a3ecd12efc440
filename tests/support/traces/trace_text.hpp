// SPDX-License-Identifier: Apache-2.0
// What all kinds of recorded noise have in common as text: a head of facts, numbers, and a checksum.
#pragma once
#include <charconv>
#include <string>
#include <string_view>
#include <system_error>

#include "support/traces/trace.hpp"

namespace assay::test {

/// The first line, a line for each fact, and a blank one. Throws std::invalid_argument where a fact has several lines.
std::string trace_head(std::string_view kind, const Circumstances& facts);
/// The text with a last line for its checksum.
std::string sealed(std::string text);

/// Words with blanks between them, in lines that people can look at.
class WrappedWords {
 public:
  void add(std::string_view word);
  void add(std::int64_t number) { add(std::string_view(std::to_string(number))); }
  /// Everything so far; ends with a new line.
  std::string text() const { return text_ + line_ + '\n'; }

 private:
  std::string text_;
  std::string line_;
};

/// A file without its checksum, taken apart as far as its numbers. Refuses a file (std::runtime_error: which, what is
/// wrong, what to do) that is missing, damaged or of another kind.
class TraceBody {
 public:
  TraceBody(std::string file, std::string_view kind);

  [[noreturn]] void refuse(const std::string& what, const std::string& remedy) const;
  [[noreturn]] void refuse_content(const std::string& what) const { refuse(what, "record it again"); }

  /// Removes and returns the fact; refuses the file when there is none.
  std::string take(std::string_view key);
  template <class Number>
  Number number_of(std::string_view word) const {
    Number number{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{} || end != word.data() + word.size())
      refuse_content("has \"" + std::string(word) + "\" where a number belongs");
    return number;
  }
  template <class Number>
  Number take_number(std::string_view key) {
    return number_of<Number>(take(key));
  }
  /// The next word of the numbers; empty at the end.
  std::string_view word();
  template <class Number>
  Number number() {
    return number_of<Number>(word());
  }
  Circumstances circumstances() { return std::move(facts_); }

 private:
  void check_seal();
  std::string_view line();
  void take_fact(std::string_view fact);

  std::string file_;
  std::string text_;
  std::string_view rest_;
  Circumstances facts_;
};

/// A cell's name and repetitions, "mutex-pair:64".
struct TraceCell {
  std::string name;
  std::int64_t reps = 1;
};
/// The cells of the fact `cells`, "mutex-pair:512 clock-read:128", which is taken.
std::vector<TraceCell> take_cells(TraceBody& body);
/// That fact's text.
std::string cells_text(const std::vector<TraceCell>& cells);

}  // namespace assay::test
