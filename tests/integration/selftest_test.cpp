// SPDX-License-Identifier: Apache-2.0
// configs/selftest.ini through the real binary, processes, file and statistics: the answers are known.
#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "support/program.hpp"

namespace assay::test {
namespace {

/// One run for all tests of this file: the campaign is the fixture.
class Selftest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<Scratch>();
    finished_ = run_assay({"run", ASSAY_SOURCE_DIR "/configs/selftest.ini", "--output", *folder_ / "campaign"});
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

TEST_F(Selftest, SlopeOfTheBurstsIsTheGap) {
  const auto derived = records_of<DerivedRecord>(records_);
  ASSERT_EQ(derived.size(), 1U);
  EXPECT_TRUE(derived[0].derived.valid) << derived[0].derived.reason;
  EXPECT_NEAR(derived[0].derived.value, 800, 0.5);
}

TEST_F(Selftest, TheSameClassRanUnderBothVehicles) {
  std::set<std::string> vehicles;
  for (const auto& point : points_of(records_, "channel-a")) vehicles.insert(point.point.text("vehicle"));
  EXPECT_EQ(vehicles, (std::set<std::string>{"process", "thread"}));
}

}  // namespace
}  // namespace assay::test
