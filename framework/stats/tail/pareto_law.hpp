// SPDX-License-Identifier: Apache-2.0
// The generalised Pareto law: what the excesses over a high threshold follow.
#pragma once

namespace assay {

/// The law of excesses y > 0 over a threshold: P(Y > y) = (1 + shape y / scale)^(-1 / shape), and exp(-y / scale) for
/// shape 0. Of nearly every law the excesses over a threshold that rises follow it in the limit (Pickands, Statistical
/// inference using extreme order statistics, Annals of Statistics 3, 1975). Shape > 0: a heavy tail without moments of
/// order 1 / shape; shape < 0: none exceeds -scale / shape.
struct ParetoLaw {
  double shape = 0;
  double scale = 1;  ///< positive, in the unit of the excesses

  /// Probability that an excess is larger than y; 1 for y <= 0, 0 beyond the law's end.
  double above(double y) const;
  /// The excess that is exceeded with that probability, 0 < probability <= 1.
  double excess_at(double probability) const;
};

/// (exp(theta w) - 1) / theta, and w for theta 0: the excess at w = scale log(1 / probability), where theta is shape
/// over scale.
double excess_of(double theta, double w);

}  // namespace assay
