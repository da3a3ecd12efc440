// SPDX-License-Identifier: Apache-2.0
// The laws and their true medians; mixtures are solved by bisection.
#include "support/laws/laws.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace assay::test {
namespace {

double normal_probability(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

double median_between(double low, double high, const std::function<double(double)>& probability) {
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (probability(middle) < 0.5 ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

Law constant(double value) {
  return {"constant", value, value, [=](Rng&) { return value; }};
}

Law normal(double mean, double stddev) {
  return {"normal", mean, mean, [=](Rng& rng) { return mean + stddev * rng.normal(); }};
}

Law log_normal(double median, double sigma) {
  return {"log-normal", median, median * std::exp(sigma * sigma / 2),
          [=](Rng& rng) { return median * std::exp(sigma * rng.normal()); }};
}

Law shifted_exponential(double floor, double scale) {
  return {"shifted exponential", floor + scale * std::numbers::ln2, floor + scale,
          [=](Rng& rng) { return floor - scale * std::log1p(-rng.uniform()); }};
}

Law contaminated(double mean, double stddev, double share, double factor) {
  const double median = median_between(0, mean * factor, [=](double x) {
    return (1 - share) * normal_probability((x - mean) / stddev) +
           share * normal_probability((x / factor - mean) / stddev);
  });
  return {"contaminated", median, mean * (1 + share * (factor - 1)), [=](Rng& rng) {
            const double value = mean + stddev * rng.normal();
            return rng.uniform() < share ? value * factor : value;
          }};
}

Law bimodal(double first, double second, double weight, double stddev) {
  const double median = median_between(first - 9 * stddev, second + 9 * stddev, [=](double x) {
    return (1 - weight) * normal_probability((x - first) / stddev) + weight * normal_probability((x - second) / stddev);
  });
  return {"bimodal", median, first + weight * (second - first),
          [=](Rng& rng) { return (rng.uniform() < weight ? second : first) + stddev * rng.normal(); }};
}

Law autoregressive(double mean, double stddev, double phi) {
  const double fresh = std::sqrt(1 - phi * phi);
  return {"autoregressive", mean, mean, [=, z = 0.0, started = false](Rng& rng) mutable {
            z = started ? phi * z + fresh * rng.normal() : rng.normal();
            started = true;
            return mean + stddev * z;
          }};
}

Law drifting(double first, double last, int draws, double stddev) {
  const double middle = (first + last) / 2;
  return {"drifting", middle, middle, [=, drawn = 0](Rng& rng) mutable {
            const double share = (drawn++ + 0.5) / draws;
            return first + share * (last - first) + stddev * rng.normal();
          }};
}

Law stepping(double before, double after, int draws, double stddev) {
  const double middle = (before + after) / 2;
  return {"stepping", middle, middle,
          [=, drawn = 0](Rng& rng) mutable { return (drawn++ < draws ? before : after) + stddev * rng.normal(); }};
}

Law quantised(Law law, double step) {
  const auto nearest = [=](double value) { return std::round(value / step) * step; };
  return {law.name + ", quantised", nearest(law.median), law.mean,
          [=, draw = std::move(law.draw)](Rng& rng) { return nearest(draw(rng)); }};
}

}  // namespace assay::test
