// SPDX-License-Identifier: Apache-2.0
// Representatives of one class: alike, different, in other regimes, too few; known truth throughout.
#include "run/series/symmetry.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.hpp"
#include "support/campaigns/fake_plan.hpp"

namespace assay::test {
namespace {

/// A pair whose placements are of classes "near" (three) and "far" (two), and unbound.
SeriesPlan symmetric_pair() {
  SeriesPlan series = fake_team("pair", 2, Waiting::blocks);
  series.placements = {{"near", {0, 1}, -1, "near"}, {"near@2+3", {2, 3}, -1, "near"}, {"near@4+5", {4, 5}, -1, "near"},
                       {"far", {0, 8}, -1, "far"},   {"far@2+9", {2, 9}, -1, "far"},   {"close", {0, 1}, -1, "near"}};
  series.placements.push_back({"unbound", {}});
  return series;
}

/// Five processes whose medians lie about a value with a spread of one per cent.
PointRecord finished(const std::string& at, double value, Rng& rng, int processes = 5) {
  PointRecord record;
  record.point = parse_point(at).value();
  record.outcome = Outcome::converged;
  Result result;
  result.quantity = "time";
  result.regime = Regime::spin;
  result.headline.value = value;
  for (int i = 0; i < processes; ++i) result.processes.push_back({0, i, value * (1 + 0.01 * rng.normal()), 50});
  record.results.push_back(result);
  return record;
}

std::vector<PointRecord> measured(double first, double second, double third, std::uint64_t seed = 1) {
  Rng rng(seed);
  return {finished("placement=near", first, rng), finished("placement=\"near@2+3\"", second, rng),
          finished("placement=\"near@4+5\"", third, rng), finished("placement=unbound", 500, rng)};
}

TEST(Symmetry, AlikeIsHomogeneous) {
  const auto records = symmetry(symmetric_pair(), measured(100, 100, 100));
  ASSERT_EQ(records.size(), 1U);
  const DerivedRecord& record = records[0];
  EXPECT_EQ(record.name, "symmetry");
  EXPECT_EQ(to_text(record.group), "placement=near");
  EXPECT_EQ(record.unit, "ratio");
  EXPECT_EQ(record.symmetry->unit, "ns");
  EXPECT_EQ(record.regime, Regime::spin);
  ASSERT_TRUE(record.symmetry);
  EXPECT_EQ(record.symmetry->verdict, Symmetry::homogeneous);
  EXPECT_EQ(record.symmetry->placements, 3);
  EXPECT_EQ(record.derived.value, 1);
}

TEST(Symmetry, DifferentIsSplitWithTheExtremesNamed) {
  const auto record = symmetry(symmetric_pair(), measured(100, 130, 110)).at(0);
  EXPECT_EQ(record.symmetry->verdict, Symmetry::split);
  EXPECT_LT(record.symmetry->p, 0.01);
  EXPECT_EQ(record.symmetry->lowest.placement, "near");
  EXPECT_EQ(record.symmetry->middle.placement, "near@4+5");
  EXPECT_EQ(record.symmetry->highest.placement, "near@2+3");
  EXPECT_EQ(record.symmetry->highest.value, 130);
  EXPECT_TRUE(record.derived.valid);
  EXPECT_DOUBLE_EQ(record.derived.value, 1.3);
}

TEST(Symmetry, FalseAlarmsKeepTheLevel) {
  int alarms = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed)
    alarms +=
        symmetry(symmetric_pair(), measured(100, 100, 100, seed)).at(0).symmetry->verdict == Symmetry::split ? 1 : 0;
  EXPECT_GT(alarms, 10);
  EXPECT_LT(alarms, 75);
}

TEST(Symmetry, ManyTestsShareTheLevel) {
  Rng rng(3);
  auto points = measured(100, 130, 110);
  points.push_back(finished("placement=far", 300, rng, 3));
  points.push_back(finished("placement=\"far@2+9\"", 400, rng, 3));
  const auto records = symmetry(symmetric_pair(), points);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].symmetry->verdict, Symmetry::split);
  // Three against three can just reach 0.0495: enough for one test, not for one of two.
  EXPECT_EQ(records[1].symmetry->verdict, Symmetry::unclear);
  EXPECT_NE(records[1].derived.reason.find("too few incarnations"), std::string::npos);
  points.erase(points.begin(), points.begin() + 3);
  EXPECT_EQ(symmetry(symmetric_pair(), points).at(0).symmetry->verdict, Symmetry::split);
}

