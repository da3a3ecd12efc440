// SPDX-License-Identifier: Apache-2.0
// Arithmetic and geometric ranges, exact over integers and clean over reals.
#include "base/levels.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>

namespace assay {

namespace {

constexpr double smallest_relative_step = 1e-12;
constexpr double hit = 1e-9;  // part of a step by which a level may miss the last one and still be it
constexpr double integer_limit = 0x1p63;

double real(const Value& value) { return number_of(value).value_or(0); }

bool is_integer(const Value& value) { return std::holds_alternative<std::int64_t>(value); }

bool above(const Value& a, const Value& b) {
  if (is_integer(a) && is_integer(b)) return std::get<std::int64_t>(a) > std::get<std::int64_t>(b);
  return real(a) > real(b);
}

// Without the noise of binary fractions: 15 digits survive the way through a double.
double clean(double number) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::scientific, 14).ptr;
  std::from_chars(text.data(), end, number);
  return number;
}

Value level_of(double number) {
  if (number != std::trunc(number)) number = clean(number);
  if (number == std::trunc(number) && std::abs(number) < integer_limit) return static_cast<std::int64_t>(number);
  return number;
}

bool all_integers(const SteppedRange& range) {
  return is_integer(range.first) && is_integer(range.last) && is_integer(range.step);
}

LevelsResult wrong(RangePart part, std::string what, std::string remedy) {
  return {{}, part, std::move(what), std::move(remedy)};
}

// True when the step is so small that neighbouring levels differ by rounding only.
bool swallowed(const SteppedRange& range) {
  if (range.geometric) return real(range.step) - 1 < smallest_relative_step;
  if (all_integers(range)) return false;
  const double magnitude = std::max(std::abs(real(range.first)), std::abs(real(range.last)));
  return real(range.step) < magnitude * smallest_relative_step;
}

LevelsResult check_step(const SteppedRange& range) {
  if (range.geometric && real(range.first) <= 0) {
    return wrong(RangePart::ends, "a geometric range starts above 0", "start at 1, or list 0 beside the range");
  }
  if (range.geometric && real(range.step) <= 1) {
    return wrong(RangePart::step, "the factor of a geometric range is above 1", "write *2, for example");
  }
  if (real(range.step) <= 0) return wrong(RangePart::step, "the step of a range is above 0", "write +1, for example");
  if (swallowed(range))
    return wrong(RangePart::step, "the step is too small to distinguish levels", "take a larger one");
  return {};
}

// The distance between two integers, which can be wider than a signed integer.
std::uint64_t distance(const Value& first, const Value& last) {
  return static_cast<std::uint64_t>(std::get<std::int64_t>(last)) -
         static_cast<std::uint64_t>(std::get<std::int64_t>(first));
}

// How many levels lie below the last one: exact over integers, else within one.
double levels_below_last(const SteppedRange& range) {
  const double first = real(range.first);
  const double last = real(range.last);
  if (range.geometric) return std::ceil((std::log(last) - std::log(first)) / std::log(real(range.step)) - hit);
  if (!all_integers(range)) return std::ceil((last - first) / real(range.step) - hit);
  const auto width = distance(range.first, range.last);
  const auto step = static_cast<std::uint64_t>(std::get<std::int64_t>(range.step));
  const std::uint64_t steps = width / step + (width % step == 0 ? 0 : 1);
  return static_cast<double>(steps);
}

using Level = std::function<Value(std::size_t)>;

std::int64_t integer_sum(const SteppedRange& range, std::size_t i) {
  // In unsigned arithmetic, because the whole range may be wider than a signed integer.
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(std::get<std::int64_t>(range.first)) +
                                   static_cast<std::uint64_t>(std::get<std::int64_t>(range.step)) * i);
}

Level arithmetic(const SteppedRange& range) {
  if (all_integers(range)) {
    return [&range](std::size_t i) -> Value { return integer_sum(range, i); };
  }
  return [first = real(range.first), step = real(range.step)](std::size_t i) {
    return level_of(first + step * static_cast<double>(i));
  };
}

Level geometric(const SteppedRange& range) {
  const double first = real(range.first);
  const double factor = real(range.step);
  const auto at = [first, factor](std::size_t i) { return first * std::pow(factor, static_cast<double>(i)); };
  if (!is_integer(range.first) || !is_integer(range.last)) return [at](std::size_t i) { return level_of(at(i)); };
  return [at, last = std::get<std::int64_t>(range.last)](std::size_t i) -> Value {
    const double level = at(i);
    // Below the last level, rounding cannot leave the integers.
    return level < static_cast<double>(last) ? static_cast<std::int64_t>(std::llround(level)) : last;
  };
}

// Powers of an integer, exact where doubles are not.
std::vector<Value> integer_powers(std::int64_t level, std::int64_t last, std::int64_t factor) {
  std::vector<Value> levels;
  for (; level < last; level *= factor) {
    levels.emplace_back(level);
    if (level > last / factor) break;
  }
  levels.emplace_back(last);
  return levels;
}

// True when `level` is the last one but for rounding, or beyond it.
bool reaches(const Value& level, const SteppedRange& range) {
  if (is_integer(level) && is_integer(range.last)) return !above(range.last, level);
  const double step = range.geometric ? real(range.last) * (real(range.step) - 1) : real(range.step);
  return real(range.last) - real(level) < hit * step;
}

std::vector<Value> levels_of(const SteppedRange& range, std::size_t below_last) {
  std::vector<Value> levels;
  const Level level = range.geometric ? geometric(range) : arithmetic(range);
  // One more than estimated, because the estimate is within one; where that one overflows, it is not above the others.
  for (std::size_t i = 0; i <= below_last; ++i) {
    Value next = i == 0 ? range.first : level(i);
    // The first level is one of its own, however small the range is against the step.
    if (i == 0 ? !above(range.last, next) : reaches(next, range)) break;
    if (levels.empty() || above(next, levels.back())) levels.push_back(std::move(next));
  }
  levels.push_back(range.last);
  return levels;
}

}  // namespace

LevelsResult check_ends(const Value& first, const Value& last) {
  if (above(first, last)) return wrong(RangePart::ends, "the range starts above its end", "swap the ends");
  return {};
}

LevelsResult expand(const SteppedRange& range, std::size_t limit) {
  if (auto ends = check_ends(range.first, range.last); ends.wrong != RangePart::none) return ends;
  if (auto step = check_step(range); step.wrong != RangePart::none) return step;
  const double below_last = levels_below_last(range);
  if (below_last + 1 > static_cast<double>(limit)) {
    return wrong(RangePart::size, "the range has more levels than are allowed", "take a larger step");
  }
  LevelsResult result;
  if (range.geometric && all_integers(range)) {
    result.levels = integer_powers(std::get<std::int64_t>(range.first), std::get<std::int64_t>(range.last),
                                   std::get<std::int64_t>(range.step));
  } else {
    result.levels = levels_of(range, static_cast<std::size_t>(below_last));
  }
  return result;
}

}  // namespace assay
