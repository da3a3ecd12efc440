// SPDX-License-Identifier: Apache-2.0
// What the refiner promises on curves of known shape: accuracy of the interpolant, points and measurements spent.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/laws/refined.hpp"

namespace assay::test {
namespace {

bool brackets(const Refined& outcome, double edge) {
  const auto nodes = outcome.nodes();
  const auto above = std::find_if(nodes.begin(), nodes.end(), [&](const Node& n) { return n.x > edge; });
  return above != nodes.end() && above != nodes.begin() && above->x / std::prev(above)->x < 1.021;
}

/// Means over seeds; a curve without noise has one.
struct Mean {
  double points = 0;
  double again = 0;
  Accuracy accuracy;
};
Mean mean_of(const Curve& curve, RefineOptions options, std::uint64_t seeds) {
  Mean mean;
  for (options.seed = 1; options.seed <= seeds; ++options.seed) {
    const auto outcome = refine(curve, options);
    const auto accuracy = outcome.accuracy(curve);
    const auto n = static_cast<double>(seeds);
    mean.points += static_cast<double>(outcome.points()) / n;
    mean.again += static_cast<double>(outcome.peaks + outcome.sharpened) / n;
    mean.accuracy.mean += accuracy.mean / n;
    mean.accuracy.wrong += accuracy.wrong / n;
  }
  return mean;
}

// The published table: mean error and share wrong by more than 5 % of nine curves at 1 % noise, by points allowed. It
// was made without a tolerance at which to stop, so that there all points are spent; refining to 5 % stops at 24 on
// average. The bands allow for this, for generations in place of single points, and for the standard error of 9 x 20
// runs; those of a uniform log grid (3.28, 1.99, 1.55, 1.15, 0.97 % and 11, 7.4, 4.4, 2.7, 1.6 %) lie outside them
// from 24 points on.
TEST(RefinerProperty, ReachesThePublishedAccuracyWithTheSamePoints) {
  struct Row {
    std::size_t points;
    double mean, wrong;
  };
  const Row rows[] = {
      {16, 0.0265, 0.085}, {24, 0.0145, 0.036}, {32, 0.0105, 0.016}, {48, 0.0095, 0.013}, {64, 0.0095, 0.013}};
  for (const Row& row : rows) {
    double error = 0;
    double wrong = 0;
    for (const Curve& curve : known_curves()) {
      const auto mean = mean_of(curve, {.noise = 0.01, .max_points = row.points}, 20);
      EXPECT_LE(mean.points, static_cast<double>(row.points) + 1e-9) << curve.name;
      error += mean.accuracy.mean / 9;
      wrong += mean.accuracy.wrong / 9;
    }
    EXPECT_LE(error, row.mean) << row.points;
    EXPECT_LE(wrong, row.wrong) << row.points;
    EXPECT_GE(error, 0.005) << "less than the noise itself can give: the error is not measured";
  }
}

// Published counts at a tolerance of 5 %: 12 to 13 for straight curves, 46 and 55 for protocol and staircase, 30 on
// average. Not extrapolating across unresolved jumps needs 8 per jump, and fewer beside them.
TEST(RefinerProperty, StopsWithFewPointsAtFivePercent) {
  const std::map<std::string, double> most{{"affine", 12.5},   {"flat", 12.5},     {"protocol", 31},
                                           {"odd-jumps", 31},  {"one-jump", 21.5}, {"staircase", 63},
                                           {"contention", 22}, {"n-log-n", 26},    {"bump", 31}};
  double all = 0;
  for (const Curve& curve : known_curves())
    for (const double noise : {0.0, 0.005, 0.01}) {
      const auto mean = mean_of(curve, {.noise = noise}, noise > 0 ? 10 : 1);
      EXPECT_LE(mean.points, most.at(curve.name)) << curve.name << ' ' << noise;
      all += mean.points / 27;
      const bool seen = curve.name != "bump" || noise == 0;  // narrower than the start's spacing
      EXPECT_LE(mean.accuracy.wrong, seen ? 0.002 : 0.1) << curve.name << ' ' << noise;
    }
  EXPECT_LE(all, 27);
}

TEST(RefinerProperty, ExactStraightAndFlatLinesNeedOnlyTheStart) {
  for (const char* name : {"affine", "flat"}) {
    const auto outcome = refine(known_curve(name), {});
    EXPECT_EQ(outcome.points(), 12U);
    EXPECT_EQ(outcome.peaks + outcome.sharpened, 0U);
    EXPECT_LT(outcome.accuracy(known_curve(name)).worst, 1e-9);
    ASSERT_EQ(outcome.findings.size(), 1U);
    EXPECT_EQ(outcome.findings[0].find("accurate to 5 % as far as 12 points show"), 0U) << outcome.findings[0];
  }
}

// New points on a straight line are noise taken for shape: at most one in a hundred lines may have them. What is
// measured again grows with the noise that has to be told from the tolerance, and is at most three times each point.
TEST(RefinerProperty, SpendsNoNewPointsOnNoise) {
  const std::map<double, double> most_again{{0.01, 2.0}, {0.02, 7.0}, {0.05, 13.0}, {0.1, 15.0}};
  for (const char* name : {"affine", "flat"})
    for (const auto& [noise, most] : most_again) {
      double again = 0;
      int refined = 0;
      for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const auto outcome = refine(known_curve(name), {.noise = noise, .seed = seed});
        refined += outcome.points() > 12 ? 1 : 0;
        again += static_cast<double>(outcome.peaks + outcome.sharpened) / 200;
      }
      EXPECT_LE(refined, 2) << name << ' ' << noise;
      EXPECT_LE(again, most) << name << ' ' << noise;
    }
}

TEST(RefinerProperty, BracketsTheStepsOfAProtocol) {
  for (const double noise : {0.0, 0.005, 0.01, 0.02})
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const auto outcome = refine(known_curve("protocol"), {.noise = noise, .seed = seed});
      EXPECT_TRUE(brackets(outcome, 4096)) << noise << ' ' << seed;
      EXPECT_TRUE(brackets(outcome, 65536)) << noise << ' ' << seed;
    }
}

