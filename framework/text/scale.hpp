// SPDX-License-Identifier: Apache-2.0
// Units of people's size, and digits that an interval supports.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"

namespace assay {

/// The unit with this symbol.
std::optional<Unit> parse_unit(std::string_view text);

/// What one of a multiple of a unit is, written as in tables: 1000 for "us", 1e6 for "MB" and "MB/s", 0.01 for "%", 1
/// for "1" and "1/s". Times are in ns, frequencies in 1/s. Nothing for an unknown one.
std::optional<double> multiple_named(std::string_view name);

/// A multiple of a unit: "us" is 1000 ns.
struct Scale {
  double size = 1;  ///< in the unit
  std::string name;
  friend bool operator==(const Scale&, const Scale&) = default;
};

/// The largest multiple that leaves at least 1 before the point: ns us ms s; B KiB MiB GiB TiB (also per second);
/// powers of 1000 with k, M, G for counts and 1/s; none for ratios. The unit itself for values below 1 and those not
/// finite.
Scale scale_of(double value, Unit unit);

/// One multiple in which all values can be read: the one of the smallest when the largest stays below 10 000 in it,
/// else the one of the largest when the smallest stays at least 0.01; nothing when they are too far apart. Zeros and
/// values that are not finite do not count.
std::optional<Scale> common_scale(const std::vector<double>& values, Unit unit);

/// Decimals down to the second significant digit of the half-width, at least one significant digit of the value and at
/// most six of them. `half_width` 0 means an exact value, infinity or NaN that nothing is known: three significant
/// digits then. A negative result means rounding to tens, hundreds, ...
int decimals_for(double value, double half_width);

/// The value with so many decimals; "nan", "inf", "-inf".
std::string fixed_text(double value, int decimals);

}  // namespace assay
