// SPDX-License-Identifier: Apache-2.0
// A campaign that was interrupted after any of its records ends with the points of one that was not.
#include <gtest/gtest.h>

#include <cmath>

#include "support/campaigns/campaign_stage.hpp"
#include "support/campaigns/fake_plan.hpp"
#include "support/campaigns/interrupted.hpp"

namespace assay::test {
namespace {

constexpr std::size_t resume_budget = std::size_t{1} << 40U;

/// The same value whenever and wherever it is asked for: a bend at 64 bytes.
Nanoseconds bent(const FakeTurn& turn, Rng&) {
  const double bytes = at(turn.point, "bytes");
  const double each = bytes < 64 ? 100 + bytes : 300 + 7 * (bytes - 64);
  return Nanoseconds{each * static_cast<double>(turn.reps.count)};
}

CampaignPlan listed_plan() {
  SeriesPlan series = fake_series("listed", {levels("bytes", 3), words("way", {"a", "b"})});
  return fake_plan({series, fake_team("alone", 2, Waiting::blocks)});
}

CampaignPlan refined_plan() {
  SeriesPlan series = fake_series("curve", {levels("bytes", 1)});
  series.factors[0].domain.levels = {std::int64_t{1}, std::int64_t{1024}};
  series.factors[0].domain.refine = 0.05;
  series.precision.max_points = 12;
  return fake_plan({series});
}

void expect_the_same_points(const CampaignPlan& plan, const TimeLaw& law, std::size_t step) {
  std::vector<Record> whole;
  run_until(plan, law, whole, resume_budget);
  const auto expected = last_records(whole);
  ASSERT_GT(expected.size(), 1U);
  for (std::size_t kill = 1; kill < whole.size(); kill += step) {
    std::vector<Record> records;
    ASSERT_TRUE(run_until(plan, law, records, kill).killed);
    const auto acknowledged = last_records(records);
    const Stretch second = run_until(plan, law, records, resume_budget);
    EXPECT_EQ(second.end.reason, "complete");
    const auto found = last_records(records);
    ASSERT_EQ(found.size(), expected.size()) << "killed after record " << kill;
    for (const auto& [point, record] : expected) {
      ASSERT_TRUE(found.contains(point)) << point;
      EXPECT_EQ(found.at(point).outcome, record.outcome) << point << found.at(point).reason;
      EXPECT_FALSE(found.at(point).unfinished);
    }
    for (const auto& [point, record] : acknowledged)
      EXPECT_EQ(found.at(point).results.at(0).headline.value, record.results.at(0).headline.value);
  }
}

Nanoseconds level_time(const FakeTurn& turn, Rng&) {
  const Value* bytes = turn.point.find("bytes");
  const double each = bytes == nullptr ? 500 : 100 * *number_of(*bytes);
  return Nanoseconds{each * static_cast<double>(turn.reps.count)};
}

TEST(Resume, AnInterruptedFactorialCampaignEndsWithTheSamePoints) {
  expect_the_same_points(listed_plan(), level_time, 1);
}

TEST(Resume, AnInterruptedRefinedCampaignEndsWithTheSamePoints) { expect_the_same_points(refined_plan(), bent, 3); }

TEST(Resume, ADesignDecidesAsBeforeByPointsThatWentOnBeingMeasured) {
  CampaignPlan plan = refined_plan();
  plan.series[0].precision.span = milliseconds(10);
  expect_the_same_points(plan, bent, 7);
}

TEST(Resume, ManyInterruptionsAddUpToNoMoreThanOne) {
  const CampaignPlan plan = listed_plan();
  std::vector<Record> whole;
  run_until(plan, level_time, whole, resume_budget);
  std::vector<Record> records;
  for (std::size_t most = 40; run_until(plan, level_time, records, most).killed; most += 40) ASSERT_LT(most, 4000U);
  const auto found = last_records(records);
  EXPECT_EQ(found.size(), last_records(whole).size());
}

TEST(Resume, VisitsBeforeAnInterruptionCount) {
  SeriesPlan series = fake_series("one", {levels("bytes", 2)});
  series.precision.rule.name = "fixed";
  series.precision.rule.argument = 400;
  const CampaignPlan plan = fake_plan({series});
  std::vector<Record> whole;
  const Stretch uninterrupted = run_until(plan, level_time, whole, resume_budget);
  std::vector<Record> records;
  const Stretch first = run_until(plan, level_time, records, whole.size() * 2 / 3);
  const Stretch second = run_until(plan, level_time, records, resume_budget);
  EXPECT_LE(first.visits + second.visits, uninterrupted.visits + 1) << "at most the visit in flight was lost";
  for (const auto& [point, record] : last_records(records)) {
    EXPECT_EQ(record.results.at(0).stretches, 2) << point;
    EXPECT_EQ(record.results.at(0).visits, last_records(whole).at(point).results.at(0).visits);
  }
}

}  // namespace
}  // namespace assay::test
