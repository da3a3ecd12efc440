// SPDX-License-Identifier: Apache-2.0
// Numbers with suffixes against a slow reference that shifts decimal points by hand, and typed options there and back.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <regex>
#include <utility>

#include "base/factor.hpp"
#include "base/number.hpp"
#include "base/typed.hpp"
#include "fuzz/fuzz.hpp"

namespace assay::fuzz {
namespace {

constexpr std::size_t longest = 64;

/// A number in decimal digits: multiplied by hand, as at school.
class Decimal {
 public:
  Decimal(std::string digits, int tens) : digits_(std::move(digits)), tens_(tens) { normalise(); }

  void times(int factor) {
    int carry = 0;
    for (auto digit = digits_.rbegin(); digit != digits_.rend(); ++digit) {
      carry += (*digit - '0') * factor;
      *digit = static_cast<char>('0' + carry % 10);
      carry /= 10;
    }
    for (; carry > 0; carry /= 10) digits_.insert(digits_.begin(), static_cast<char>('0' + carry % 10));
    normalise();
  }
  bool is_whole() const { return tens_ >= 0; }
  std::string text() const { return digits_ + "e" + std::to_string(tens_); }
  /// The digits of a whole number that has fewer than `most`; nothing for a longer one.
  std::optional<std::string> whole(std::size_t most) const {
    if (tens_ < 0 || digits_.size() + static_cast<std::size_t>(tens_) > most) return std::nullopt;
    return digits_ + std::string(static_cast<std::size_t>(tens_), '0');
  }

 private:
  void normalise() {
    while (digits_.size() > 1 && digits_.front() == '0') digits_.erase(digits_.begin());
    if (digits_ == "0") tens_ = 0;
    for (; digits_.size() > 1 && digits_.back() == '0'; ++tens_) digits_.pop_back();
  }
  std::string digits_;
  int tens_;
};

template <class Number>
std::optional<Number> read_whole(const std::string& text) {
  Number number{};
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

int tens_of(const std::string& suffix) {
  constexpr std::array<std::pair<std::string_view, int>, 6> known{
      {{"k", 3}, {"us", 3}, {"M", 6}, {"ms", 6}, {"G", 9}, {"s", 9}}};
  for (const auto& [name, tens] : known)
    if (suffix == name) return tens;
  return 0;
}

int thousands_of(const std::string& suffix) { return suffix == "Ki" ? 1 : suffix == "Mi" ? 2 : suffix == "Gi" ? 3 : 0; }

int exponent_of(const std::string& text) {
  const std::string digits = text.starts_with('+') ? text.substr(1) : text;
  if (digits.empty()) return 0;
  const int limit = digits.front() == '-' ? -9999 : 9999;
  return std::clamp(read_whole<int>(digits).value_or(limit), -9999, 9999);
}

/// The decimal that the text stands for; nothing when it is malformed.
std::optional<std::pair<bool, Decimal>> decimal_of(const std::string& text) {
  static const std::regex grammar(
      R"((-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?(|k|M|G|Ki|Mi|Gi|ns|us|ms|s))");
  std::smatch part;
  if (!std::regex_match(text, part, grammar)) return std::nullopt;
  const int tens = exponent_of(part[4]) - static_cast<int>(part[3].length()) + tens_of(part[5]);
  Decimal decimal(part[2].str() + part[3].str(), tens);
  for (int i = 0; i < 10 * thousands_of(part[5]); ++i) decimal.times(2);
  return std::pair{part[1].length() > 0, decimal};
}

/// What the text should read as; nothing where it should be refused.
std::optional<Value> reference(const std::string& text) {
  const auto decimal = decimal_of(text);
  if (!decimal) return std::nullopt;
  const std::string sign = decimal->first ? "-" : "";
  if (decimal->second.is_whole()) {
    const auto digits = decimal->second.whole(20);
    const auto whole = digits ? read_whole<std::int64_t>(sign + *digits) : std::nullopt;
    return whole ? std::optional<Value>(*whole) : std::nullopt;
  }
  const auto real = read_whole<double>(sign + decimal->second.text());
  if (!real) return std::nullopt;
  if (*real != std::trunc(*real)) return *real;
  // A fraction that rounds to a whole number is one, where whole numbers are still exact.
  return std::abs(*real) < 0x1p53 ? std::optional<Value>(static_cast<std::int64_t>(*real)) : std::nullopt;
}

void check_number(const std::string& text) {
  const NumberResult found = read_number(text);
  const auto expected = reference(text);
  promise(expected.has_value() == found.what.empty(), "the same texts are numbers: " + text);
  if (expected) promise(*expected == found.value, "the same number: " + text + " is " + to_text(found.value));
  promise(found.what.empty() == found.remedy.empty(), "what is wrong comes with what to do");
}

template <class T, class Text>
void check_typed(const Typed<T>& typed, Typed<T> (*read)(std::string_view), Text text) {
  promise(typed.value.has_value() == typed.what.empty(), "a value, or what is wrong");
  if (typed.value) promise(read(text(*typed.value)).value == typed.value, "reads back: " + text(*typed.value));
}

}  // namespace
}  // namespace assay::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  const std::string text(fuzz::text_of(data, std::min(size, fuzz::longest)));
  fuzz::check_number(text);
  fuzz::check_typed(read_duration(text), &read_duration, [](Nanoseconds value) { return duration_text(value); });
  fuzz::check_typed(read_share(text), &read_share, [](double value) { return number_text(value); });
  fuzz::check_typed(read_amount(text), &read_amount, [](double value) { return number_text(value); });
  fuzz::check_typed(read_count(text), &read_count, [](std::int64_t value) { return std::to_string(value); });
  fuzz::check_typed(read_seed(text), &read_seed, [](std::uint64_t value) { return std::to_string(value); });
  if (const auto value = parse_value(text)) fuzz::promise(to_text(*value) == text, "values have one text");
  return 0;
}
