// SPDX-License-Identifier: Apache-2.0
// Formats numbers for people, without any locale.
#include "text/number_format.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "base/number.hpp"
#include "base/typed.hpp"
#include "base/value.hpp"

namespace assay {
namespace {

struct DurationScale {
  double nanoseconds;
  const char* unit;
};

DurationScale scale_of(Nanoseconds duration) {
  constexpr std::array<DurationScale, 3> scales{{{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}}};
  for (const DurationScale& scale : scales)
    if (duration.count >= scale.nanoseconds) return scale;
  return {1, "ns"};
}

}  // namespace

std::string rounded(double number) {
  std::array<char, 32> text{};
  // Beyond these bounds digits without an exponent would fill the line.
  const bool whole = std::abs(number) >= 1000 && std::abs(number) < 1e15;
  const auto format = whole ? std::chars_format::fixed : std::chars_format::general;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number, format, whole ? 0 : 3).ptr;
  return {text.data(), end};
}

std::string percent(double share) { return rounded(share * 100) + " %"; }

std::string counted(std::size_t count, std::string_view noun) {
  const bool hisses = noun.ends_with('s') || noun.ends_with('x') || noun.ends_with("ch");
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : hisses ? "es" : "s");
}

std::string rounded(Nanoseconds duration) {
  const DurationScale scale = scale_of(duration);
  return rounded(duration.count / scale.nanoseconds) + " " + scale.unit;
}

std::string in_seconds(Nanoseconds duration) { return to_text(duration / seconds(1)) + " s"; }

std::string exact(Nanoseconds duration) {
  const DurationScale scale = scale_of(duration);
  std::string text = to_text(duration.count / scale.nanoseconds) + scale.unit;
  // The quotient is rounded; where that shows, nanoseconds are the unit that has no quotient.
  return number_of(read_number(text).value) == duration.count ? text : to_text(duration.count) + "ns";
}

std::string rough_duration(Nanoseconds duration) {
  const auto whole = [](double number) { return number_text(std::round(number)); };
  const double seconds = std::round(duration.count / 1e9);
  if (duration.count < 1e6) return whole(duration.count / 1e3) + " us";
  if (duration.count < 1e9) return whole(duration.count / 1e6) + " ms";
  if (seconds < 60) return whole(seconds) + " s";
  const double minutes = std::trunc(seconds / 60);
  if (minutes < 60) return whole(minutes) + " min " + whole(seconds - minutes * 60) + " s";
  const double hours = std::trunc(minutes / 60);
  return whole(hours) + " h " + whole(minutes - hours * 60) + " min";
}

std::string comparison(std::string_view what, double width, double tolerance, double value, double eps) {
  const double size = std::abs(value);
  const bool is_relative = size > 0 && tolerance <= eps * size;
  const std::string sign = width <= tolerance ? " <= " : " > ";
  const auto shown = [&](double number) { return is_relative ? percent(number / size) : rounded(number); };
  return std::string(what) + " " + shown(width) + sign + (is_relative ? percent(eps) : rounded(tolerance));
}

}  // namespace assay
