// SPDX-License-Identifier: Apache-2.0
// Laws with known truth: what tests draw samples from when they must know what a sample estimates.
#pragma once
#include <functional>
#include <string>

#include "base/rng.hpp"

namespace assay::test {

/// A sequence of random values with its true median and mean. Laws with a memory (autoregressive, drifting, stepping)
/// keep it inside: a copy starts where the original stands.
struct Law {
  std::string name;
  double median = 0;
  double mean = 0;
  std::function<double(Rng&)> draw;
  double operator()(Rng& rng) const { return draw(rng); }
};

/// Always the same value; draws nothing from the generator.
Law constant(double value);
Law normal(double mean, double stddev);
/// exp of a normal law; `sigma` is the standard deviation of the logarithm.
Law log_normal(double median, double sigma);
/// A floor that nothing falls below, plus an exponential delay of mean `scale`.
Law shifted_exponential(double floor, double scale);
/// Normal, but a share of the values is multiplied by `factor`: interruptions.
Law contaminated(double mean, double stddev, double share, double factor);
/// Normal about `first`, or, with probability `weight`, about `second`.
Law bimodal(double first, double second, double weight, double stddev);
/// Normal margin, each value correlated with the one before by `phi`, 0 <= phi < 1. Starts in its steady state.
Law autoregressive(double mean, double stddev, double phi);
/// Normal about a line from `first` to `last` over `draws` values, going on beyond. Truth is that of these draws.
Law drifting(double first, double last, int draws, double stddev);
/// Normal about `before` for `draws` values, then about `after`. Truth is that of twice as many draws.
Law stepping(double before, double after, int draws, double stddev);
/// The nearest multiple of a clock's step. The mean is that of `law`, right to a small share of a step where `law` is
/// wider than some steps.
Law quantised(Law law, double step);

}  // namespace assay::test
