// SPDX-License-Identifier: Apache-2.0
// The levels that one refined factor can have: its scale, where to start, and how to split a gap.
#pragma once
#include <map>
#include <optional>

#include "base/factor.hpp"

namespace assay {

/// The scale of a refined factor. Logarithmic when the levels span a factor of 8 or more from at least 1, else linear.
class Axis {
 public:
  /// From the levels of a domain. Throws std::invalid_argument when one is a word or there is none.
  explicit Axis(const Domain& domain);

  /// Where to start, by abscissa: three or more listed levels; else both ends with powers of 4 between them (powers
  /// of 2 up to 4096 or fewer than 32 integers; five equidistant ones on a linear scale), thinned to `most`.
  std::map<double, Value> start(std::size_t most) const;
  /// Width of a gap: logarithm of its ends' ratio, or share of the range.
  double width(double low, double high) const;
  /// Splits a gap in the middle of the scale: an integer when all listed levels are, a multiple where the domain asks
  /// for multiples, else four significant digits. Nothing when no new level lies between.
  std::optional<double> split(double low, double high) const;
  /// A level as it stands in points.
  Value value(double x) const;
  bool logarithmic() const { return logarithmic_; }

 private:
  std::map<double, Value> between_ends() const;
  void add_powers(std::map<double, Value>& levels) const;
  void add_between(std::map<double, Value>& levels, double x) const;
  std::optional<double> multiple_near(double x, double low, double high) const;

  std::map<double, Value> listed_;
  double low_ = 0;
  double high_ = 0;
  bool open_range_ = false;
  bool integral_ = true;
  bool logarithmic_ = false;
  double multiple_ = 1;
};

/// Width below which a gap is not split: 1 % on either scale.
inline constexpr double least_width = 0.01;

}  // namespace assay
