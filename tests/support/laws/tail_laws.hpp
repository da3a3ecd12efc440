// SPDX-License-Identifier: Apache-2.0
// Laws of known tails, and samples of them in visits.
#pragma once
#include <cmath>
#include <functional>
#include <string>

#include "base/rng.hpp"
#include "stats/sample/distribution.hpp"
#include "stats/sample/sample.hpp"
#include "stats/sample/summary.hpp"
#include "stats/tail/pareto.hpp"

namespace assay::tails {

/// A law by its quantiles.
struct Law {
  std::string name;
  std::function<double(double)> quantile;
};

inline Law exponential() {
  return {"exponential", [](double p) { return -std::log1p(-p); }};
}
inline Law uniform() {
  return {"uniform", [](double p) { return p; }};
}
inline Law power_law(double shape) {
  return {"Pareto of shape " + std::to_string(shape), [shape](double p) { return std::pow(1 - p, -shape); }};
}
inline Law lognormal(double sigma) {
  return {"lognormal", [sigma](double p) { return std::exp(sigma * normal_quantile(p)); }};
}

/// Independent values in visits of 50, dealt over five incarnations.
inline Sample sample_of(const Law& law, int size, Rng& random) {
  Sample sample;
  for (int i = 0; i < size; ++i) {
    double p = 0;
    while (p == 0) p = random.uniform();
    sample.add({law.quantile(p), 0, i / 50 % 5, i / 50});
  }
  return sample;
}

}  // namespace assay::tails
