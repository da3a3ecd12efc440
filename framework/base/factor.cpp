// SPDX-License-Identifier: Apache-2.0
// The notation of domains, read and written.
#include "base/factor.hpp"

#include <algorithm>
#include <map>

#include "base/escape.hpp"
#include "base/levels.hpp"
#include "base/number.hpp"

namespace assay {

namespace {

// Reads a domain from left to right. The first error ends the reading: it is thrown as a DomainError, inside this file.
class DomainReader {
 public:
  DomainReader(std::string_view text, FactorKind kind, std::size_t most) : text_(text), kind_(kind), most_(most) {}

  Domain read() {
    do {
      read_item();
    } while (take(","));
    read_refine();
    skip_space();
    if (at_ < text_.size()) fail(at_, "unexpected " + excerpt(rest()), "separate levels by commas" + unit_hint());
    return std::move(domain_);
  }

 private:
  [[noreturn]] static void fail(std::size_t offset, std::string what, std::string remedy) {
    throw DomainError{offset, std::move(what), std::move(remedy), {}};
  }

  [[noreturn]] void fail_size(std::size_t offset, std::string remedy) const {
    fail(offset, "more than " + std::to_string(most_) + " levels", std::move(remedy));
  }

  void skip_space() { at_ = std::min(text_.find_first_not_of(" \t", at_), text_.size()); }

  std::string_view rest() const { return text_.substr(at_); }

