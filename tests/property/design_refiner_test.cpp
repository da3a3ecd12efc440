// SPDX-License-Identifier: Apache-2.0
// What the refiner promises on curves of known shape: accuracy of the interpolant, and points spent.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "base/rng.hpp"
#include "design/curve.hpp"
#include "design/refiner.hpp"

namespace assay {
namespace {

using Curve = std::function<double(double)>;

constexpr std::int64_t most_bytes = std::int64_t{4} << 20;

double affine(double x) { return 5 + x * 1e-4; }
double flat(double) { return 7; }
double protocol(double x) { return x <= 4096 ? 2 + x * 5e-4 : x <= 65536 ? 6 + x * 3e-4 : 40 + x * 1e-4; }
double odd_jump(double x) { return x <= 10077 ? 2 + x * 5e-4 : 12 + x * 2e-4; }
double kink(double x) { return x <= 3000 ? 10 + 0.01 * x : 40 + 0.05 * (x - 3000); }
double nlogn(double x) { return 20 + x * std::log2(x + 1) * 1e-3; }
double step_of_cache(double u, double at, double width) { return 1 / (1 + std::exp((at - u) / width)); }
double staircase(double x) {
  const double u = std::log2(x);
  return 1.2 + 3 * step_of_cache(u, 9, .08) + 10 * step_of_cache(u, 14.2, .15) + 70 * step_of_cache(u, 19, .3);
}

/// The levels asked for with the answers given, and how good the interpolant is.
struct Outcome {
  std::map<double, double> answers;
  std::vector<std::string> findings;
  std::vector<std::size_t> generations;

  std::size_t points() const { return answers.size(); }
  std::vector<Node> nodes() const {
    std::vector<Node> list;
    for (const auto& [x, y] : answers) list.push_back({x, y, 0});
    return list;
  }
  /// Share of the range, on its logarithm, where the interpolant is wrong by more than `tolerance`.
  double wrong_share(const Curve& truth, const Domain& domain, double tolerance) const {
    const auto known = nodes();
    const Basis basis = choose_basis(known, Axis(domain));
    const double low = known.front().x;
    const double ratio = known.back().x / low;
    int wrong = 0;
    constexpr int grid = 3000;
    for (int i = 0; i <= grid; ++i) {
      const double x = std::round(low * std::pow(ratio, static_cast<double>(i) / grid));
      wrong += std::abs(interpolate(known, x, basis) / truth(x) - 1) > tolerance ? 1 : 0;
    }
    return static_cast<double>(wrong) / grid;
  }
};

Domain range(std::int64_t low, std::int64_t high, double tolerance) { return {{low, high}, tolerance, true}; }

/// Refines the curve with relative noise of standard deviation `noise`.
Outcome refine(const Curve& truth, const Domain& domain, double noise, std::uint64_t seed, std::size_t budget = 200) {
  Rng rng(seed);
  Refiner refiner(domain, budget);
  Outcome outcome;
  for (auto levels = refiner.ask(); !levels.empty(); levels = refiner.ask()) {
    outcome.generations.push_back(levels.size());
    for (const Value& level : levels) {
      const double x = *number_of(level);
      outcome.answers[x] = truth(x) * (1 + noise * rng.normal());
      refiner.tell(level, {true, outcome.answers[x], 1.96 * noise});
    }
  }
  EXPECT_TRUE(refiner.finished());
  outcome.findings = refiner.findings("bytes");
  return outcome;
}

bool brackets(const Outcome& outcome, double edge) {
  const auto above = outcome.answers.upper_bound(edge);
  return above != outcome.answers.end() && above->first / std::prev(above)->first < 1.021;
}

const Domain wide = range(1, most_bytes, 0.05);

TEST(RefinerProperty, StraightAndFlatLinesNeedOnlyTheStart) {
  for (const Curve& curve : {Curve(affine), Curve(flat)}) {
    const auto outcome = refine(curve, wide, 0, 1);
    EXPECT_EQ(outcome.points(), 12U);
    EXPECT_TRUE(outcome.findings.empty());
    EXPECT_EQ(outcome.wrong_share(curve, wide, 0.001), 0);
  }
}

TEST(RefinerProperty, SpendsNothingOnNoise) {
  for (const Curve& curve : {Curve(affine), Curve(flat)})
    for (const double noise : {0.005, 0.01, 0.02}) {
      std::size_t points = 0;
      for (std::uint64_t seed = 1; seed <= 40; ++seed) points += refine(curve, wide, noise, seed).points();
      EXPECT_LE(points, 40U * 14U) << noise;
    }
}

TEST(RefinerProperty, BracketsTheStepsOfAProtocol) {
  for (const double noise : {0.0, 0.005, 0.01})
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const auto outcome = refine(protocol, wide, noise, seed);
      EXPECT_TRUE(brackets(outcome, 4096)) << noise << ' ' << seed;
      EXPECT_TRUE(brackets(outcome, 65536)) << noise << ' ' << seed;
      EXPECT_LE(outcome.points(), 60U) << noise << ' ' << seed;
    }
}

TEST(RefinerProperty, ListsTheStepsAndNothingElse) {
  const auto outcome = refine(protocol, wide, 0, 1);
  ASSERT_EQ(outcome.findings.size(), 2U);
  EXPECT_EQ(outcome.findings[0].find("jump between bytes=40"), 0U) << outcome.findings[0];
  EXPECT_EQ(outcome.findings[1].find("jump between bytes=65"), 0U) << outcome.findings[1];
}

TEST(RefinerProperty, InterpolatesWithinTheToleranceAlmostEverywhere) {
  const std::pair<const char*, Curve> curves[] = {{"protocol", protocol}, {"odd jump", odd_jump},
                                                  {"kink", kink},         {"n log n", nlogn},
                                                  {"affine", affine},     {"staircase", staircase}};
  for (const auto& [name, curve] : curves) {
    EXPECT_LE(refine(curve, wide, 0, 1).wrong_share(curve, wide, 0.05), 0.005) << name;
    double noisy = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed)
      noisy += refine(curve, wide, 0.01, seed).wrong_share(curve, wide, 0.05) / 10;
    EXPECT_LE(noisy, 0.01) << name;
  }
}

