// SPDX-License-Identifier: Apache-2.0
// NVBench's two criteria: the relative standard deviation is small or settled, the entropy of the values is settled.
#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <numbers>
#include <numeric>

#include "bench/peers/moments.hpp"
#include "bench/peers/peer.hpp"
#include "text/number_format.hpp"

namespace assay::bench {
namespace {

constexpr std::size_t fewest_timings = 10;

/// The newest values, at most `capacity`.
class Window {
 public:
  explicit Window(std::size_t capacity) : capacity_(capacity) {}
  void add(double value) {
    values_.push_back(value);
    if (values_.size() > capacity_) values_.pop_front();
  }
  const std::deque<double>& values() const { return values_; }

 private:
  std::size_t capacity_;
  std::deque<double> values_;
};

class Stdrel final : public Peer {
 public:
  explicit Stdrel(double noise) : noise_(noise) {}
  bool add(double timing) override {
    moments_.add(timing);
    // Fewer than five timings have no noise to speak of.
    if (moments_.n() >= 5) noises_.add(noise());
    if (moments_.n() < fewest_timings) return false;
    return noise() < noise_ || (moments_.n() % 16 == 0 && is_settled());
  }
  Claim claim() const override { return {moments_.mean(), moments_.t_interval(0.05), true}; }

 private:
  double noise() const { return moments_.deviation() / moments_.mean(); }
  bool is_settled() const {
    const std::deque<double>& seen = noises_.values();
    if (seen.size() <= 64) return false;
    double squares = 0;
    for (const double value : seen) squares += (value - seen.back()) * (value - seen.back());
    return std::sqrt(squares / static_cast<double>(seen.size() - 1)) < 0.05 * seen.back();
  }

  double noise_;
  Moments moments_;
  Window noises_{512};
};

class Entropy final : public Peer {
 public:
  explicit Entropy(double angle) : steepest_(std::tan(angle * std::numbers::pi / 180)) {}
  bool add(double timing) override {
    moments_.add(timing);
    entropies_.add(entropy_with(timing));
    return moments_.n() >= fewest_timings && moments_.n() % 2 == 0 && is_settled();
  }
  Claim claim() const override { return {moments_.mean(), moments_.t_interval(0.05), true}; }

 private:
  static double surprise(double count) { return count > 0 ? count * std::log2(count) : 0; }
  double entropy_with(double timing) {
    double& count = counts_[timing];
    surprises_ += surprise(count + 1) - surprise(count);
    ++count;
    const auto n = static_cast<double>(moments_.n());
    // Of equal values it is zero, not what rounding leaves of a difference.
    return counts_.size() == 1 ? 0 : std::log2(n) - surprises_ / n;
  }
  bool is_settled() const {
    const std::deque<double>& y = entropies_.values();
    const auto n = static_cast<double>(y.size());
    const double mean = std::accumulate(y.begin(), y.end(), 0.0) / n;
    double products = 0;
    double total = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      products += (static_cast<double>(i) - (n - 1) / 2) * (y[i] - mean);
      total += (y[i] - mean) * (y[i] - mean);
    }
    const double squares = n * (n * n - 1) / 12;
    const double slope = products / squares;
    // A line without any variance to explain explains all of it.
    const double explained = total > 0 ? slope * products / total : 1;
    return slope <= steepest_ && explained >= 0.36;
  }

  double steepest_;
  Moments moments_;
  std::map<double, double> counts_;
  double surprises_ = 0;  ///< sum of count log2 count
  Window entropies_{299};
};

}  // namespace

PeerKind nvbench_stdrel(double noise) {
  return {"NVBench stdrel " + percent(noise), [=](double) { return std::make_unique<Stdrel>(noise); }};
}

PeerKind nvbench_entropy(double angle) {
  return {"NVBench entropy " + rounded(angle), [=](double) { return std::make_unique<Entropy>(angle); }};
}

}  // namespace assay::bench
