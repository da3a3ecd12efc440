// SPDX-License-Identifier: Apache-2.0
// Quantities computed from independent estimates, never measured, with intervals: differences, ratios, any formula, and
// the least and the greatest of several.
#pragma once
#include <functional>
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

/// A number that is known: an estimate whose interval is itself, at level 1.
Estimate exactly_known(double value);

/// A formula over as many numbers as there are inputs; not finite where it has no value.
using FormulaOf = std::function<double(std::span<const double>)>;

/// The formula's value at the estimates. Each input in turn is moved to either end of its interval; the changes of one
/// sign combine in quadrature, each sign by itself: MOVER (Zou and Donner, Statistics in Medicine 27, 2008) carried
/// from sums to formulas. For sums and differences it is MOVER itself; an input that occurs several times counts once,
/// as what it is. Good as far as the formula is monotone in each input over its interval. The level is the lowest of
/// the inputs'. Not valid when an input has no interval, or the formula no finite value at one of the ends.
Derived propagated(std::span<const Estimate> inputs, const FormulaOf& formula);

/// The least of the true values that the estimates are of. The value is the least estimate; it errs downwards, since of
/// several errors the lowest is chosen, and the interval allows for that. Its lower end is the least lower end: it is
/// no higher than that of the true least, so that it needs no correction. Its upper end is the least of the upper ends,
/// each moved outwards for as many comparisons as there are estimates (Bonferroni, by normal quantiles). Both hold
/// whatever the estimates' dependence. Without an interval where any has none: it might be the least. Of one estimate
/// it is that estimate. Throws std::invalid_argument where there is none.
Estimate least_of(std::span<const Estimate> estimates);
/// The same upside down.
Estimate greatest_of(std::span<const Estimate> estimates);

}  // namespace assay
