// SPDX-License-Identifier: Apache-2.0
// Derived values over finished points: groups, regimes, and inputs that are missing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/point/open_point.hpp"
#include "support/campaigns/fake_plan.hpp"

namespace assay::test {
namespace {

PointRecord finished(const std::string& at, double value, Regime regime = Regime::solo) {
  PointRecord record;
  record.point = parse_point(at).value();
  record.outcome = Outcome::converged;
  Result result;
  result.quantity = "time";
  result.regime = regime;
  result.headline = {"median", value, {0.99 * value, 1.01 * value, 0.95}, "visits"};
  record.results.push_back(result);
  return record;
}

SeriesPlan with(const DerivedSpec& spec) {
  SeriesPlan series = fake_series("one", {levels("bytes", 4), words("mode", {"a", "b"})});
  series.derived.push_back(spec);
  return series;
}

const DerivedSpec mode_difference{"extra", DerivedSpec::Kind::difference, "mode", "b", "a", "difference mode b a"};
const DerivedSpec mode_ratio{"times", DerivedSpec::Kind::ratio, "mode", "b", "a", "ratio mode b a"};
const DerivedSpec per_byte{"per byte", DerivedSpec::Kind::slope, "bytes", "", "", "slope bytes"};

TEST(Derive, ADifferenceForEachGroup) {
  const auto records = derive(with(mode_difference), {finished("bytes=1 mode=a", 10), finished("bytes=2 mode=a", 20),
                                                      finished("bytes=1 mode=b", 13), finished("bytes=2 mode=b", 26)});
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].series, "one");
  EXPECT_EQ(records[0].name, "extra");
  EXPECT_EQ(records[0].formula, "difference mode b a");
  EXPECT_EQ(records[0].quantity, "time");
  EXPECT_EQ(records[0].unit, "ns");
  EXPECT_EQ(to_text(records[0].group), "bytes=1");
  EXPECT_TRUE(records[0].derived.valid);
  EXPECT_DOUBLE_EQ(records[0].derived.value, 3);
  EXPECT_TRUE(records[0].derived.interval.available());
  EXPECT_DOUBLE_EQ(records[1].derived.value, 6);
}

TEST(Derive, InputsAtOtherClocksAreSaid) {
  std::vector<PointRecord> points{finished("bytes=1 mode=a", 10), finished("bytes=1 mode=b", 13)};
  points[0].results[0].state = points[1].results[0].state = {Sharing::alone, 0, 0};
  points[0].results[0].state.step = {1.1};
  points[1].results[0].state.step = {1.11};
  EXPECT_THAT(derive(with(mode_difference), points).at(0).derived.reason, testing::Not(testing::HasSubstr("clock")));
  points[1].results[0].state.step = {1.155};
  EXPECT_THAT(derive(with(mode_difference), points).at(0).derived.reason,
              testing::HasSubstr("the clocks of its inputs differ by up to 5 %"));
}

TEST(Derive, ARatioHasNoUnit) {
  const auto records = derive(with(mode_ratio), {finished("bytes=1 mode=a", 10), finished("bytes=1 mode=b", 25)});
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].unit, "ratio");
  EXPECT_DOUBLE_EQ(records[0].derived.value, 2.5);
}

TEST(Derive, OfAnotherQuantityThanTheFirst) {
  SeriesPlan series = with(mode_difference);
  series.measurement.quantities.push_back({.name = "misses", .unit = Unit::count});
  series.derived[0].quantity = "misses";
  PointRecord a = finished("bytes=1 mode=a", 10);
  PointRecord b = finished("bytes=1 mode=b", 13);
  for (PointRecord* point : {&a, &b}) {
    Result misses = point->results[0];
    misses.quantity = "misses";
    misses.headline = {"median", point == &a ? 100.0 : 400.0, {90, 410, 0.95}, "visits"};
    point->results.push_back(misses);
  }
  const auto records = derive(series, {a, b});
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].quantity, "misses");
  EXPECT_EQ(records[0].unit, "1");
  EXPECT_EQ(records[0].derived.value, 300);
}

TEST(Derive, ASlopeForEachLine) {
  std::vector<PointRecord> points;
  for (const char* mode : {"a", "b"})
    for (int bytes = 1; bytes <= 4; ++bytes)
      points.push_back(
          finished("bytes=" + std::to_string(bytes) + " mode=" + mode, (mode[0] == 'a' ? 3 : 5) * bytes + 1));
  const auto records = derive(with(per_byte), points);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].unit, "ns/B");
  EXPECT_EQ(to_text(records[1].group), "mode=b");
  EXPECT_NEAR(records[0].derived.value, 3, 1e-9);
  EXPECT_NEAR(records[1].derived.value, 5, 1e-9);
}

