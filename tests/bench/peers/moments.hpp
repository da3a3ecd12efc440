// SPDX-License-Identifier: Apache-2.0
// Mean and variance of values as they come.
#pragma once
#include <cmath>
#include <cstddef>

#include "stats/sample/summary.hpp"

namespace assay::bench {

/// Running mean and sum of squares about it (Welford 1962).
class Moments {
 public:
  void add(double value) {
    ++n_;
    const double before = value - mean_;
    mean_ += before / static_cast<double>(n_);
    squares_ += before * (value - mean_);
  }
  std::size_t n() const { return n_; }
  double mean() const { return mean_; }
  /// With divisor n - 1; 0 for fewer than two values.
  double deviation() const { return n_ < 2 ? 0 : std::sqrt(squares_ / static_cast<double>(n_ - 1)); }
  double standard_error() const { return n_ == 0 ? 0 : deviation() / std::sqrt(static_cast<double>(n_)); }
  /// The t interval of the mean; not available for fewer than two values.
  Interval t_interval(double alpha) const {
    if (n_ < 2) return {};
    const double half = student_quantile(1 - alpha / 2, static_cast<double>(n_ - 1)) * standard_error();
    return {mean_ - half, mean_ + half, 1 - alpha};
  }

 private:
  std::size_t n_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

}  // namespace assay::bench
