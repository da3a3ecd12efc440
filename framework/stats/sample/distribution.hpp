// SPDX-License-Identifier: Apache-2.0
// Quantiles and probabilities of the standard distributions.
#pragma once
#include <cstddef>

namespace assay {

/// Probability that a standard normal variate exceeds x.
double normal_above(double x);

/// Probability that a variate of the F law exceeds x; 1 for x <= 0. Degrees of freedom are positive (std::domain_error
/// otherwise).
double fisher_above(double x, double numerator_freedom, double denominator_freedom);

/// In how many ways k of n things can be chosen; k <= n (std::domain_error otherwise). Infinite beyond a double.
double binomial_coefficient(std::size_t n, std::size_t k);

}  // namespace assay