TEST(Symmetry, OtherRegimesAreASplit) {
  auto points = measured(100, 100, 100);
  points[1].results[0].regime = Regime::blocked;
  const auto record = symmetry(symmetric_pair(), points).at(0);
  EXPECT_EQ(record.symmetry->verdict, Symmetry::split);
  EXPECT_EQ(record.derived.reason, "the regimes differ: blocked, spin");
  EXPECT_TRUE(std::isnan(record.symmetry->p));
}

/// A point that was in two regimes.
PointRecord mixed(PointRecord point, double share, double blocked, Rng& rng) {
  point.results[0].regime_share = share;
  auto other = finished(to_text(point.point), blocked, rng).results[0];
  other.regime = Regime::blocked;
  other.regime_share = 1 - share;
  point.results.push_back(other);
  return point;
}

TEST(Symmetry, IsTestedInTheRegimeThatAllHave) {
  Rng rng(11);
  auto points = measured(100, 100, 100);
  points[0] = mixed(points[0], 0.4, 2000, rng);
  points[1] = mixed(points[1], 0.6, 3000, rng);
  const auto record = symmetry(symmetric_pair(), points).at(0);
  EXPECT_EQ(record.symmetry->verdict, Symmetry::homogeneous) << "spinning is alike, and the third does nothing else";
  EXPECT_EQ(record.regime, Regime::spin);
  EXPECT_EQ(record.symmetry->highest.value, 100);
}

TEST(Symmetry, WithoutARegimeForAllNothingIsSaid) {
  Rng rng(12);
  auto points = measured(100, 100, 100);
  points[0] = mixed(points[0], 0.2, 2000, rng);
  points[1] = mixed(points[1], 0.6, 2000, rng);
  const auto record = symmetry(symmetric_pair(), points).at(0);
  EXPECT_EQ(record.symmetry->verdict, Symmetry::unclear);
  EXPECT_EQ(record.derived.reason, "no regime has a quarter of the batches in each");
}

TEST(Symmetry, TwoNamesOfTheSameCpusAreOne) {
  Rng rng(13);
  auto points = measured(100, 100, 100);
  points.push_back(finished("placement=close", 900, rng));
  EXPECT_EQ(symmetry(symmetric_pair(), points).at(0).symmetry->placements, 3);
  EXPECT_TRUE(symmetry(symmetric_pair(), {points[0], points[4]}).empty());
}

TEST(Symmetry, WithoutTwoValuesNothingIsSaid) {
  auto points = measured(100, 100, 100);
  points[0].outcome = Outcome::too_noisy;
  EXPECT_EQ(symmetry(symmetric_pair(), points).at(0).symmetry->placements, 2);
  points[1].results.clear();
  const auto record = symmetry(symmetric_pair(), points).at(0);
  EXPECT_EQ(record.symmetry->verdict, Symmetry::unclear);
  EXPECT_EQ(record.derived.reason, "1 of 3 representatives yielded a value");
  EXPECT_FALSE(record.derived.valid);
}

TEST(Symmetry, OtherFactorsAreKeptApart) {
  Rng rng(5);
  SeriesPlan series = symmetric_pair();
  const std::vector<PointRecord> points{
      finished("bytes=1 placement=near", 100, rng), finished("bytes=1 placement=\"near@2+3\"", 100, rng),
      finished("bytes=2 placement=near", 200, rng), finished("bytes=2 placement=\"near@2+3\"", 260, rng),
      finished("bytes=3 placement=near", 300, rng)};
  const auto records = symmetry(series, points);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(to_text(records[1].group), "bytes=2 placement=near");
  EXPECT_EQ(records[1].symmetry->verdict, Symmetry::split);
}

TEST(Symmetry, OnePlacementOfAClassIsNoTest) {
  Rng rng(9);
  EXPECT_TRUE(
      symmetry(symmetric_pair(), {finished("placement=near", 1, rng), finished("placement=far", 9, rng)}).empty());
  EXPECT_TRUE(symmetry(symmetric_pair(), {finished("bytes=1", 1, rng)}).empty());
}

}  // namespace
}  // namespace assay::test
