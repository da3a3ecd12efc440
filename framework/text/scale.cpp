// SPDX-License-Identifier: Apache-2.0
// Choosing multiples of units and numbers of decimals.
#include "text/scale.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>

#include "base/value.hpp"

namespace assay {

namespace {

struct Step {
  double size;
  const char* name;
};

constexpr double kibi = 1024;
constexpr Step times[] = {{1, "ns"}, {1e3, "us"}, {1e6, "ms"}, {1e9, "s"}};
constexpr Step sizes[] = {
    {1, "B"}, {kibi, "KiB"}, {kibi * kibi, "MiB"}, {kibi * kibi * kibi, "GiB"}, {kibi * kibi * kibi * kibi, "TiB"}};
constexpr Step flows[] = {{1, "B/s"},
                          {kibi, "KiB/s"},
                          {kibi * kibi, "MiB/s"},
                          {kibi * kibi * kibi, "GiB/s"},
                          {kibi * kibi * kibi * kibi, "TiB/s"}};
constexpr Step rates[] = {{1, "1/s"}, {1e3, "k/s"}, {1e6, "M/s"}, {1e9, "G/s"}};
constexpr Step count_steps[] = {{1, "1"}, {1e3, "k"}, {1e6, "M"}, {1e9, "G"}};
constexpr Step ratios[] = {{1, "ratio"}};

// In tables of others a megabyte is a million.
constexpr Step further[] = {{60e9, "min"}, {1e3, "KB"}, {1e6, "MB"},  {1e9, "GB"},  {1e3, "KB/s"}, {1e6, "MB/s"},
                            {1e9, "GB/s"}, {1, "Hz"},   {1e3, "kHz"}, {1e6, "MHz"}, {1e9, "GHz"},  {0.01, "%"}};

std::span<const Step> steps_of(Unit unit) {
  switch (unit) {
    case Unit::nanoseconds:
      return times;
    case Unit::bytes:
      return sizes;
    case Unit::bytes_per_second:
      return flows;
    case Unit::per_second:
      return rates;
    case Unit::count:
      return count_steps;
    case Unit::ratio:
      return ratios;
  }
  return ratios;
}

// Power of ten of the first significant digit.
int exponent_of(double value) { return static_cast<int>(std::floor(std::log10(std::abs(value)))); }

// The decimals that show a value in six significant digits, and no zeros at their end.
int exact_decimals(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed,
                                 std::clamp(5 - exponent_of(value), 0, 15));
  std::string_view text(buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data()));
  const auto point = text.find('.');
  if (end.ec != std::errc{} || point == text.npos) return 0;
  return static_cast<int>(text.find_last_not_of('0') - point);
}

}  // namespace

std::optional<double> multiple_named(std::string_view name) {
  for (const std::span<const Step> steps :
       {std::span<const Step>(times), std::span<const Step>(sizes), std::span<const Step>(flows),
        std::span<const Step>(rates), std::span<const Step>(count_steps), std::span<const Step>(further)})
    for (const Step& step : steps)
      if (step.name == name) return step.size;
  return std::nullopt;
}

std::optional<Unit> parse_unit(std::string_view text) {
  for (const Unit unit :
       {Unit::nanoseconds, Unit::count, Unit::bytes, Unit::bytes_per_second, Unit::per_second, Unit::ratio})
    if (text == symbol(unit)) return unit;
  return std::nullopt;
}

Scale scale_of(double value, Unit unit) {
  const auto steps = steps_of(unit);
  Step best = steps.front();
  for (const Step step : steps)
    if (std::isfinite(value) && std::abs(value) >= step.size) best = step;
  return {best.size, best.name};
}

std::optional<Scale> common_scale(const std::vector<double>& values, Unit unit) {
  std::vector<double> sizes_seen;
  for (const double value : values)
    if (std::isfinite(value) && value != 0) sizes_seen.push_back(std::abs(value));
  if (sizes_seen.empty()) return scale_of(0, unit);
  const auto [least, most] = std::ranges::minmax(sizes_seen);
  const Scale small = scale_of(least, unit);
  if (most / small.size < 1e4) return small;
  const Scale large = scale_of(most, unit);
  if (least / large.size >= 0.01) return large;
  return std::nullopt;
}

int decimals_for(double value, double half_width) {
  if (!std::isfinite(value)) return 0;
  if (value == 0)
    return half_width > 0 && std::isfinite(half_width) ? std::clamp(1 - exponent_of(half_width), 0, 15) : 0;
  const int first = -exponent_of(value);
  if (half_width == 0) return exact_decimals(value);
  if (!std::isfinite(half_width)) return std::clamp(first + 2, -15, 15);
  return std::clamp(std::clamp(1 - exponent_of(half_width), first, first + 5), -15, 15);
}

std::string fixed_text(double value, int decimals) {
  if (!std::isfinite(value)) return to_text(value);
  if (decimals < 0) {
    const double tens = std::pow(10.0, -decimals);
    value = std::round(value / tens) * tens;
  }
  // Room for the longest double: 309 digits, a sign, a point and 15 decimals.
  std::array<char, 352> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed,
                                 std::clamp(decimals, 0, 15));
  return {buffer.data(), end.ptr};
}

}  // namespace assay
