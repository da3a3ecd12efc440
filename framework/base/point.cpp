// SPDX-License-Identifier: Apache-2.0
// Points and their exact text form.
#include "base/point.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/escape.hpp"

namespace assay {

namespace {

constexpr std::string_view name_letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

bool is_factor_name(std::string_view name) {
  return !name.empty() && name.find_first_not_of(name_letters) == name.npos;
}

// Equal levels must have equal texts: there is one zero, and NaN, which equals nothing, is no level.
Value comparable(Value level) {
  double* const real = std::get_if<double>(&level);
  if (real == nullptr) return level;
  if (std::isnan(*real)) throw std::invalid_argument("NaN is not a level");
  if (*real == 0) *real = 0;
  return level;
}

// How many bytes at the start of `text` are one level.
std::optional<std::size_t> level_length(std::string_view text) {
  if (text.substr(0, 1) != "\"") return std::min(text.find(' '), text.size());
  const auto quoted = unquoted(text);
  if (!quoted) return std::nullopt;
  return quoted->length;
}

struct Pair {
  std::string_view name;
  Value level;
  std::size_t length = 0;
};

std::optional<Pair> first_pair(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == text.npos || !is_factor_name(text.substr(0, equals))) return std::nullopt;
  const auto length = level_length(text.substr(equals + 1));
  if (!length) return std::nullopt;
  auto level = parse_value(text.substr(equals + 1, *length));
  if (!level) return std::nullopt;
  return Pair{text.substr(0, equals), std::move(*level), equals + 1 + *length};
}

bool is_nan(const Value& level) { return std::isnan(number_of(level).value_or(0)); }

// Pairs up to the end, in place; false when one is malformed.
bool read_pairs(std::string_view text, Point& point) {
  for (;;) {
    auto pair = first_pair(text);
    if (!pair || is_nan(pair->level)) return false;
    point.set(pair->name, std::move(pair->level));
    text.remove_prefix(pair->length);
    if (text.empty()) return true;
    if (text[0] != ' ') return false;
    text.remove_prefix(1);
  }
}

}  // namespace

void Point::set(std::string_view factor, Value level) {
  if (!is_factor_name(factor)) throw std::invalid_argument("not a factor name: " + in_quotes(factor));
  level = comparable(std::move(level));
  const auto at =
      std::find_if(levels_.begin(), levels_.end(), [factor](const auto& pair) { return pair.first == factor; });
  if (at == levels_.end()) {
    levels_.emplace_back(factor, std::move(level));
  } else {
    at->second = std::move(level);
  }
}

const Value* Point::find(std::string_view factor) const {
  for (const auto& [name, level] : levels_) {
    if (name == factor) return &level;
  }
  return nullptr;
}

const Value& Point::level(std::string_view factor) const {
  if (const Value* const level = find(factor)) return *level;
  throw std::out_of_range("no factor " + in_quotes(factor) + " in point " + in_quotes(to_text(*this)));
}

std::string Point::text(std::string_view factor) const {
  const Value& value = level(factor);
  const auto* const word = std::get_if<std::string>(&value);
  return word != nullptr ? *word : to_text(value);
}

Point Point::without(std::string_view factor) const {
  Point rest = *this;
  std::erase_if(rest.levels_, [factor](const auto& pair) { return pair.first == factor; });
  return rest;
}

std::string to_text(const Point& point) {
  std::string text;
  for (const auto& [name, level] : point.levels()) {
    if (!text.empty()) text += ' ';
    text.append(name).append("=").append(to_text(level));
  }
  return text;
}

std::optional<Point> parse_point(std::string_view text) {
  Point point;
  if (text.empty()) return point;
  // What setting changes, a repeated name or a negative zero, shows on the way back.
  if (!read_pairs(text, point) || to_text(point) != text) return std::nullopt;
  return point;
}

}  // namespace assay
