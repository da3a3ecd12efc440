// SPDX-License-Identifier: Apache-2.0
// Values of options as typed numbers, and back to canonical text.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.hpp"

namespace assay {

/// Either a value, or what is wrong with the text, which the caller shows in front ("is not a duration"), and what to
/// write instead.
template <class T>
struct Typed {
  std::optional<T> value;
  std::string what;
  std::string remedy;
};

/// A whole number of at least 0, optionally with k, M, G, Ki, Mi or Gi: "4000", "4k".
Typed<std::int64_t> read_count(std::string_view text);
/// A whole number up to 2^64-1, digits only: a seed.
Typed<std::uint64_t> read_seed(std::string_view text);
/// A share as number or percentage: "0.02", "2%".
Typed<double> read_share(std::string_view text);
/// Shares that something may be: above 0.
struct ShareRange {
  double most;
  std::string_view words;  ///< behind "must be"
  bool holds(double share) const { return share > 0 && share <= most; }
};
inline constexpr ShareRange any_share{1, "above 0 and at most 1"};
/// A duration of at least 0 with its unit, ns us ms s min or h, a space before it allowed: "5ms", "10 min". 0 needs no
/// unit.
Typed<Nanoseconds> read_duration(std::string_view text);
/// A plain number, or a time, which is taken in nanoseconds: "5ns", "0.5".
Typed<double> read_amount(std::string_view text);

/// A number as text: a whole one below 2^53 in digits without an exponent, others in shortest exact form.
std::string number_text(double number);
/// The duration in the largest unit that gives a whole number: "5ms", "1500ns". read_duration reads it back exactly.
/// For everything but rules, whose texts have text/number_format.hpp's exact().
std::string duration_text(Nanoseconds duration);

}  // namespace assay