  // What a letter behind a number was meant to be.
  std::string unit_hint() const {
    const char next = rest().front();
    const bool letter = (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z');
    if (kind_ == FactorKind::categorical || !letter) return {};
    return "; a unit stands right behind its number, and is one of Ki Mi Gi, k M G, ns us ms s";
  }

  // Takes a mark after optional space.
  bool take(std::string_view mark) {
    skip_space();
    if (!rest().starts_with(mark)) return false;
    at_ += mark.size();
    return true;
  }

  void read_item() {
    skip_space();
    if (kind_ == FactorKind::categorical) {
      const auto start = at_;
      add(start, read_word());
    } else {
      read_number_or_range();
    }
  }

  // `start` is where the level, or the range that gives it, stands.
  void add(std::size_t start, Value level) {
    const auto [first, is_new] = seen_.try_emplace(level, start);
    if (!is_new) throw DomainError{start, "level " + to_text(level) + " is given twice", "remove one", first->second};
    domain_.levels.push_back(std::move(level));
    if (domain_.levels.size() > most_) fail_size(at_, "ask for fewer");
  }

  Value read_word();
  Value read_quoted_word();
  Value read_number();
  std::size_t number_end() const;
  void read_number_or_range();
  void add_stepped(std::size_t start, const SteppedRange& range, std::size_t step_start);
  void add_open(std::size_t start, Value first, Value last);
  bool at_refine();
  void read_refine();
  void read_quantity();
  void read_multiple();

  std::string_view text_;
  FactorKind kind_;
  std::size_t at_ = 0;
  std::size_t most_;
  Domain domain_;
  std::map<Value, std::size_t> seen_;  // with the offsets
};

Value DomainReader::read_quoted_word() {
  auto quoted = unquoted(rest());
  if (!quoted) fail(at_, "malformed quoted word", R"(close it with '"'; the escapes are \" \\ \n \t \xHH)");
  at_ += quoted->length;
  return std::move(quoted->content);
}

Value DomainReader::read_word() {
  if (rest().starts_with('"')) return read_quoted_word();
  const auto start = at_;
  at_ = std::min(text_.find_first_of(" \t,\"", at_), text_.size());
  const auto word = text_.substr(start, at_ - start);
  if (word.empty()) fail(start, "a level is missing", "write a word");
  const auto dots = word.find("..");
  if (dots != word.npos && parse_number(word.substr(0, dots))) {
    fail(start, "a range of a factor that has words as levels", "list the levels, or put the word in double quotes");
  }
  return std::string(word);
}

// A number ends before white space, a comma, two dots, or a sign that does not belong to an exponent. A sign at its
// start is taken in, and refused where it is a plus.
std::size_t DomainReader::number_end() const {
  std::size_t end = at_;
  for (; end < text_.size(); ++end) {
    const char letter = text_[end];
    const bool in_exponent = end > at_ && (text_[end - 1] == 'e' || text_[end - 1] == 'E');
    if ((letter == '+' && end > at_ && !in_exponent) || std::string_view(" \t,*%\"").find(letter) != text_.npos) break;
    if (text_.substr(end).starts_with("..")) break;
  }
  return end;
}

Value DomainReader::read_number() {
  skip_space();
  const auto start = at_;
  at_ = number_end();
  const auto text = text_.substr(start, at_ - start);
  if (text.empty()) fail(start, "a number is missing", "write one, as in 16 or 4Ki");
  auto number = assay::read_number(text);
  if (!number.what.empty()) fail(start, std::move(number.what), std::move(number.remedy));
  return std::move(number.value);
}

void DomainReader::read_number_or_range() {
  const auto start = at_;
  Value first = read_number();
  if (!take("..")) return add(start, std::move(first));
  Value last = read_number();
  const bool geometric = take("*");
  if (!geometric && !take("+")) return add_open(start, std::move(first), std::move(last));
  const auto step_start = at_ - 1;
  Value step = read_number();
  add_stepped(start, {std::move(first), std::move(last), std::move(step), geometric}, step_start);
}

void DomainReader::add_stepped(std::size_t start, const SteppedRange& range, std::size_t step_start) {
  auto expanded = expand(range, most_ - domain_.levels.size());
  if (expanded.wrong == RangePart::size) fail_size(start, std::move(expanded.remedy));
  if (expanded.wrong != RangePart::none) {
    fail(expanded.wrong == RangePart::step ? step_start : start, std::move(expanded.what), std::move(expanded.remedy));
  }
  for (Value& level : expanded.levels) add(start, std::move(level));
}

void DomainReader::add_open(std::size_t start, Value first, Value last) {
  if (take("-")) fail(at_ - 1, "a range ascends", "write its lower end first, and a step with +");
  if (!at_refine() || !domain_.levels.empty()) {
    fail(start, "a range without a step", "add +STEP or *FACTOR; alone, it can be followed by refine R");
  }
  auto ends = check_ends(first, last);
  if (ends.wrong != RangePart::none) fail(start, std::move(ends.what), std::move(ends.remedy));
  if (first == last) fail(start, "a range to refine has two ends", "make them differ");
  add(start, std::move(first));
  add(start, std::move(last));
  domain_.open_range = true;
}

// True at the word itself, which is not taken.
bool DomainReader::at_refine() {
  skip_space();
  if (!rest().starts_with("refine")) return false;
  const auto after = rest().substr(6);
  return after.empty() || after[0] == ' ' || after[0] == '\t';
}

void DomainReader::read_refine() {
  if (!at_refine()) return;
  if (kind_ == FactorKind::categorical) fail(at_, "words cannot be refined", "leave out refine");
  at_ += 6;
  skip_space();
  const auto start = at_;
  double accuracy = number_of(read_number()).value_or(0);
  if (take("%")) accuracy /= 100;
  if (accuracy <= 0 || accuracy >= 1)
    fail(start, "the accuracy to refine to lies between 0 and 1", "write 0.05 or 5%, say");
  domain_.refine = accuracy;
  read_quantity();
  read_multiple();
}

void DomainReader::read_multiple() {
  skip_space();
  constexpr std::string_view word = "multipleof";
  if (!rest().starts_with(word) || rest().substr(word.size()).find_first_of(" \t") != 0) return;
  at_ += word.size();
  skip_space();
  const auto start = at_;
  const Value multiple = read_number();
  const auto* whole = std::get_if<std::int64_t>(&multiple);
  if (whole == nullptr || *whole < 1)
    fail(start, "levels are multiples of a whole number", "write one from 1 on, as 64");
  domain_.multiple = *whole;
}

// A quantity's name ends before white space or a comma.
void DomainReader::read_quantity() {
  skip_space();
  if (!rest().starts_with("of") || rest().substr(2).find_first_of(" \t") != 0) return;
  at_ += 2;
  skip_space();
  const auto start = at_;
  at_ = std::min(text_.find_first_of(" \t,", at_), text_.size());
  domain_.quantity = std::string(text_.substr(start, at_ - start));
  if (domain_.quantity.empty()) fail(start, "the quantity to refine is missing", "write its name, or leave out of");
}

}  // namespace

DomainResult parse_domain(std::string_view text, FactorKind kind, std::size_t most) {
  try {
    return {DomainReader(text, kind, most).read(), std::nullopt};
  } catch (DomainError& error) {
    return {{}, std::move(error)};
  }
}

std::string to_text(const Domain& domain) {
  std::string text;
  for (const Value& level : domain.levels) {
    if (!text.empty()) text += domain.open_range ? ".." : ", ";
    text += to_text(level);
  }
  if (domain.refine) text += " refine " + to_text(*domain.refine);
  if (!domain.quantity.empty()) text += " of " + domain.quantity;
  if (domain.multiple > 1) text += " multipleof " + std::to_string(domain.multiple);
  return text;
}

std::optional<Value> parse_number(std::string_view text) {
  auto number = read_number(text);
  if (!number.what.empty()) return std::nullopt;
  return std::move(number.value);
}

}  // namespace assay
