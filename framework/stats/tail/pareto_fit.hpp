// SPDX-License-Identifier: Apache-2.0
// The generalised Pareto law fitted to excesses by maximum likelihood, with the region of laws that the data allow.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "stats/sample/summary.hpp"
#include "stats/tail/pareto_law.hpp"

namespace assay {

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

}  // namespace assay
