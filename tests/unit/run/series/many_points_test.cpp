// SPDX-License-Identifier: Apache-2.0
// Campaigns of more points than a part: which are measured when, and that none is lost between two parts.
#include <gmock/gmock-matchers.h>

#include "run/series/finished_index.hpp"
#include "support/campaigns/campaign_stage.hpp"
#include "support/campaigns/fake_plan.hpp"
#include "support/campaigns/interrupted.hpp"

namespace assay::test {
namespace {

constexpr std::size_t many_points_budget = std::size_t{1} << 40U;

SeriesPlan cheap_series(const std::string& name, std::int64_t points) {
  SeriesPlan series = fake_series(name, {levels("bytes", points)});
  series.precision.rule.name = "fixed";
  series.precision.rule.argument = 1;
  series.precision.incarnations = 1;
  series.precision.batches = 1;
  return series;
}

Nanoseconds constant(const FakeTurn& turn, Rng&) { return microseconds(100) * static_cast<double>(turn.reps.count); }

TEST(ManyPoints, EverySeriesHasItsShareOfEachPart) {
  Stage stage(fake_plan({cheap_series("large", 3000), cheap_series("small", 600)}), constant);
  EXPECT_EQ(stage.run().points, 3600);
  const auto points = stage.points();
  ASSERT_EQ(points.size(), 3600U);
  for (std::size_t part = 0; part < 3; ++part) {
    const auto begin = points.begin() + static_cast<std::ptrdiff_t>(part * 1200);
    const auto small =
        std::count_if(begin, begin + 1200, [](const PointRecord& record) { return record.series == "small"; });
    EXPECT_NEAR(static_cast<double>(small), 200, 40) << "part " << part;
    double sum = 0;
    for (auto one = begin; one != begin + 1200; ++one) sum += one->series == "large" ? at(one->point, "bytes") : 0;
    // The mean of 1000 levels out of 3000 has a standard deviation of 22.
    EXPECT_NEAR(sum / static_cast<double>(1200 - small), 1500.5, 120) << "part " << part;
  }
  EXPECT_EQ(stage.progress.front().known, 3600);
  EXPECT_EQ(stage.progress.back().known, 3600);
}

TEST(ManyPoints, AnInterruptedCampaignMeasuresWhatIsMissingAndNothingElse) {
  const CampaignPlan plan = fake_plan({cheap_series("one", 3000)});
  std::vector<Record> records;
  const Stretch first = run_until(plan, constant, records, 6000);
  ASSERT_TRUE(first.killed);
  const auto before = last_records(records).size();
  ASSERT_GT(before, 1024U) << "beyond the first part";
  const Stretch second = run_until(plan, constant, records, many_points_budget);
  EXPECT_EQ(last_records(records).size(), 3000U);
  EXPECT_EQ(second.end.points, static_cast<int>(3000 - before));
  EXPECT_EQ(run_until(plan, constant, records, many_points_budget).visits, 0U);
}

TEST(ManyPoints, AStoppedCampaignHasARecordOfEveryPoint) {
  Stage stage(fake_plan({cheap_series("one", 3000)}), constant);
  stage.stop = [&] { return stage.host.opened_in_all() >= 100; };
  EXPECT_EQ(stage.run().exit_code(), 75);
  EXPECT_EQ(stage.points().size(), 3000U);
  const auto notes = stage.sink.all<NoteRecord>();
  EXPECT_THAT(notes.back().text, testing::MatchesRegex("series one: 29.. points unfinished .*"));
}

TEST(ManyPoints, LeaveNothingWhereNothingIsComputedOverThem) {
  const CampaignPlan plan = fake_plan({cheap_series("one", 2)});
  EXPECT_FALSE(keeps_records(plan, plan.series[0]));
  CampaignPlan derived = plan;
  derived.series[0].derived.push_back({"slope", DerivedSpec::Kind::slope, "bytes", {}, {}, "slope bytes"});
  EXPECT_TRUE(keeps_records(derived, derived.series[0]));
  CampaignPlan refined = plan;
  refined.series[0].factors[0].domain.refine = 0.1;
  EXPECT_TRUE(keeps_records(refined, refined.series[0]));
  CampaignPlan laid_out = plan;
  laid_out.layout = "logp";
  EXPECT_TRUE(keeps_records(laid_out, laid_out.series[0]));
  CampaignPlan placed = plan;
  placed.series[0].placements = {{"same-l3@0", {0, 1}, -1, "same-l3"}, {"same-l3@1", {2, 3}, -1, "same-l3"}};
  EXPECT_TRUE(keeps_records(placed, placed.series[0]));
}

}  // namespace
}  // namespace assay::test
