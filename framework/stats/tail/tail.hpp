// SPDX-License-Identifier: Apache-2.0
// Room: tails of samples: quantiles that few observations or none reach, with intervals.
// Quantiles far out in the upper tail of a sample, from its exceedances over a threshold.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "stats/sample/sample.hpp"
#include "stats/tail/pareto.hpp"

namespace assay {

/// Exceedances without which nothing is fitted: with fewer, the interval of the shape spans from short to infinite
/// tails.
inline constexpr std::size_t least_exceedances = 60;

/// The law of the exceedances.
struct TailFit {
  double threshold = 0;
  Exceeding exceeding;
  ParetoLaw law;
  Interval shape;
  double probability = 0;  ///< of a larger misfit (pareto_check), were the law true
  double dependence = 1;   ///< variance of the share of exceedances over that of independent observations; 1 or more
};

/// A quantile of the tail.
struct TailQuantile {
  double value = 0;
  Interval interval;
  /// "exceedances" over the threshold by the law fitted, or "ranks" of the observations themselves.
  std::string basis;
  std::string reason;  ///< why there is none; empty where there is
};

/// The upper tail of a sample. The threshold is the lowest of several, from the upper tenth of the observations on,
/// over which the exceedances pass the check of the law (p >= 0.1), which is the procedure of Choulakian and Stephens
/// (2001).
class Tail {
 public:
  /// Intervals have level 1 - alpha. Throws std::invalid_argument unless 0 < alpha < 1.
  Tail(const Sample& sample, double alpha);

  std::size_t size() const { return sorted_.size(); }
  /// The largest observation; NaN of an empty sample.
  double longest() const;
  /// Nothing where there are too few exceedances, or where none of the thresholds passes.
  const std::optional<TailFit>& fit() const { return fit_; }
  /// Why there is no fit.
  const std::string& reason() const { return reason_; }
  /// The p-quantile: where twice as many observations are beyond it as the threshold leaves, or there is no fit, by the
  /// ranks of the observations (stats/sample/visit_interval.hpp), if these reach that far; else by the law, with the
  /// profile likelihood interval. Throws std::invalid_argument unless 0 < p < 1.
  TailQuantile quantile(double p) const;

 private:
  bool try_threshold(double share);
  void accept(double threshold, const std::vector<double>& excesses, const ParetoLaw& law, double probability);
  TailQuantile by_ranks(double p) const;
  TailQuantile by_law(double p) const;

  Sample sample_;
  double alpha_;
  std::vector<double> sorted_;
  std::optional<TailFit> fit_;
  std::optional<ParetoRegion> region_;
  std::string reason_;
};

}  // namespace assay
