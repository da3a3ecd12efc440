// SPDX-License-Identifier: Apache-2.0
// Harnesses that guard against outliers: BenchmarkDotNet removes the upper ones, Hoefler and Belli take the median.
#include <algorithm>
#include <cmath>

#include "bench/peers/moments.hpp"
#include "bench/peers/peer.hpp"
#include "text/number_format.hpp"

namespace assay::bench {
namespace {

/// Moments of what lies below Tukey's upper fence.
Moments without_upper_outliers(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const double third = quantile(sorted, 0.75);
  const double fence = third + 1.5 * (third - quantile(sorted, 0.25));
  Moments kept;
  for (const double value : sorted)
    if (value <= fence) kept.add(value);
  return kept;
}

class BenchmarkDotNet final : public Peer {
 public:
  BenchmarkDotNet(std::size_t timings, double error, std::size_t max) : timings_(timings), error_(error), max_(max) {}
  bool add(double timing) override {
    iteration_.add(timing);
    if (iteration_.n() < timings_) return false;
    iterations_.push_back(iteration_.mean());
    iteration_ = {};
    // Past the limit that it ships with, a look at every hundredth suffices.
    const std::size_t n = iterations_.size();
    const bool is_look = n >= 15 && (n <= 100 || n % 100 == 0);
    return is_look && (claim().converged || n >= max_);
  }
  Claim claim() const override {
    const Moments kept = without_upper_outliers(iterations_);
    const Interval interval = kept.t_interval(0.001);
    return {kept.mean(), interval, interval.high - kept.mean() < error_ * kept.mean()};
  }

 private:
  std::size_t timings_;
  double error_;
  std::size_t max_;
  Moments iteration_;
  std::vector<double> iterations_;
};

double truth_of_iterations(std::span<const double> whole, std::size_t timings) {
  std::vector<double> means;
  for (; whole.size() >= timings; whole = whole.subspan(timings)) means.push_back(mean_of(whole.first(timings)));
  return without_upper_outliers(means).mean();
}

class HoeflerBelli final : public Peer {
 public:
  HoeflerBelli(double eps, std::size_t max) : eps_(eps), max_(max) {}
  bool add(double timing) override {
    sorted_.insert(std::upper_bound(sorted_.begin(), sorted_.end(), timing), timing);
    return sorted_.size() % 10 == 0 && (claim().converged || sorted_.size() >= max_);
  }
  Claim claim() const override {
    const auto n = static_cast<double>(sorted_.size());
    const double spread = normal_quantile(0.975) * std::sqrt(n);
    const double low = std::floor((n - spread) / 2);
    const double high = std::ceil(1 + (n + spread) / 2);
    const double value = quantile(sorted_, 0.5);
    if (low < 1 || high > n) return {value, {}, false};
    const Interval interval{sorted_[static_cast<std::size_t>(low) - 1], sorted_[static_cast<std::size_t>(high) - 1],
                            0.95};
    return {value, interval, std::max(interval.high - value, value - interval.low) <= eps_ * value};
  }

 private:
  double eps_;
  std::size_t max_;
  std::vector<double> sorted_;
};

}  // namespace

PeerKind benchmark_dot_net(std::size_t timings_per_iteration, double error, std::size_t max) {
  return {"BenchmarkDotNet " + percent(error) + (max > 10'000 ? ", " : ", 15.." + std::to_string(max) + ' ') +
              "iterations of " + std::to_string(timings_per_iteration),
          [=](double) { return std::make_unique<BenchmarkDotNet>(timings_per_iteration, error, max); },
          [=](std::span<const double> whole) { return truth_of_iterations(whole, timings_per_iteration); }};
}

PeerKind hoefler_belli(double eps, std::size_t max) {
  return {"Hoefler-Belli median CI " + percent(eps), [=](double) { return std::make_unique<HoeflerBelli>(eps, max); },
          [](std::span<const double> whole) {
            return median({whole.begin(), whole.end()});
          }};
}

}  // namespace assay::bench
