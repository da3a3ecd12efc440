// SPDX-License-Identifier: Apache-2.0
// A factor's level: an integer, a real number or a word, with an exact text form.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace assay {

/// One level of a factor. The alternative is part of the value: 1 and 1.0 and "1" are three different levels.
using Value = std::variant<std::int64_t, double, std::string>;

/// Canonical text. Integers as digits; reals in the shortest form that reads back exactly, always with '.', 'e', "inf"
/// or "nan" (one text for every NaN); words bare when they are made of letters, digits and "_-+./:" and do not begin
/// like a number, else in double quotes with \" \\ \n \t \xHH escapes, pure ASCII. Independent of any locale.
std::string to_text(const Value& value);

/// Exact inverse of to_text; nothing when the text is not one canonical value.
std::optional<Value> parse_value(std::string_view text);

/// The value as a number, for quantitative factors; nothing for a word.
std::optional<double> number_of(const Value& value);

/// Shortest decimal text that reads back to exactly `number` (std::to_chars), "nan" and "inf" for the non-finite.
std::string to_text(double number);

}  // namespace assay
