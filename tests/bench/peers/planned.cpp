// SPDX-License-Identifier: Apache-2.0
// Harnesses that plan the number of timings and never look at them: Google Benchmark, hyperfine, criterion, nanobench.
#include <algorithm>
#include <cmath>

#include "base/rng.hpp"
#include "bench/peers/moments.hpp"
#include "bench/peers/peer.hpp"

namespace assay::bench {
namespace {

class GoogleBenchmark final : public Peer {
 public:
  explicit GoogleBenchmark(double least_time) : least_time_(least_time) {}
  bool add(double timing) override {
    batch_.add(timing);
    if (batch_.n() < planned_) return false;
    const double took = batch_.mean() * static_cast<double>(batch_.n());
    if (took >= least_time_) return true;
    const double factor = took > 0.1 * least_time_ ? 1.4 * least_time_ / took : 10;
    planned_ = std::max(planned_ + 1, static_cast<std::size_t>(static_cast<double>(planned_) * factor));
    batch_ = {};
    return false;
  }
  Claim claim() const override { return {batch_.mean(), {}, true}; }

 private:
  double least_time_;
  std::size_t planned_ = 1;
  Moments batch_;
};

class Hyperfine final : public Peer {
 public:
  explicit Hyperfine(std::size_t runs) : runs_(runs) {}
  bool add(double timing) override {
    moments_.add(timing);
    return moments_.n() >= runs_;
  }
  Claim claim() const override { return {moments_.mean(), moments_.t_interval(0.05), true}; }

 private:
  std::size_t runs_;
  Moments moments_;
};

/// Sums of d, 2 d, 3 d, ... timings.
class Criterion final : public Peer {
 public:
  explicit Criterion(std::size_t d) : d_(d) {}
  bool add(double timing) override {
    sum_ += timing;
    if (++taken_ < d_ * (sums_.size() + 1)) return false;
    sums_.push_back(sum_);
    sum_ = 0;
    taken_ = 0;
    return sums_.size() == pairs;
  }
  Claim claim() const override {
    Rng rng(20260101);
    std::vector<double> slopes(1000);
    for (double& slope : slopes) {
      Fit fit;
      for (std::size_t i = 0; i < pairs; ++i) add_pair(fit, rng.below(pairs));
      slope = fit.slope();
    }
    std::sort(slopes.begin(), slopes.end());
    Fit whole;
    for (std::size_t i = 0; i < pairs; ++i) add_pair(whole, i);
    return {whole.slope(), {quantile(slopes, 0.025), quantile(slopes, 0.975), 0.95}, true};
  }

 private:
  static constexpr std::size_t pairs = 100;
  struct Fit {
    double products = 0;
    double squares = 0;
    double slope() const { return products / squares; }
  };
  void add_pair(Fit& fit, std::size_t index) const {
    const auto x = static_cast<double>(d_ * (index + 1));
    fit.products += x * sums_[index];
    fit.squares += x * x;
  }

  std::size_t d_;
  std::size_t taken_ = 0;
  double sum_ = 0;
  std::vector<double> sums_;
};

/// Means of consecutive groups; what is left over at the end is not used.
std::vector<double> group_means(std::span<const double> values, std::size_t size) {
  std::vector<double> means;
  for (; values.size() >= size; values = values.subspan(size)) means.push_back(mean_of(values.first(size)));
  return means;
}

class Nanobench final : public Peer {
 public:
  explicit Nanobench(std::size_t timings_per_epoch) : size_(timings_per_epoch) {}
  bool add(double timing) override {
    timings_.push_back(timing);
    return timings_.size() >= epochs * size_;
  }
  Claim claim() const override {
    const std::vector<double> means = group_means(timings_, size_);
    const double middle = median(means);
    std::vector<double> deviations;
    for (const double mean : means) deviations.push_back(std::abs(mean / middle - 1));
    const double err = median(std::move(deviations));
    return {middle, {middle * (1 - err), middle * (1 + err), 0.95}, true};
  }

 private:
  static constexpr std::size_t epochs = 11;
  std::size_t size_;
  std::vector<double> timings_;
};

}  // namespace

PeerKind google_benchmark(double typical_timings) {
  return {"Google Benchmark, time of " + std::to_string(std::llround(typical_timings)),
          [=](double typical) { return std::make_unique<GoogleBenchmark>(typical_timings * typical); }};
}

PeerKind hyperfine(std::size_t runs) {
  return {"hyperfine, " + std::to_string(runs) + " runs", [=](double) { return std::make_unique<Hyperfine>(runs); }};
}

PeerKind criterion(std::size_t d) {
  return {"criterion, 100 linear points of " + std::to_string(d),
          [=](double) { return std::make_unique<Criterion>(d); }};
}

PeerKind nanobench(std::size_t timings_per_epoch) {
  return {"nanobench, 11 epochs of " + std::to_string(timings_per_epoch),
          [=](double) { return std::make_unique<Nanobench>(timings_per_epoch); },
          [=](std::span<const double> whole) { return median(group_means(whole, timings_per_epoch)); }};
}

}  // namespace assay::bench
