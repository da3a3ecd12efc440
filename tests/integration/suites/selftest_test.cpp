// SPDX-License-Identifier: Apache-2.0
// configs/selftest.ini through the real binary, processes, file and statistics: the answers are known.
#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "support/environment/paths.hpp"
#include "support/programs/program.hpp"

namespace assay::test {
namespace {

/// One run for all tests of this file: the campaign is the fixture.
class Selftest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<Scratch>();
    finished_ = run_assay({"run", source_directory() + "/configs/selftest.ini", "--output", *folder_ / "campaign"});
    if (finished_.exit_code == 0) records_ = campaign_records(*folder_);
  }
  static void TearDownTestSuite() {
    folder_.reset();
    records_.clear();
  }
  void SetUp() override { ASSERT_EQ(finished_.exit_code, 0) << finished_.out << finished_.err; }

  static Result primary(const std::string& series, std::size_t point = 0) {
    const auto points = points_of(records_, series);
    EXPECT_LT(point, points.size()) << series;
    EXPECT_FALSE(points.at(point).results.empty()) << series << ": " << points.at(point).reason;
    return points.at(point).results.at(0);
  }
  static void expect_every_point(const std::string& series, double expected) {
    const auto points = points_of(records_, series);
    ASSERT_FALSE(points.empty()) << series;
    for (std::size_t i = 0; i < points.size(); ++i) EXPECT_EQ(primary(series, i).headline.value, expected) << series;
  }

  static double quantity(const std::string& series, const std::string& name) {
    const auto points = points_of(records_, series);
    if (points.size() != 1) ADD_FAILURE() << series << " has " << points.size() << " points";
    for (const Result& result : points.at(0).results)
      if (result.quantity == name) return result.headline.value;
    ADD_FAILURE() << series << " has no " << name << ": " << points[0].reason;
    return 0;
  }
  static double derived(const std::string& name) {
    for (const DerivedRecord& record : records_of<DerivedRecord>(records_))
      if (record.name == name && record.derived.valid) return record.derived.value;
    ADD_FAILURE() << "no valid value is derived as " << name;
    return 0;
  }

  static inline std::unique_ptr<Scratch> folder_;
  static inline Finished finished_;
  static inline std::vector<Record> records_;
};

TEST_F(Selftest, EverythingConverges) {
  for (const auto& point : records_of<PointRecord>(records_))
    EXPECT_EQ(point.outcome, Outcome::converged) << point.series << point.reason;
}

TEST_F(Selftest, ConstantIsExact) { expect_every_point("constant", 1000); }

TEST_F(Selftest, NormalMedianLiesInItsInterval) { EXPECT_TRUE(primary("normal").headline.interval.contains(1000)); }

TEST_F(Selftest, MedianWithstandsTheHeavyTailAndTheMeanDoesNot) {
  const Result result = primary("heavy-tail");
  EXPECT_NEAR(result.headline.value, 1000, 30);
  EXPECT_GT(result.summary.mean, 1300);
}

TEST_F(Selftest, ProcessesThatDifferDecideTheInterval) {
  const Result result = primary("between-processes");
  EXPECT_EQ(result.headline.basis, "incarnations");
  EXPECT_GE(result.incarnations, 5);
  EXPECT_GT(result.between_spread, 0.005);
}

TEST_F(Selftest, ClaimsOfDifferentMembersComeBack) {
  for (const auto& point : points_of(records_, "claims")) {
    ASSERT_EQ(point.results.size(), 3U);
    EXPECT_EQ(point.results[0].headline.value, 100);
    EXPECT_EQ(point.results[1].headline.value, -40);
    EXPECT_EQ(point.results[2].headline.value, 2);
  }
}

// Oracle 1: the parameters of the synthetic channel are recovered through the complete pipeline.
TEST_F(Selftest, SyntheticChannelsReturnTheirRoundTrips) {
  expect_every_point("channel-a", 5600);
  expect_every_point("channel-b", 12200);
  expect_every_point("channel-c", 3200);
}

TEST_F(Selftest, SyntheticOverheadsComeBackExactly) {
  const auto points = points_of(records_, "overheads");
  ASSERT_EQ(points.size(), 1U);
  ASSERT_EQ(points[0].results.size(), 2U);
  EXPECT_EQ(points[0].results[0].headline.value, 500);
  EXPECT_EQ(points[0].results[1].headline.value, 300);
}

TEST_F(Selftest, SlopesOfTheBurstsAreTheGapAndTheSendOverhead) {
  EXPECT_NEAR(derived("g"), 800, 0.5);
  EXPECT_NEAR(derived("o_s"), 500, 0.5);
}

TEST_F(Selftest, OneWayTimesComeBackExactly) {
  for (const std::string series : {"one-way", "blocked"}) {
    EXPECT_EQ(quantity(series, "T1"), 2800) << series;
    EXPECT_EQ(quantity(series, "D"), 2300) << series;
  }
  EXPECT_EQ(quantity("one-way", "T1[back]"), 2800);
  EXPECT_EQ(quantity("one-way", "offset"), 0);
  EXPECT_EQ(quantity("blocked", "o_s[blk]"), 500);
  EXPECT_GT(quantity("blocked", "proved"), 0);
  EXPECT_EQ(quantity("capacity", "capacity"), 4096);
}

// The two routes to L, as the definitions of the parameters have it.
TEST_F(Selftest, LatencyComesBackByBothRoutes) {
  const double o_r = quantity("overheads", "o_r[ready]");
  EXPECT_EQ(primary("channel-a").headline.value / 2 - quantity("overheads", "o_s[idle]") - o_r, 2000);
  EXPECT_EQ(quantity("one-way", "D") - o_r, 2000);
}

TEST_F(Selftest, TheSameClassRanUnderBothVehicles) {
  std::set<std::string> vehicles;
  for (const auto& point : points_of(records_, "channel-a")) vehicles.insert(point.point.text("vehicle"));
  EXPECT_EQ(vehicles, (std::set<std::string>{"process", "thread"}));
}

}  // namespace
}  // namespace assay::test
