// SPDX-License-Identifier: Apache-2.0
// Ways to choose the levels of one variable, each as its authors published it, behind one interface.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "support/laws/curves.hpp"

namespace assay::test {

/// Answers with noise, and counts what the answers cost.
class Oracle {
 public:
  Oracle(const Curve& curve, double noise, std::uint64_t seed) : curve_(&curve), noise_(noise), rng_(seed) {}

  /// The latest answer at a level; `sharpen` scales the noise, and half the noise takes four timings.
  double measure(std::int64_t x, double sharpen = 1) {
    timings_ += 1 / (sharpen * sharpen);
    return answers_[x] = curve_->y(static_cast<double>(x)) * (1 + noise_ * sharpen * rng_.normal());
  }
  /// The answer at a level, measured once.
  double once(std::int64_t x) { return answers_.contains(x) ? answers_[x] : measure(x); }

  double noise() const { return noise_; }
  double timings() const { return timings_; }
  std::size_t points() const { return answers_.size(); }
  std::vector<Node> nodes() const {
    std::vector<Node> list;
    for (const auto& [x, y] : answers_) list.push_back({static_cast<double>(x), y, 0});
    return list;
  }

 private:
  const Curve* curve_;
  double noise_;
  Rng rng_;
  std::map<std::int64_t, double> answers_;
  double timings_ = 0;
};

/// Chooses levels between both ends of a curve until `points` are spent or it sees no reason to go on.
class Strategy {
 public:
  virtual ~Strategy() = default;
  virtual std::string name() const = 0;
  virtual void run(Oracle& oracle, const Curve& curve, std::size_t points) const = 0;
};

/// Integers spaced evenly in log x, ends included, each once.
std::vector<std::int64_t> log_grid(std::int64_t low, std::int64_t high, std::size_t points);

/// Assay's `refine` to 5 %.
std::unique_ptr<Strategy> assay_refine();
/// SKaMPI 5: half of the points regular, the others at arithmetic midpoints, where the largest one-sided extrapolation
/// miss times the distance of the outer neighbours is largest; all points are always spent (Reussner et al. 1998;
/// skampi 5 sources, autorefine).
std::unique_ptr<Strategy> skampi_autorefine();
/// logp_mpi: doubling; from left to right, midpoints before a point that the line through the two before it misses by
/// more than 20 %, until the gap is 32 or 3 % of the level (Kielmann, Bal, Verstoep 2000; logp_mpi sources).
std::unique_ptr<Strategy> logp_mpi_bisection();
/// Points uniform in log x.
std::unique_ptr<Strategy> uniform_log();

}  // namespace assay::test