TEST(RefinerProperty, SpendsPointsWhereTheCurveBends) {
  const auto outcome = refine(kink, wide, 0, 1);
  EXPECT_LE(outcome.points(), 30U);
  EXPECT_TRUE(outcome.findings.empty());
}

TEST(RefinerProperty, ATighterToleranceNeedsMorePointsAndKeepsItsPromise) {
  const auto coarse = refine(nlogn, range(1, most_bytes, 0.1), 0, 1);
  const auto fine = refine(nlogn, range(1, most_bytes, 0.01), 0, 1);
  EXPECT_GT(fine.points(), coarse.points());
  EXPECT_LE(fine.wrong_share(nlogn, wide, 0.01), 0.02);
}

TEST(RefinerProperty, GenerationsAreAQuarterOfWhatIsKnownAtMost) {
  const auto outcome = refine(staircase, wide, 0.01, 3);
  std::size_t known = outcome.generations.front();
  for (std::size_t i = 1; i < outcome.generations.size(); ++i) {
    EXPECT_LE(outcome.generations[i], (known + 3) / 4);
    known += outcome.generations[i];
  }
  EXPECT_GT(outcome.generations.size(), 2U);
}

TEST(RefinerProperty, NeverSpendsMoreThanTheBudget) {
  for (const std::size_t budget : {12U, 13U, 17U, 40U})
    EXPECT_LE(refine(staircase, wide, 0.02, 9, budget).points(), budget);
}

TEST(RefinerProperty, TheSameAnswersGiveTheSameLevels) {
  EXPECT_EQ(refine(staircase, wide, 0.01, 11).answers, refine(staircase, wide, 0.01, 11).answers);
}

}  // namespace
}  // namespace assay
