// SPDX-License-Identifier: Apache-2.0
// Levels as derived values of a series: names, units, and what the machine has and the curve does not show.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "run/point/open_point.hpp"
#include "support/campaigns/fake_plan.hpp"

namespace assay::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Curve = std::vector<std::pair<std::int64_t, double>>;

std::vector<PointRecord> finished(const Curve& curve) {
  std::vector<PointRecord> all;
  for (const auto& [size, value] : curve) {
    PointRecord& record = all.emplace_back();
    record.point.set("bytes", size);
    record.outcome = Outcome::converged;
    Result result;
    result.quantity = "time";
    result.headline = {"median", value, {0.99 * value, 1.01 * value, 0.95}, "visits"};
    record.results.push_back(result);
  }
  return all;
}

SeriesPlan with_caches() {
  SeriesPlan series = fake_series("one", {levels("bytes", 4)});
  series.derived.push_back({"levels", DerivedSpec::Kind::plateaus, "bytes", "", "", "plateaus bytes"});
  series.caches = {{"L1", 32 << 10}, {"L2", 1 << 20}};
  return series;
}

std::vector<std::string> names_of(const std::vector<DerivedRecord>& records) {
  std::vector<std::string> names;
  for (const DerivedRecord& record : records) names.push_back(record.name);
  return names;
}

// Octaves from 1 KiB on.
Curve octaves(const std::vector<double>& values) {
  Curve curve;
  for (std::size_t i = 0; i < values.size(); ++i) curve.emplace_back(std::int64_t{1024} << i, values[i]);
  return curve;
}

const std::vector<double> whole{1, 1, 1, 1, 1, 1, 4, 4, 4, 4, 4, 60, 100, 100, 100};

TEST(LevelRecords, AreALatencyAndASizeOfEachLevelAndMainMemory) {
  const auto records = derive(with_caches(), finished(octaves(whole)));
  ASSERT_THAT(names_of(records),
              ElementsAre("levels.L1.time", "levels.L1.size", "levels.L2.time", "levels.L2.size", "levels.main.time"));
  EXPECT_NEAR(records[0].derived.value, 1, 1e-9);
  EXPECT_EQ(records[0].unit, "ns");
  EXPECT_TRUE(records[0].derived.interval.contains(1));
  EXPECT_EQ(records[1].derived.value, 32768);
  EXPECT_EQ(records[1].derived.interval.low, 32768);
  EXPECT_EQ(records[1].derived.interval.high, 65536);
  EXPECT_EQ(records[1].unit, "B");
  EXPECT_THAT(records[1].formula, HasSubstr("1 KiB to 32 KiB; L1 has 32 KiB"));
  EXPECT_NEAR(records[2].derived.value, 4, 1e-9);
  EXPECT_EQ(records[3].derived.value, 1 << 20);
  EXPECT_NEAR(records[4].derived.value, 100, 1e-6);
}

TEST(LevelRecords, SayWhichLevelIsAbsent) {
  std::vector<double> values(whole);
  for (std::size_t i = 6; i < 11; ++i) values[i] = 100;  // nothing comes from the second cache
  values[11] = 100;
  const auto records = derive(with_caches(), finished(octaves(values)));
  ASSERT_THAT(names_of(records), ElementsAre("levels.L1.time", "levels.L1.size", "levels.main.time", "levels.L2.time"));
  EXPECT_FALSE(records[3].derived.valid);
  EXPECT_EQ(records[3].derived.reason, "no plateau between 32 KiB and 1 MiB, where it would show");
}

TEST(LevelRecords, SayThatACurveEndsTooEarly) {
  const auto records = derive(with_caches(), finished(octaves({1, 1, 1, 1, 1, 1, 4, 4, 4})));
  ASSERT_THAT(names_of(records), ElementsAre("levels.L1.time", "levels.L1.size", "levels.L2.time", "levels.main.time"));
  EXPECT_FALSE(records[3].derived.valid);
  EXPECT_EQ(records[3].derived.reason, "the curve has 0 values beyond 1 MiB");
}

/// The record of that name.
const DerivedRecord& named(const std::vector<DerivedRecord>& records, const std::string& name) {
  return *std::ranges::find(records, name, &DerivedRecord::name);
}

