// SPDX-License-Identifier: Apache-2.0
// Harnesses that watch the spread or the error of the mean: SKaMPI, its predecessor, MPIBlib, logp_mpi.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "bench/peers/moments.hpp"
#include "bench/peers/peer.hpp"
#include "text/number_format.hpp"

namespace assay::bench {
namespace {

constexpr double alpha = 0.05;

std::string limits(std::size_t min, std::size_t max) {
  return max > 10'000 ? "" : ", " + std::to_string(min) + ".." + std::to_string(max);
}

/// The middle half: what is left without a quarter, rounded down, at both ends.
std::vector<double> middle_half(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const auto quarter = static_cast<std::ptrdiff_t>(sorted.size() / 4);
  return {sorted.begin() + quarter, sorted.end() - quarter};
}

/// Looks after every `min` timings: at a spread of all values, against a share of their mean.
class BatchedSpread : public Peer {
 public:
  BatchedSpread(double threshold, std::size_t min, std::size_t max) : threshold_(threshold), min_(min), max_(max) {}
  bool add(double timing) final {
    values_.push_back(timing);
    moments_.add(timing);
    return moments_.n() % min_ == 0 && (is_met() || moments_.n() >= max_);
  }

 protected:
  virtual double spread() const = 0;
  bool is_met() const { return spread() <= threshold_ * moments_.mean(); }
  const Moments& moments() const { return moments_; }
  const std::vector<double>& values() const { return values_; }

 private:
  double threshold_;
  std::size_t min_;
  std::size_t max_;
  Moments moments_;
  std::vector<double> values_;
};

class Skampi final : public BatchedSpread {
 public:
  using BatchedSpread::BatchedSpread;
  Claim claim() const override {
    Moments middle;
    for (const double value : middle_half(values())) middle.add(value);
    const double half = normal_quantile(1 - alpha / 2) * middle.standard_error();
    return {middle.mean(), {middle.mean() - half, middle.mean() + half, 1 - alpha}, is_met()};
  }

 private:
  double spread() const override { return moments().standard_error(); }
};

class StandardDeviation final : public BatchedSpread {
 public:
  using BatchedSpread::BatchedSpread;
  Claim claim() const override { return {moments().mean(), moments().t_interval(alpha), is_met()}; }

 private:
  double spread() const override { return moments().deviation(); }
};

/// Looks after every `step` timings from `min` on at the t half-width of the mean.
class MeanHalfWidth final : public Peer {
 public:
  struct Plan {
    double quantile;  ///< of Student's law
    double share;     ///< of the mean
    std::size_t min;
    std::size_t step;
    std::size_t max;
  };
  explicit MeanHalfWidth(const Plan& plan) : plan_(plan) {}
  bool add(double timing) override {
    moments_.add(timing);
    if (moments_.n() < plan_.min || moments_.n() % plan_.step != 0) return false;
    return is_met() || moments_.n() >= plan_.max;
  }
  Claim claim() const override {
    const double half = half_width();
    return {moments_.mean(), {moments_.mean() - half, moments_.mean() + half, 2 * plan_.quantile - 1}, is_met()};
  }

 private:
  double half_width() const {
    return student_quantile(plan_.quantile, static_cast<double>(moments_.n() - 1)) * moments_.standard_error();
  }
  bool is_met() const {
    const double allowed = plan_.share * moments_.mean();
    // The normal quantile is smaller, and known: most looks end here.
    return normal_ * moments_.standard_error() <= allowed && half_width() <= allowed;
  }
  Plan plan_;
  double normal_ = normal_quantile(plan_.quantile);
  Moments moments_;
};

PeerKind mean_kind(std::string name, const MeanHalfWidth::Plan& plan) {
  return {std::move(name), [plan](double) { return std::make_unique<MeanHalfWidth>(plan); }};
}

}  // namespace

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

PeerKind skampi(double threshold, std::size_t min, std::size_t max) {
  return {"SKaMPI stderr " + percent(threshold) + limits(min, max),
          [=](double) { return std::make_unique<Skampi>(threshold, min, max); },
          [](std::span<const double> whole) { return mean_of(middle_half(whole)); }};
}

PeerKind standard_deviation(double threshold, std::size_t min, std::size_t max) {
  return {"de Supinski-May stddev " + percent(threshold) + limits(min, max),
          [=](double) { return std::make_unique<StandardDeviation>(threshold, min, max); }};
}

PeerKind mpiblib(double eps, std::size_t max) {
  return mean_kind("MPIBlib t " + percent(eps) + limits(30, max), {1 - alpha / 2, eps, 30, 1, max});
}

PeerKind logp_mpi(double eps, std::size_t max) {
  return mean_kind("logp_mpi t " + percent(eps) + limits(3, max), {0.9, 2 * eps, 3, 3, max});
}

}  // namespace assay::bench
