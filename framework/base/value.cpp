// SPDX-License-Identifier: Apache-2.0
// The exact text form of levels.
#include "base/value.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

#include "base/escape.hpp"

namespace assay {

namespace {

constexpr std::string_view decimal_digits = "0123456789";
constexpr std::string_view bare_letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:";

template <class Number>
std::optional<Number> read(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

// Wider than what from_chars reads, so that people and other programs do not take a bare word for a number either.
bool begins_like_number(std::string_view word) {
  word.remove_prefix(std::min(word.find_first_not_of("+-."), word.size()));
  return word.find_first_of(decimal_digits) == 0 || read<double>(word);
}

bool can_stand_bare(std::string_view word) {
  return !word.empty() && word.find_first_not_of(bare_letters) == word.npos && !begins_like_number(word);
}

std::string real_text(double number) {
  std::string text = to_text(number);
  if (text.find_first_of(".en") == text.npos) text += ".0";
  return text;
}

// The value that the text most likely stands for, canonical or not.
std::optional<Value> interpreted(std::string_view text) {
  if (text.substr(0, 1) == "\"") {
    auto quoted = unquoted(text);
    if (!quoted || quoted->length != text.size()) return std::nullopt;
    return Value(std::move(quoted->content));
  }
  if (const auto integer = read<std::int64_t>(text)) return Value(*integer);
  if (const auto real = read<double>(text)) return Value(*real);
  return Value(std::string(text));
}

}  // namespace

std::string to_text(double number) {
  if (std::isnan(number)) return "nan";
  std::array<char, 32> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr};
}

std::string to_text(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&value)) return real_text(*real);
  const auto& word = std::get<std::string>(value);
  return can_stand_bare(word) ? word : in_quotes(word);
}

std::optional<Value> parse_value(std::string_view text) {
  auto value = interpreted(text);
  // One value has one text: whatever would be written otherwise is refused.
  if (!value || to_text(*value) != text) return std::nullopt;
  return value;
}

std::optional<double> number_of(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

}  // namespace assay
