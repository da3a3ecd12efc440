// SPDX-License-Identifier: Apache-2.0
// Numbers by the reader of domains, with the units that each type allows.
#include "base/typed.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

#include "base/number.hpp"
#include "base/value.hpp"

namespace assay {

namespace {

struct TimeUnit {
  std::string_view name;
  double ns;
};
// From large to small; read_number shifts the decimal point exactly for those that it knows.
constexpr std::array<TimeUnit, 6> time_units = {
    {{"h", 3600e9}, {"min", 60e9}, {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}}};

// Letters at the end, an exponent not being among them since digits follow it.
std::string_view suffix_of(std::string_view text) {
  const auto last = text.find_last_of("0123456789.");
  return last == text.npos ? text : text.substr(last + 1);
}

std::string_view without_blanks(std::string_view text) {
  const auto last = text.find_last_not_of(" \t");
  return text.substr(0, last == text.npos ? 0 : last + 1);
}

template <class T>
Typed<T> refused(const std::string& expected, std::string remedy) {
  return {{}, "is not " + expected, std::move(remedy)};
}

constexpr double whole_limit = 0x1p63;  // a whole number from here on is not read, so neither is what comes to one

std::optional<double> plain_number(std::string_view text) {
  const auto number = read_number(text);
  const auto real = number.what.empty() ? number_of(number.value) : std::nullopt;
  return real && std::abs(*real) < whole_limit ? real : std::nullopt;
}

Typed<Nanoseconds> too_long() {
  return refused<Nanoseconds>("a duration of less than 292 years", "write a shorter one");
}

}  // namespace

Typed<std::int64_t> read_count(std::string_view text) {
  const auto suffix = suffix_of(text);
  const auto number = read_number(text);
  const auto* whole = std::get_if<std::int64_t>(&number.value);
  if (!number.what.empty() || whole == nullptr || *whole < 0 || suffix.ends_with('s'))
    return refused<std::int64_t>("a whole number of at least 0", "write digits, as in 4000 or 4k");
  return {*whole, {}, {}};
}

Typed<std::uint64_t> read_seed(std::string_view text) {
  std::uint64_t seed = 0;
  const auto end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, seed);
  if (read.ec != std::errc{} || read.ptr != end)
    return refused<std::uint64_t>("a whole number from 0 to 2^64-1", "write digits only");
  return {seed, {}, {}};
}

Typed<double> read_share(std::string_view text) {
  const bool percent = text.ends_with('%');
  const auto digits = percent ? without_blanks(text.substr(0, text.size() - 1)) : text;
  const auto number = suffix_of(digits).empty() ? plain_number(digits) : std::nullopt;
  if (!number) return refused<double>("a number or percentage", "write 0.02 or 2%, with '.' as the decimal point");
  return {percent ? *number / 100 : *number, {}, {}};
}

Typed<Nanoseconds> read_duration(std::string_view text) {
  const auto suffix = suffix_of(text);
  const auto name = suffix.substr(std::min(suffix.find_first_not_of(' '), suffix.size()));
  const auto digits = text.substr(0, text.size() - suffix.size());
  const auto unit =
      std::find_if(time_units.begin(), time_units.end(), [name](auto known) { return known.name == name; });
  if (name.empty() && plain_number(digits) == 0.0) return {Nanoseconds{}, {}, {}};
  const bool is_long = name == "h" || name == "min";
  // A number of nanoseconds may be too large where the number that is written is not.
  const bool is_known = unit != time_units.end();
  if (is_known && plain_number(digits).value_or(0) * unit->ns >= whole_limit) return too_long();
  const auto number = plain_number(is_long ? std::string(digits) : std::string(digits) + std::string(name));
  if (!number || *number < 0 || !is_known)
    return refused<Nanoseconds>("a duration", "write a number with its unit, ns us ms s min or h, as in 5ms");
  return {Nanoseconds{is_long ? *number * unit->ns : *number}, {}, {}};
}

Typed<double> read_amount(std::string_view text) {
  if (const auto number = suffix_of(text).empty() ? plain_number(text) : std::nullopt) return {number, {}, {}};
  if (const auto duration = read_duration(text); duration.value) return {duration.value->count, {}, {}};
  return refused<double>("a number or a time", "write 5ns, or a number in the quantity's unit");
}

std::string number_text(double number) {
  constexpr double exact_limit = 0x1p53;
  if (number != std::trunc(number) || std::abs(number) >= exact_limit) return to_text(number);
  return std::to_string(static_cast<std::int64_t>(number));
}

std::string duration_text(Nanoseconds duration) {
  for (const TimeUnit& unit : time_units) {
    const double number = duration.count / unit.ns;
    if (number >= 1 && number == std::trunc(number) && number * unit.ns == duration.count)
      return number_text(number) + std::string(unit.name);
  }
  return duration.count == 0 ? "0" : number_text(duration.count) + "ns";
}

}  // namespace assay
