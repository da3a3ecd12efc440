// SPDX-License-Identifier: Apache-2.0
// What a campaign is expected to cost.
#include "app/campaign/estimate.hpp"

#include "unit/app/plan_fixture.hpp"

namespace assay::test {
namespace {

using EstimateTest = PlanTest;

PlannedPoints points_of(const CampaignPlan& plan, std::size_t count) {
  Point point;
  point.set("channel", "futex");
  point.set("vehicle", "thread");
  point.set("members", std::int64_t{2});
  point.set("placement", "unbound");
  return {{&plan.series.at(0), std::vector<Point>(count, point)}};
}

constexpr const char* lines =
    "channel = futex\nplacement = unbound\nmax-time = 2s\nwarm-up = 10ms\nmax-incarnations = 7\n";

TEST_F(EstimateTest, AddsUpPointsIncarnationsAndBudgets) {
  const auto plan = load_series(lines);
  const auto cost = estimate_cost(plan, points_of(plan, 3), 8);
  EXPECT_EQ(cost.points, 3U);
  EXPECT_EQ(cost.not_applicable, 0U);
  EXPECT_EQ(cost.incarnations, 15U);
  EXPECT_DOUBLE_EQ(cost.least.count, 3 * (5 * 30e6 + 17 * 1e6));
  EXPECT_DOUBLE_EQ(cost.most.count, 3 * (7 * 30e6 + 2e9));
  EXPECT_FALSE(cost.refined);
}

TEST_F(EstimateTest, NoMoreProcessesAreStartedThanVisitsMade) {
  const auto plan = load_series(std::string(lines) + "min-visits = 2\nrule = stderr\n");
  EXPECT_DOUBLE_EQ(estimate_cost(plan, points_of(plan, 1), 8).least.count, 2 * 30e6 + 2 * 1e6);
}

TEST_F(EstimateTest, TheLeastIsWhatTheRuleAllows) {
  const auto least = [&](const std::string& more) {
    const auto plan = load_series(std::string(lines) + more);
    return estimate_cost(plan, points_of(plan, 1), 8).least.count;
  };
  EXPECT_DOUBLE_EQ(least("rule = fixed:100\nbatches = 4\n"), 5 * 30e6 + 25 * 1e6);
  EXPECT_DOUBLE_EQ(least("rule = fixed:2\n"), 30e6 + 1e6);
  EXPECT_DOUBLE_EQ(least("rule = time:1s\n"), 30e6 + 1e9);
  EXPECT_DOUBLE_EQ(least("max-timings = 64\n"), 5 * 30e6 + 8 * 1e6) << "given up then";
}

TEST_F(EstimateTest, ASpanIsTheLeastAndPassesOnceForAllPoints) {
  const auto plan = load_series(std::string(lines) + "span = 100s\n");
  const auto cost = estimate_cost(plan, points_of(plan, 3), 8);
  EXPECT_EQ(cost.least.count, 100e9);
  EXPECT_EQ(cost.most.count, 100e9);
}

TEST_F(EstimateTest, ATimeLimitBoundsBoth) {
  const auto plan = load(std::string("[campaign]\ntime-limit = 1s\n[series.one]\nmeasurement = demo/pair\n") + lines);
  const auto cost = estimate_cost(plan, points_of(plan, 100), 8);
  EXPECT_EQ(cost.least.count, 1e9);
  EXPECT_EQ(cost.most.count, 1e9);
}

TEST_F(EstimateTest, PointsWithoutAMeaningCostNothing) {
  const auto plan = load_series("channel = futex\nplacement = unbound\nvehicle = process\n");
  auto planned = points_of(plan, 2);
  planned[0].second[0].set("vehicle", "process");
  const auto cost = estimate_cost(plan, planned, 8);
  EXPECT_EQ(cost.points, 2U);
  EXPECT_EQ(cost.not_applicable, 1U);
  EXPECT_EQ(cost.incarnations, 5U);
}

TEST_F(EstimateTest, SaysItInWords) {
  EXPECT_EQ(to_text(CostEstimate{1, 0, 5, seconds(5), seconds(250), false}),
            "1 point, 5 incarnations, 5 s to 4 min 10 s");
  EXPECT_EQ(to_text(CostEstimate{42, 2, 200, seconds(5), seconds(5), true}),
            "at least 42 points (2 not applicable), 200 incarnations, about 5 s");
}

TEST_F(EstimateTest, KnowsWhatIsRefined) {
  const auto plan = load_series("channel = futex\nplacement = unbound\nbytes = 1..64 refine 0.1\n");
  EXPECT_TRUE(estimate_cost(plan, points_of(plan, 1), 8).refined);
}

}  // namespace
}  // namespace assay::test
