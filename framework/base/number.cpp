// SPDX-License-Identifier: Apache-2.0
// The grammar of numbers, and their exact scaling.
#include "base/number.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <system_error>

#include "base/escape.hpp"

namespace assay {

namespace {

struct Suffix {
  std::string_view name;
  int tens = 0;  ///< times 10^tens
  int twos = 0;  ///< times 2^twos
};

constexpr std::array<Suffix, 11> suffixes = {{{"", 0, 0},
                                              {"k", 3, 0},
                                              {"M", 6, 0},
                                              {"G", 9, 0},
                                              {"Ki", 0, 10},
                                              {"Mi", 0, 20},
                                              {"Gi", 0, 30},
                                              {"ns", 0, 0},
                                              {"us", 3, 0},
                                              {"ms", 6, 0},
                                              {"s", 9, 0}}};

// digits * 10^tens * 2^twos, with a sign.
struct Decimal {
  bool negative = false;
  std::string digits;
  int tens = 0;
  int twos = 0;
};

constexpr int most_exponent = 9999;           // beyond it every number is out of range anyway
constexpr double exact_limit = 0x1p53;        // from here on, doubles skip integers
constexpr std::size_t most_int64_zeros = 19;  // 10^19 does not fit

// Removes and returns the digits at the start of `rest`.
std::string_view take_digits(std::string_view& rest) {
  const auto length = std::min(rest.find_first_not_of("0123456789"), rest.size());
  const auto taken = rest.substr(0, length);
  rest.remove_prefix(length);
  return taken;
}

bool take(std::string_view& rest, char letter) {
  if (rest.empty() || rest[0] != letter) return false;
  rest.remove_prefix(1);
  return true;
}

// Digits and fraction; false when malformed. Leading zeros are malformed because elsewhere they mean octal.
bool take_mantissa(std::string_view& rest, Decimal& number) {
  number.negative = take(rest, '-');
  number.digits = take_digits(rest);
  if (number.digits.empty() || (number.digits.size() > 1 && number.digits[0] == '0')) return false;
  if (!take(rest, '.')) return true;
  const auto fraction = take_digits(rest);
  number.digits += fraction;
  number.tens -= static_cast<int>(fraction.size());
  return !fraction.empty();
}

bool take_exponent(std::string_view& rest, Decimal& number) {
  if (!take(rest, 'e') && !take(rest, 'E')) return true;
  const bool negative = take(rest, '-');
  if (!negative) take(rest, '+');
  const auto digits = take_digits(rest);
  int exponent = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  if (read.ec == std::errc::result_out_of_range) exponent = most_exponent;
  number.tens += (negative ? -1 : 1) * std::min(exponent, most_exponent);
  return !digits.empty();
}

// One form for each value: no zeros at the end.
void strip(Decimal& number) {
  const auto last = number.digits.find_last_not_of('0');
  if (last == number.digits.npos) {
    number = {};
    number.digits = "0";
    return;
  }
  number.tens += static_cast<int>(number.digits.size() - last - 1);
  number.digits.resize(last + 1);
}

// Takes the factor 2^twos into the digits, as at school: what has a fraction before may be whole then.
void multiply_out(Decimal& number) {
  for (; number.twos > 0; --number.twos) {
    int carry = 0;
    for (std::size_t at = number.digits.size(); at-- > 0;) {
      carry += 2 * (number.digits[at] - '0');
      number.digits[at] = static_cast<char>('0' + carry % 10);
      carry /= 10;
    }
    if (carry > 0) number.digits.insert(number.digits.begin(), '1');
  }
  strip(number);
}

template <class Number>
std::optional<Number> read(const std::string& text) {
  Number number{};
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  if (result.ec != std::errc{}) return std::nullopt;
  return number;
}

// The integer, when the decimal is one and fits; `tens` is not negative.
std::optional<std::int64_t> integer_of(const Decimal& number) {
  const auto zeros = static_cast<std::size_t>(number.tens);
  if (zeros >= most_int64_zeros) return std::nullopt;
  const auto unscaled = read<std::int64_t>((number.negative ? "-" : "") + number.digits + std::string(zeros, '0'));
  if (!unscaled) return std::nullopt;
  const std::int64_t scaled = static_cast<std::int64_t>(static_cast<std::uint64_t>(*unscaled) << number.twos);
  if ((scaled >> number.twos) != *unscaled) return std::nullopt;
  return scaled;
}

NumberResult refused(std::string what, std::string remedy) { return {{}, std::move(what), std::move(remedy)}; }

// Suffixes as they are often written, with what stands for them here.
constexpr std::pair<std::string_view, std::string_view> misspelt_suffixes[] = {
    {"K", "Ki"},   {"KB", "Ki"}, {"kB", "Ki"},   {"kb", "Ki"},   {"Kb", "Ki"},  {"KiB", "Ki"}, {"Kib", "Ki"},
    {"MB", "Mi"},  {"Mb", "Mi"}, {"mb", "Mi"},   {"MiB", "Mi"},  {"GB", "Gi"},  {"Gb", "Gi"},  {"gb", "Gi"},
    {"GiB", "Gi"}, {"sec", "s"}, {"usec", "us"}, {"msec", "ms"}, {"nsec", "ns"}};

// `rest` is what could not be read.
std::string remedy_for(std::string_view text, std::string_view rest) {
  if (text.find_first_of("$`") != text.npos)
    return "environment variables and commands are not expanded in values; write the number itself";
  if (rest == "m" || rest == "min")
    return "minutes and milli are not distinguished; write ms, M, or seconds as in 300s";
  const auto number = std::string(text.substr(0, text.size() - rest.size()));
  for (const auto& [written, meant] : misspelt_suffixes)
    if (rest == written && !number.empty()) {
      const std::string binary(meant);
      std::string remedy = "did you mean '" + number + binary + "'";
      if (binary == "Ki" || binary == "Mi" || binary == "Gi")
        remedy += binary == "Ki" ? " (1024) or '" + number + "k' (1000)"
                                 : " (powers of 1024) or '" + number + binary[0] + "'";
      return remedy + "?";
    }
  return "write digits, with '.' as the decimal point, and one of the suffixes Ki Mi Gi, k M G, ns us ms s";
}

NumberResult real_of(const Decimal& number, std::string_view text) {
  const auto real = read<double>((number.negative ? "-" : "") + number.digits + "e" + std::to_string(number.tens));
  if (!real) return refused("out of range: " + excerpt(text), "write a number of ordinary size");
  if (*real != std::trunc(*real)) return {*real, {}, {}};
  if (std::abs(*real) < exact_limit) return {static_cast<std::int64_t>(*real), {}, {}};
  return refused("too many digits: " + excerpt(text), "write fewer digits");
}

NumberResult value_of(Decimal number, std::string_view text) {
  if (number.tens < 0) multiply_out(number);
  if (number.tens < 0) return real_of(number, text);
  if (const auto integer = integer_of(number)) return {*integer, {}, {}};
  return refused("out of range: " + excerpt(text), "whole numbers reach from -2^63 to 2^63-1");
}

}  // namespace

NumberResult read_number(std::string_view text) {
  Decimal number;
  std::string_view rest = text;
  const bool well_formed = take_mantissa(rest, number) && take_exponent(rest, number);
  const auto suffix =
      std::find_if(suffixes.begin(), suffixes.end(), [&rest](const Suffix& known) { return known.name == rest; });
  if (!well_formed || suffix == suffixes.end())
    return refused("not a number: " + excerpt(text), remedy_for(text, rest));
  number.tens += suffix->tens;
  number.twos = suffix->twos;
  strip(number);
  return value_of(number, text);
}

}  // namespace assay
