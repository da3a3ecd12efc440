// SPDX-License-Identifier: Apache-2.0
// Points that have converged and go on while others make the session last.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "support/campaigns/planted_campaign.hpp"

namespace assay::test {
namespace {

constexpr double near_eps = 0.03;

/// A point that converges in its own time, and, where wanted, one that never does.
Stage near_stage(bool with_endless, Nanoseconds limit = seconds(1)) {
  CampaignPlan plan = fake_plan({fake_series("near", {levels("bytes", 1)}), fake_series("endless", {})});
  if (!with_endless) plan.series.pop_back();
  plan.time_limit = limit;
  for (SeriesPlan& series : plan.series) {
    series.precision.spare_time = true;
    series.precision.rule.eps = near_eps;
    series.precision.reps = 20;
    series.precision.rule.budget.max_time = milliseconds(40);
    series.precision.rule.budget.max_timings = 100'000;
  }
  if (with_endless) plan.series[1].precision.rule.eps = 5e-3;
  return Stage(std::move(plan), [](const FakeTurn& turn, Rng& rng) {
    const double noise = turn.point.find("bytes") != nullptr ? 0.2 : 0.9;
    return Nanoseconds{1000 * std::max(0.1, 1 + noise * rng.normal()) * static_cast<double>(turn.reps.count)};
  });
}

double near_width(const PointRecord& point) { return point.results.at(0).headline.relative_half_width(); }

Nanoseconds spent_on_series(const Stage& stage, const char* series) {
  Nanoseconds sum{};
  for (const VisitRecord& visit : stage.sink.all<VisitRecord>())
    if (visit.series == series) sum += visit.took;
  return sum;
}

TEST(SharpenedPoints, BecomeKnownTwiceAsWellBeforeOthersHaveTheRestOfSpareTime) {
  Stage alone = near_stage(false);
  EXPECT_EQ(alone.run().reason, "complete");
  EXPECT_GT(near_width(alone.point("bytes=1")), near_eps / 2) << "nothing else makes the session last";
  Stage stage = near_stage(true);
  EXPECT_EQ(stage.run().reason, "complete");
  const PointRecord near = stage.point("bytes=1");
  EXPECT_EQ(near.outcome, Outcome::converged);
  EXPECT_LE(near_width(near), near_eps / 2);
  Nanoseconds on_endless{};
  Nanoseconds until_near_ends{};
  for (const VisitRecord& visit : stage.sink.all<VisitRecord>())
    if (visit.series == "endless")
      on_endless += visit.took;
    else
      until_near_ends = on_endless;
  EXPECT_LT(until_near_ends, milliseconds(42)) << "its own budget";
  EXPECT_GT(on_endless, milliseconds(190));
}

TEST(SharpenedPoints, EndWithTheLastOfTheOthers) {
  Stage stage = near_stage(true);
  stage.plan.series[1].precision.spare_time = false;  // then near has no turn before it
  EXPECT_EQ(stage.run().reason, "complete");
  const PointRecord near = stage.point("bytes=1");
  EXPECT_EQ(near.outcome, Outcome::converged);
  EXPECT_FALSE(near.unfinished);
  EXPECT_GT(near_width(near), near_eps / 2);
  EXPECT_LE(near_width(near), near_eps);
  EXPECT_EQ(stage.sink.all<VisitRecord>().back().series, "endless") << "no further visit until its rule is asked again";
}

TEST(SharpenedPoints, HaveConvergedWhenTheTimeIsOver) {
  Stage plain = near_stage(false);
  EXPECT_EQ(plain.run().reason, "complete");
  const Nanoseconds needed = plain.clock.now() - Instant{};
  Stage stage = near_stage(true, 2 * needed + milliseconds(2));
  stage.run();
  const PointRecord near = stage.point("bytes=1");
  EXPECT_EQ(near.outcome, Outcome::converged);
  EXPECT_FALSE(near.unfinished);
  EXPECT_LE(stage.clock.now() - Instant{}, 2 * needed + milliseconds(2));
}

TEST(SharpenedPoints, HaveConvergedWhenASignalEndsTheSession) {
  Stage stage = near_stage(true);
  stage.stop = [&] {
    const auto visits = stage.sink.all<VisitRecord>();
    return !visits.empty() && visits.back().series == "near" && spent_on_series(stage, "endless") > milliseconds(40);
  };
  EXPECT_EQ(stage.run().reason, "signal");
  const PointRecord near = stage.point("bytes=1");
  EXPECT_EQ(near.outcome, Outcome::converged);
  EXPECT_FALSE(near.unfinished);
}

TEST(SharpenedPoints, LeaveTheRestOfTheirBudgetsToOthers) {
  Stage stage = near_stage(true, milliseconds(120));
  stage.plan.series[0].precision.rule.budget.max_time = milliseconds(200);
  stage.run();
  EXPECT_EQ(stage.point("bytes=1").outcome, Outcome::converged);
  EXPECT_LT(spent_on_series(stage, "near"), milliseconds(40)) << "it is known twice as well by then";
  EXPECT_GT(spent_on_series(stage, "endless"), milliseconds(60)) << "its budget is 40";
}

TEST(SharpenedPoints, AreNoneWhileOthersWaitForAPlace) {
  Stage stage = near_stage(true);
  stage.plan.series[0].factors = {levels("bytes", 4)};
  stage.host.pool = 6;  // three points of two processes each, with this seed the endless one among the first
  EXPECT_EQ(stage.run().reason, "complete");
  std::set<std::string> begun;
  Nanoseconds next_wave{};
  for (const VisitRecord& visit : stage.sink.all<VisitRecord>())
    if (begun.insert(to_text(visit.point)).second) next_wave = visit.at;
  ASSERT_EQ(begun.size(), 5U);
  EXPECT_GT(next_wave, milliseconds(200)) << "when the endless one has had all of its time";
  int in_first = 0;
  for (const PointRecord& record : stage.points()) {
    if (record.series != "near") continue;
    EXPECT_EQ(record.outcome, Outcome::converged);
    in_first += near_width(record) > near_eps / 2 ? 1 : 0;
  }
  EXPECT_EQ(in_first, 4) << "and there is nothing in the second wave that makes it last";
}

TEST(SharpenedPoints, AreNoneWithoutSpareTime) {
  Stage stage = near_stage(true);
  stage.plan.series[0].precision.spare_time = false;
  stage.run();
  EXPECT_GT(near_width(stage.point("bytes=1")), near_eps / 2);
  Stage unlimited = near_stage(true);
  unlimited.plan.time_limit = std::nullopt;
  unlimited.run();
  EXPECT_GT(near_width(unlimited.point("bytes=1")), near_eps / 2);
  EXPECT_LT(spent_on_series(unlimited, "near"), milliseconds(20));
}

}  // namespace
}  // namespace assay::test
