// SPDX-License-Identifier: Apache-2.0
// Monte Carlo over the parameters: values of each as often as asked for, those of common replicates together.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "record/predict/parameter.hpp"
#include "stats/sample/summary.hpp"

namespace assay::predict {

/// Draws by seed. The draws of a parameter depend on the seed and on the parameter alone, not on what was drawn before.
class Draws {
 public:
  Draws(std::uint64_t seed, std::size_t count) : seed_(seed), count_(count) {}
  std::uint64_t seed() const { return seed_; }
  std::size_t count() const { return count_; }

  /// Values of a parameter. Its estimate is the median and the ends of its interval are the quantiles of its level, on
  /// the logarithmic scale where the interval is above 0; either side by itself. Parameters with replicates in common
  /// (three or more) are as correlated as these: their normal deviates are the replicates' deviations weighted by the
  /// same independent normal numbers, one for each replicate (a smooth bootstrap; Efron and Tibshirani, An Introduction
  /// to the Bootstrap, 1993). A parameter without an interval is constant.
  std::vector<double> of(const Parameter& parameter) const;

 private:
  std::vector<double> deviates(const Parameter& parameter) const;

  std::uint64_t seed_;
  std::size_t count_;
};

/// The interval between the quantiles of draws that leave 1 - level out, half on either side. Not available where a
/// draw is not finite, or there are none.
Interval interval_of(std::vector<double> draws, double level);

}  // namespace assay::predict
