// SPDX-License-Identifier: Apache-2.0
// The interval of any formula over independent estimates.
#pragma once
#include <functional>
#include <span>

#include "stats/fit/derive.hpp"
#include "stats/rule/stopping_rule.hpp"

namespace assay {

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

}  // namespace assay