TEST(Derive, ASlopeTakesTheOtherRegimeOfItsPointsToo) {
  std::vector<PointRecord> points;
  for (int bytes = 1; bytes <= 4; ++bytes) {
    PointRecord point = finished("bytes=" + std::to_string(bytes), 3 * bytes, Regime::blocked);
    point.results[0].regime_share = bytes % 2 == 0 ? 0.6 : 0.4;
    Result other = point.results[0];
    other.regime = Regime::spin;
    other.regime_share = bytes < 4 ? 0.4 : 0.1;
    other.headline = {"median", 7.0 * bytes, {6.9 * bytes, 7.1 * bytes, 0.95}, "visits"};
    point.results.push_back(other);
    points.push_back(point);
  }
  const auto records = derive(with(per_byte), points);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].regime, Regime::spin);
  EXPECT_NEAR(records[0].derived.value, 7, 1e-9);
  EXPECT_EQ(records[1].regime, Regime::blocked);
  EXPECT_NEAR(records[1].derived.value, 3, 1e-9);
}

TEST(Derive, ASlopeOverACountNamesItsFactor) {
  DerivedSpec spec = per_byte;
  spec.factor = "members";
  const auto records =
      derive(with(spec), {finished("members=1", 1), finished("members=2", 2), finished("members=3", 3)});
  EXPECT_EQ(records.at(0).unit, "ns/members");
}

TEST(Derive, ASlopeNeedsThreeUsableAbscissas) {
  const auto two = derive(with(per_byte), {finished("bytes=1", 1), finished("bytes=2", 2)});
  EXPECT_FALSE(two.at(0).derived.valid);
  PointRecord failed = finished("bytes=1", 1);
  failed.outcome = Outcome::failed;
  const auto none = derive(with(per_byte), {failed});
  EXPECT_EQ(none.at(0).derived.reason, "no point has a usable value");
}

TEST(Derive, NeverAcrossRegimes) {
  const auto pair =
      derive(with(mode_difference), {finished("mode=a", 10, Regime::spin), finished("mode=b", 13, Regime::blocked)});
  EXPECT_FALSE(pair.at(0).derived.valid);
  EXPECT_EQ(pair[0].derived.reason, "the regimes differ: blocked, spin");
  const auto line =
      derive(with(per_byte), {finished("bytes=1", 1, Regime::spin), finished("bytes=2", 2, Regime::spin),
                              finished("bytes=3", 3, Regime::spin), finished("bytes=4", 90, Regime::blocked)});
  ASSERT_EQ(line.size(), 2U);
  EXPECT_EQ(line[0].regime, Regime::spin);
  EXPECT_NEAR(line[0].derived.value, 1, 1e-9);
  EXPECT_FALSE(line[1].derived.valid);
}

TEST(Derive, TakesTheDominantRegimeOfEachPoint) {
  PointRecord both = finished("mode=a", 10, Regime::spin);
  both.results[0].regime_share = 0.8;
  both.results.push_back(finished("mode=a", 500, Regime::blocked).results[0]);
  both.results[1].regime_share = 0.2;
  const auto records = derive(with(mode_difference), {both, finished("mode=b", 13, Regime::spin)});
  EXPECT_EQ(records.at(0).regime, Regime::spin);
  EXPECT_DOUBLE_EQ(records[0].derived.value, 3);
}

TEST(Derive, SaysWhatAnInputLacks) {
  PointRecord refused = finished("mode=a", 10);
  refused.outcome = Outcome::not_applicable;
  refused.code = "N1";
  refused.results.clear();
  EXPECT_EQ(derive(with(mode_difference), {refused, finished("mode=b", 1)}).at(0).derived.reason,
            "mode=a: not-applicable N1");
  EXPECT_EQ(derive(with(mode_difference), {finished("mode=b", 1)}).at(0).derived.reason, "no point with mode=a");
  PointRecord vague = finished("mode=a", 10);
  vague.results[0].headline.interval = {};
  EXPECT_EQ(derive(with(mode_difference), {vague, finished("mode=b", 1)}).at(0).derived.reason, "mode=a: no interval");
}

