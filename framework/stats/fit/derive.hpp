// SPDX-License-Identifier: Apache-2.0
// Quantities computed from estimates, never measured: differences and ratios, with their intervals propagated.
#pragma once
#include <span>
#include <string>

#include "stats/rule/stopping_rule.hpp"

namespace assay {

/// A derived value. `valid` is false, with the reason, when an input has no interval, a denominator's interval contains
/// 0, a slope has fewer than three abscissas, and so on; the number is then not to be used.
struct Derived {
  double value = 0;
  Interval interval;
  bool valid = false;
  std::string reason;
};

/// None, for that reason: not a number, and without an interval.
Derived not_derived(std::string reason);

/// a - b. Half-widths of independent estimates combine in quadrature, each side by itself (MOVER: Zou and Donner,
/// Statistics in Medicine 27, 2008). The level is the lower of the two.
Derived difference(const Estimate& a, const Estimate& b);
/// a / b for positive estimates whose intervals are positive too: the difference of the logarithms, transformed back.
Derived ratio(const Estimate& a, const Estimate& b);

/// One abscissa of a slope.
struct Abscissa {
  double x = 0;
  Estimate y;
};

}  // namespace assay
