// SPDX-License-Identifier: Apache-2.0
// The generalised Pareto law, which the excesses over a high threshold follow: fitted by maximum likelihood, with the
// region of laws that the data allow, and checked.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stats/sample/summary.hpp"

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

/// Shapes below it are not fitted: the likelihood has no maximum there (Grimshaw).
inline constexpr double least_shape = -1;

/// The law of greatest likelihood, of shape -1 or more: over theta = shape / scale alone, since for each theta the best
/// scale is known (Grimshaw, Computing maximum likelihood estimates for the generalized Pareto distribution,
/// Technometrics 35, 1993). `excesses` are ascending, positive and at least two (std::invalid_argument otherwise).
ParetoLaw fit_pareto(std::span<const double> excesses);

/// How many of how many observations exceed the threshold.
struct Exceeding {
  std::size_t count = 0;
  std::size_t of = 0;
  double share() const { return static_cast<double>(count) / static_cast<double>(of); }
};

/// All laws of excesses and shares of exceedances whose joint likelihood is within a distance of the greatest one.
/// Quantiles and shapes that occur in it are their profile likelihood intervals, which follow the skewness that
/// symmetric intervals of extrapolated quantiles miss (Coles, An Introduction to Statistical Modeling of Extreme
/// Values, 2001, sections 4.3.3 and 4.3.4).
class ParetoRegion {
 public:
  /// `distance` is that of twice the log likelihoods. Of observations that depend on each other it is widened by how
  /// much more the share of exceedances varies than that of independent ones (Chandler and Bate, Inference for
  /// clustered data using the independence loglikelihood, Biometrika 94, 2007).
  ParetoRegion(std::span<const double> excesses, Exceeding exceeding, double distance);

  /// The range of the excess over the threshold that one observation in 1 / `beyond` reaches; 0 < beyond < share.
  /// Without a level.
  Interval excess(double beyond) const;
  /// The range of the shape. Without a level.
  Interval shape() const;

 private:
  /// Laws of one theta.
  struct Slice {
    double theta = 0;
    double mean = 0;  ///< the scale of greatest likelihood, were every shape allowed
    double best = 0;  ///< the scale of greatest likelihood
    double left = 0;  ///< of the distance
  };
  double scale_in(const Slice& slice, double distance, bool upper) const;
  double share_at(double distance, bool upper) const;
  double exponent(const Slice& slice, double beyond, bool upper) const;

  Exceeding exceeding_;
  std::vector<Slice> slices_;
};

/// The statistic of Anderson and Darling (Annals of Mathematical Statistics 23, 1952) between the law and the excesses,
/// which are ascending: large where they disagree, in the tails most of all. 0 for none.
double anderson_darling(const ParetoLaw& law, std::span<const double> excesses);

/// Probability of a statistic as large as that of the excesses, were they of the law fitted to them: by samples of that
/// law, to each of which a law is fitted likewise. The statistic is that recommended for generalised Pareto laws by
/// Choulakian and Stephens, Goodness-of-fit tests for the generalized Pareto distribution, Technometrics 43 (2001);
/// samples in the place of their tables. Drawing ends early where it decides nothing (Besag and Clifford, Sequential
/// Monte Carlo p-values, Biometrika 78, 1991). `excesses` are ascending and positive. 0 for shapes above 3: of these
/// fits and draws lose their meaning in a double, and what has one is a mixture of short and long, and no tail.
double pareto_check(const ParetoLaw& law, std::span<const double> excesses, std::uint64_t seed);

}  // namespace assay
