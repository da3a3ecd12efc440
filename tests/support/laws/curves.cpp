// SPDX-License-Identifier: Apache-2.0
// The curves, and the dense grid on which interpolants are judged.
#include "support/laws/curves.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace assay::test {
namespace {

constexpr int grid = 3000;

double rise(double u, double at, double width) { return 1 / (1 + std::exp((at - u) / width)); }

double protocol(double x) {
  if (x <= 4096) return 2 + x * 5e-4;
  return x <= 65536 ? 6 + x * 3e-4 : 40 + x * 1e-4;
}

double odd_jumps(double x) {
  if (x <= 10077) return 2 + x * 5e-4;
  return x <= 123457 ? 12 + x * 2e-4 : 60 + x * 1e-4;
}

double staircase(double x) {
  const double u = std::log2(x);
  return 1.2 + 3 * rise(u, 9, .08) + 10 * rise(u, 14.2, .15) + 70 * rise(u, 19, .3);
}

double contention(double threads) {
  return (threads <= 24 ? 10 + threads / 2 : 22 + 4 * (threads - 24)) + (threads > 48 ? 60 : 0);
}

double bump(double x) {
  const double deviations = std::log(x / 30000) / 0.25;
  return (5 + x * 1e-4) * (1 + 0.6 * std::exp(-deviations * deviations / 2));
}

}  // namespace

const std::vector<Curve>& known_curves() {
  constexpr std::int64_t most = std::int64_t{4} << 20;
  static const std::vector<Curve> curves{
      {"affine", 1, most, [](double x) { return 5 + x * 1e-4; }},
      {"protocol", 1, most, protocol},
      {"one-jump", 1, most, [](double x) { return x <= 12288 ? 2 + x * 5e-4 : 12 + x * 2e-4; }},
      {"odd-jumps", 1, most, odd_jumps},
      {"staircase", 1, most, staircase},
      {"contention", 1, 256, contention},
      {"n-log-n", 1, most, [](double x) { return 20 + x * std::log2(x + 1) * 1e-3; }},
      {"bump", 1, most, bump},
      {"flat", 1, most, [](double) { return 7.0; }},
  };
  return curves;
}

const Curve& known_curve(std::string_view name) {
  for (const Curve& curve : known_curves())
    if (curve.name == name) return curve;
  throw std::out_of_range("no curve " + std::string(name));
}

Accuracy accuracy_of(const std::vector<Node>& nodes, Basis basis, const Curve& curve, double tolerance) {
  std::vector<double> errors;
  double before = 0;
  const auto low = static_cast<double>(curve.low);
  const double ratio = static_cast<double>(curve.high) / low;
  for (int i = 0; i <= grid; ++i) {
    const double x = std::round(low * std::pow(ratio, static_cast<double>(i) / grid));
    if (x == before) continue;
    before = x;
    errors.push_back(std::abs(interpolate(nodes, x, basis) / curve.y(x) - 1));
  }
  return accuracy_of(std::move(errors), tolerance);
}

Accuracy accuracy_of(std::vector<double> errors, double tolerance) {
  std::sort(errors.begin(), errors.end());
  const auto n = static_cast<double>(errors.size());
  const auto within = std::upper_bound(errors.begin(), errors.end(), tolerance) - errors.begin();
  return {std::accumulate(errors.begin(), errors.end(), 0.0) / n, errors[static_cast<std::size_t>(0.99 * (n - 1))],
          errors.back(), 1 - static_cast<double>(within) / n};
}

}  // namespace assay::test