TEST(Derive, UsesWhatABudgetEndedButNothingUnsteady) {
  PointRecord spent = finished("mode=a", 10);
  spent.outcome = Outcome::max_time;
  EXPECT_TRUE(derive(with(mode_difference), {spent, finished("mode=b", 12)}).at(0).derived.valid);
  for (const Outcome outcome : {Outcome::bimodal, Outcome::drift, Outcome::too_noisy, Outcome::aborted}) {
    spent.outcome = outcome;
    EXPECT_FALSE(derive(with(mode_difference), {spent, finished("mode=b", 12)}).at(0).derived.valid);
  }
}

TEST(Derive, ANotConvergedOrDisturbedInputMarksWhatIsDerivedFromIt) {
  const PointRecord calm = finished("mode=b", 12);
  EXPECT_TRUE(derive(with(mode_ratio), {finished("mode=a", 10), calm}).at(0).derived.reason.empty());
  PointRecord spent = finished("mode=a", 10);
  spent.outcome = Outcome::max_time;
  for (const DerivedSpec& spec : {mode_ratio, mode_difference}) {
    const Derived derived = derive(with(spec), {spent, calm}).at(0).derived;
    EXPECT_TRUE(derived.valid);
    EXPECT_EQ(derived.reason, "mode=a: max-time");
  }
  PointRecord noisy = finished("mode=b", 12);
  noisy.results[0].noisy = true;
  noisy.results[0].disturbed_share = 0.25;
  noisy.reference.moved = true;
  EXPECT_EQ(derive(with(mode_ratio), {spent, noisy}).at(0).derived.reason,
            "mode=b: 25 % of the batches disturbed, CPUs moved; mode=a: max-time");
  PointRecord found = finished("mode=b", 12);
  found.cores = {{.cpu = 0, .alone = 0.08, .because = AloneBecause::throughput, .readings = 200, .readings_alone = 18}};
  EXPECT_EQ(derive(with(mode_ratio), {finished("mode=a", 10), found}).at(0).derived.reason,
            "mode=b: as found, others on the cores for 91 % of the time");
}

TEST(Derive, AMarkedInputOfASlopeMarksIt) {
  std::vector<PointRecord> points;
  for (int bytes = 1; bytes <= 6; ++bytes) points.push_back(finished("bytes=" + std::to_string(bytes), 3 * bytes + 1));
  EXPECT_TRUE(derive(with(per_byte), points).at(0).derived.reason.empty());
  points[2].outcome = Outcome::max_timings;
  const Derived one = derive(with(per_byte), points).at(0).derived;
  EXPECT_TRUE(one.valid);
  EXPECT_EQ(one.reason, "bytes=3: max-timings");
  for (PointRecord& point : points) point.outcome = Outcome::max_time;
  EXPECT_EQ(derive(with(per_byte), points).at(0).derived.reason,
            "bytes=1: max-time; bytes=2: max-time; bytes=3: max-time; 6 of 6 inputs in all");
}

TEST(Derive, NothingAskedNothingDerived) {
  EXPECT_TRUE(derive(fake_series("one", {}), {finished("mode=a", 1)}).empty());
  EXPECT_TRUE(derive(with(mode_ratio), {finished("bytes=1", 1)}).empty());
}

TEST(Derive, IsAsShortTermAsItsInputs) {
  std::vector<PointRecord> points;
  for (int bytes = 1; bytes <= 4; ++bytes) points.push_back(finished("bytes=" + std::to_string(bytes), 3 * bytes));
  const auto reason_of_slope = [&] { return derive(with(per_byte), points).at(0).derived.reason; };
  const std::string usual = reason_of_slope();
  points[2].results[0].term = Term::short_term;
  EXPECT_EQ(reason_of_slope(), usual + "bytes=3: short-term");
  points[2].outcome = Outcome::max_time;
  EXPECT_EQ(reason_of_slope(), usual + "bytes=3: max-time, short-term");
  for (PointRecord& point : points) point.results[0].term = Term::short_term;
  EXPECT_EQ(reason_of_slope(), usual + "all inputs short-term; bytes=3: max-time") << "what holds for all is said once";

  PointRecord a = finished("mode=a", 10);
  PointRecord b = finished("mode=b", 13);
  b.results[0].term = Term::short_term;
  for (const DerivedSpec& spec : {mode_difference, mode_ratio})
    EXPECT_EQ(derive(with(spec), {a, b}).at(0).derived.reason, "mode=b: short-term");
}

}  // namespace
}  // namespace assay::test
