// SPDX-License-Identifier: Apache-2.0
// Quantiles and probabilities of the standard distributions.
#pragma once

namespace assay {

/// Probability that a variate of the F law exceeds x; 1 for x <= 0. Degrees of freedom are positive (std::domain_error
/// otherwise).
double fisher_above(double x, double numerator_freedom, double denominator_freedom);

}  // namespace assay