TEST(RefinerProperty, ListsTheStepsAndNothingElse) {
  const auto outcome = refine(known_curve("protocol"), {});
  ASSERT_EQ(outcome.findings.size(), 3U);
  EXPECT_EQ(outcome.findings[0].find("jump between bytes=40"), 0U) << outcome.findings[0];
  EXPECT_EQ(outcome.findings[1].find("jump between bytes=65"), 0U) << outcome.findings[1];
  EXPECT_EQ(outcome.findings[2].find("accurate to 5 %"), 0U) << outcome.findings[2];
}

TEST(RefinerProperty, ATighterToleranceNeedsMorePointsAndKeepsItsPromise) {
  const Curve& curve = known_curve("n-log-n");
  const auto coarse = refine(curve, {.tolerance = 0.1});
  const auto fine = refine(curve, {.tolerance = 0.01});
  EXPECT_GT(fine.points(), coarse.points());
  EXPECT_LE(accuracy_of(fine.nodes(), fine.basis(curve), curve, 0.01).wrong, 0.002);
}

TEST(RefinerProperty, NeverSpendsMoreThanTheBudget) {
  for (const std::size_t budget : {12U, 13U, 17U, 40U})
    for (const Curve& curve : known_curves())
      EXPECT_LE(refine(curve, {.noise = 0.02, .max_points = budget, .seed = 9}).points(), budget) << curve.name;
}

TEST(RefinerProperty, TheSameAnswersGiveTheSameLevels) {
  const auto same = [](const Node& a, const Node& b) { return a.x == b.x && a.y == b.y; };
  const auto one = refine(known_curve("staircase"), {.noise = 0.01, .seed = 11}).nodes();
  const auto other = refine(known_curve("staircase"), {.noise = 0.01, .seed = 11}).nodes();
  EXPECT_TRUE(std::equal(one.begin(), one.end(), other.begin(), other.end(), same));
}

// One wild value on a straight line, at any start level: measured again, not confirmed, and said; nothing is split.
TEST(RefinerProperty, AWildValueIsMeasuredAgainAndNotBelieved) {
  for (const double noise : {0.0, 0.005, 0.01})
    for (std::size_t wild = 0; wild < 12; ++wild) {
      const auto outcome = refine(known_curve("flat"), {.noise = noise, .seed = wild + 1, .wild = wild});
      EXPECT_EQ(outcome.points(), 12U) << wild << ' ' << noise;
      EXPECT_GE(outcome.peaks, wild == 0 ? 0U : 1U) << wild << ' ' << noise;
      EXPECT_LE(outcome.peaks, 3U) << wild << ' ' << noise;
      const auto said = std::count_if(outcome.findings.begin(), outcome.findings.end(),
                                      [](const std::string& text) { return text.find("not confirmed") != text.npos; });
      EXPECT_GE(said, static_cast<std::ptrdiff_t>(outcome.peaks > 0)) << wild << ' ' << noise;
    }
}

// Answers at random: refining ends, measures each point four times at most, and keeps to its budget.
TEST(RefinerProperty, AlwaysEnds) {
  Rng rng(42);
  for (int run = 0; run < 300; ++run) {
    const auto high = static_cast<std::int64_t>(2 + rng.below(std::uint64_t{1} << rng.below(22)));
    const Domain domain{{std::int64_t{1}, high}, 0.001 + 0.2 * rng.uniform(), true};
    const auto design = adaptive({{"bytes", domain}}, 40);
    const double scale = std::pow(10, 3 * rng.uniform() - 3);
    std::map<std::string, int> asked;
    for (auto requests = design->ask(); !requests.empty(); requests = design->ask())
      for (const auto& [point, attempt, sharpen] : requests) {
        ASSERT_EQ(attempt, asked[to_text(point)]++);
        ASSERT_LT(attempt, 4) << to_text(point);
        ASSERT_GE(sharpen, 0.25);
        const double value = rng.below(3) == 0 ? 1 - 2 * rng.uniform() : 1 + scale * rng.normal();
        design->tell(point, {rng.below(10) > 0, value, scale * sharpen * rng.uniform() * 3});
      }
    EXPECT_LE(asked.size(), 40U);
    EXPECT_FALSE(design->findings().empty());
  }
}

}  // namespace
}  // namespace assay::test