SeriesPlan with_three_caches() {
  SeriesPlan series = with_caches();
  series.caches.push_back({"L3", 32 << 20});
  return series;
}

TEST(LevelRecords, OfWhatGoesOnBeyondACacheAreNotThatCaches) {
  // Fetched in advance: 4 to 64 MiB take the same, in a machine whose third cache has 32 MiB.
  const auto records =
      derive(with_three_caches(), finished(octaves({1, 1, 1, 1, 1, 1, 4, 4, 4, 4, 4, 7, 10, 10, 10, 10, 10, 60, 100})));
  EXPECT_THAT(names_of(records),
              ElementsAre("levels.L1.time", "levels.L1.size", "levels.L2.time", "levels.L2.size", "levels.level3.time",
                          "levels.level3.size", "levels.L3.time", "levels.main.time"));
  EXPECT_THAT(named(records, "levels.level3.time").formula,
              HasSubstr("4 MiB to 64 MiB; across the end of a cache: L3"));
  EXPECT_FALSE(named(records, "levels.L3.time").derived.valid);
  EXPECT_FALSE(named(records, "levels.main.time").derived.valid);
}

TEST(LevelRecords, OfTwoPlateausInOneCacheAreThatOfTheLonger) {
  const auto records = derive(with_three_caches(),
                              finished(octaves({1, 1, 1, 1, 1, 1, 4, 4, 4, 4, 4, 20, 20, 30, 30, 30, 100, 100, 100})));
  EXPECT_THAT(named(records, "levels.L3.time").formula, HasSubstr("8 MiB to 32 MiB; L3 has 32 MiB"));
  EXPECT_NEAR(named(records, "levels.L3.time").derived.value, 30, 1e-6);
  EXPECT_THAT(named(records, "levels.level3.time").formula, HasSubstr("2 MiB to 4 MiB; within the same cache: L3"));
  EXPECT_NEAR(named(records, "levels.main.time").derived.value, 100, 1e-6);
}

TEST(LevelRecords, OfALevelThatRisesAreThoseOfItsShoulder) {
  const auto records =
      derive(with_caches(), finished(octaves({1.24, 1.24, 1.24, 1.24, 1.24, 1.63, 3.71, 4.79, 30, 74, 98, 114, 119})));
  const DerivedRecord& second = named(records, "levels.L2.time");
  EXPECT_NEAR(second.derived.value, std::sqrt(3.71 * 4.79), 1e-9);
  EXPECT_TRUE(second.derived.interval.contains(3.71) && second.derived.interval.contains(4.79));
  EXPECT_THAT(second.formula, HasSubstr("rising from 64 KiB to 128 KiB"));
}

TEST(LevelRecords, SayThatNobodyKnowsWhereALevelEnds) {
  auto points = finished(octaves({1, 1, 1, 1, 1, 1, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 100}));
  for (std::size_t i = 10; i < 16; ++i) points[i].results[0].headline.interval = {3, 8, 0.95};
  const auto records = derive(with_caches(), points);
  EXPECT_NEAR(named(records, "levels.L2.time").derived.value, 4, 1e-9);
  const DerivedRecord& size = named(records, "levels.L2.size");
  EXPECT_FALSE(size.derived.valid) << size.derived.interval.low << " to " << size.derived.interval.high;
  EXPECT_THAT(size.derived.reason, HasSubstr("between 512 KiB and 64 MiB"));
  EXPECT_TRUE(named(records, "levels.L1.size").derived.valid);
}

TEST(LevelRecords, OfAMachineThatShowsNoCachesAreNumbered) {
  SeriesPlan series = with_caches();
  series.caches.clear();
  EXPECT_THAT(names_of(derive(series, finished(octaves(whole)))),
              ElementsAre("levels.level1.time", "levels.level1.size", "levels.level2.time", "levels.level2.size",
                          "levels.level3.time"));
  const auto none = derive(series, finished(octaves({1, 2, 4, 8})));
  ASSERT_EQ(none.size(), 1U);
  EXPECT_THAT(none[0].derived.reason, HasSubstr("no plateau"));
}

}  // namespace
}  // namespace assay::test
