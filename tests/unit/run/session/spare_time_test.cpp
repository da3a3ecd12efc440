// SPDX-License-Identifier: Apache-2.0
// The time that a campaign's limit leaves, and who gets it.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/campaigns/planted_campaign.hpp"

namespace assay::test {
namespace {

/// Three points, the second of which needs more than its budget of time.
Stage stage_of_a_noisy_point(bool spare_time, std::optional<Nanoseconds> limit, double noise_of_it = 0.3) {
  CampaignPlan plan = fake_plan({fake_series("one", {levels("bytes", 3)})});
  plan.time_limit = limit;
  plan.series[0].precision.spare_time = spare_time;
  plan.series[0].precision.rule.budget.max_time = milliseconds(4);
  plan.series[0].precision.rule.budget.max_timings = 100'000;
  return Stage(std::move(plan), [noise_of_it](const FakeTurn& turn, Rng& rng) {
    const double noise = to_text(turn.point) == "bytes=2" || to_text(turn.point) == "mode=x" ? noise_of_it : 0.001;
    return Nanoseconds{1000 * (1 + noise * rng.normal()) * static_cast<double>(turn.reps.count)};
  });
}

/// Claimed time of the visits to a point.
Nanoseconds spent_on(const Stage& stage, const char* text) {
  Nanoseconds sum{};
  for (const VisitRecord& visit : stage.sink.all<VisitRecord>())
    if (to_text(visit.point) == text) sum += visit.took;
  return sum;
}

/// What a campaign takes in all.
Nanoseconds time_of(Stage& stage) {
  stage.run();
  return stage.clock.now() - Instant{};
}

TEST(SpareTime, GoesToPointsThatHaveNotConverged) {
  Stage without = stage_of_a_noisy_point(false, seconds(1));
  without.run();
  EXPECT_EQ(without.point("bytes=2").outcome, Outcome::max_time);
  Stage with = stage_of_a_noisy_point(true, seconds(1));
  EXPECT_EQ(with.run().reason, "complete");
  EXPECT_EQ(with.point("bytes=2").outcome, Outcome::converged);
  EXPECT_GT(spent_on(with, "bytes=2"), spent_on(without, "bytes=2"));
  for (const char* quiet : {"bytes=1", "bytes=3"}) {
    EXPECT_EQ(with.point(quiet).outcome, Outcome::converged);
    EXPECT_EQ(spent_on(with, quiet), spent_on(without, quiet));
  }
}

/// Relative half-widths of two points whose visits are to span a second, of which one has a law with noise.
std::pair<double, double> widths_over_a_span(bool spare_time) {
  Stage stage = stage_of_a_noisy_point(spare_time, seconds(3), 0.05);
  stage.plan.series[0].precision.span = seconds(1);
  stage.plan.series[0].precision.rule.budget.max_time = milliseconds(200);
  EXPECT_EQ(stage.run().reason, "complete");
  EXPECT_LT(stage.clock.now() - Instant{}, seconds(1.2));
  const auto width = [&](const char* point) { return stage.point(point).results.at(0).headline.relative_half_width(); };
  return {width("bytes=2"), width("bytes=1")};
}

TEST(SpareTime, WhileNoVisitIsDueWhatIsKnownJustWellEnoughBecomesKnownBetter) {
  const auto [without, quiet] = widths_over_a_span(false);
  const auto [with, still_quiet] = widths_over_a_span(true);
  EXPECT_LT(with, 0.8 * without);
  EXPECT_NEAR(still_quiet, quiet, 0.05 * quiet) << "known to less than half of what is wanted";
}

TEST(SpareTime, EndsWithTheTimeLimit) {
  Stage plain = stage_of_a_noisy_point(false, std::nullopt);
  const Nanoseconds needed = time_of(plain);
  Stage stage = stage_of_a_noisy_point(true, needed + milliseconds(3));
  EXPECT_EQ(stage.run().reason, "complete");
  const PointRecord point = stage.point("bytes=2");
  EXPECT_EQ(point.outcome, Outcome::max_time);
  EXPECT_FALSE(point.unfinished);
  EXPECT_GT(spent_on(stage, "bytes=2"), spent_on(plain, "bytes=2"));
  EXPECT_LE(stage.clock.now() - Instant{}, needed + milliseconds(3));
}

/// From `from` on a millisecond passes at each turn without being spent on a point, as on cores that others share.
void let_time_pass(Stage& stage, Nanoseconds from) {
  stage.stop = [&stage, from] {
    if (stage.clock.now() - Instant{} > from) stage.clock.advance(milliseconds(1));
    return false;
  };
}

TEST(SpareTime, ThatIsOverIsNoEndOfTheCampaign) {
  Stage plain = stage_of_a_noisy_point(false, std::nullopt);
  const Nanoseconds needed = time_of(plain);
  Stage stage = stage_of_a_noisy_point(true, needed + milliseconds(20));
  let_time_pass(stage, needed + milliseconds(2));
  const CampaignEnd end = stage.run();
  EXPECT_EQ(end.reason, "complete");
  EXPECT_EQ(end.exit_code(), 0);
  const PointRecord point = stage.point("bytes=2");
  EXPECT_EQ(point.outcome, Outcome::max_time);
  EXPECT_FALSE(point.unfinished);
  EXPECT_GT(spent_on(stage, "bytes=2"), milliseconds(4));
}

/// As above, beside a point that needs many more visits to spend its budget.
Stage stage_of_two_noisy_points(bool spare_time, std::optional<Nanoseconds> limit) {
  Stage stage = stage_of_a_noisy_point(spare_time, limit);
  stage.plan.series[0].precision.rule.budget.max_time = milliseconds(20);
  stage.plan.series[0].precision.rule.eps = 1e-3;
  SeriesPlan late = fake_series("late", {words("mode", {"x"})});
  late.precision.rule.budget.max_time = milliseconds(4);
  late.precision.rule.budget.max_timings = 100'000;
  stage.plan.series.push_back(late);
  return stage;
}

TEST(SpareTime, LeavesOthersTheTimeOfTheirBudgets) {
  Stage plain = stage_of_two_noisy_points(false, std::nullopt);
  let_time_pass(plain, milliseconds(15));
  Stage stage = stage_of_two_noisy_points(true, time_of(plain) + milliseconds(20));
  let_time_pass(stage, milliseconds(15));
  EXPECT_EQ(stage.run().reason, "complete");
  EXPECT_EQ(stage.point("bytes=2").outcome, Outcome::max_time);
  EXPECT_EQ(stage.point("mode=x").outcome, Outcome::max_time);
  EXPECT_GE(spent_on(stage, "mode=x"), milliseconds(4));
}

TEST(SpareTime, BeginsWhenOthersHaveHadTheirs) {
  Stage stage = stage_of_two_noisy_points(true, seconds(1));
  EXPECT_EQ(stage.run().reason, "complete");
  Nanoseconds until_others_end{};
  Nanoseconds sum{};
  for (const VisitRecord& visit : stage.sink.all<VisitRecord>()) {
    if (to_text(visit.point) == "bytes=2") sum += visit.took;
    if (to_text(visit.point) == "mode=x") until_others_end = sum;
  }
  EXPECT_LT(until_others_end, milliseconds(21)) << "the budget and a last visit";
  EXPECT_GT(sum, milliseconds(25));
}

// Where workers are few, points wait: they are left as much time as the one that goes on has had.
TEST(SpareTime, IsThereBeforeTheLastWave) {
  for (const bool ample : {true, false}) {
    Stage plain = stage_of_a_noisy_point(false, std::nullopt);
    plain.host.pool = 1;
    const Nanoseconds limit = ample ? seconds(1) : time_of(plain) + milliseconds(3);
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {  // the noisy one is the first, the second and the third
      Stage stage = stage_of_a_noisy_point(true, limit);
      stage.plan.seed = seed;
      stage.host.pool = 1;
      EXPECT_EQ(stage.run().reason, "complete");
      EXPECT_EQ(stage.point("bytes=2").outcome, ample ? Outcome::converged : Outcome::max_time) << seed;
      for (const char* quiet : {"bytes=1", "bytes=3"})
        EXPECT_EQ(stage.point(quiet).outcome, Outcome::converged) << seed;
      EXPECT_LE(stage.clock.now() - Instant{}, limit) << seed;
    }
  }
}

TEST(SpareTime, GoesFirstToWhoIsWithinReach) {
  CampaignPlan plan = fake_plan({fake_series("near", {}), fake_series("far", {})});
  plan.time_limit = seconds(1);
  for (SeriesPlan& series : plan.series) {
    series.precision.spare_time = true;
    series.precision.rule.budget.max_time = milliseconds(4);
    series.precision.rule.budget.max_timings = 100'000;
  }
  plan.series[1].precision.rule.eps = 1e-3;
  Stage stage(std::move(plan), noisy(1000, 0.3));
  EXPECT_EQ(stage.run().reason, "complete");
  Nanoseconds on_far{};
  Nanoseconds until_near_ends{};
  for (const VisitRecord& visit : stage.sink.all<VisitRecord>())
    if (visit.series == "far")
      on_far += visit.took;
    else
      until_near_ends = on_far;
  for (const PointRecord& record : stage.points())
    EXPECT_EQ(record.outcome, record.series == "near" ? Outcome::converged : Outcome::max_time);
  EXPECT_LT(until_near_ends, milliseconds(6)) << "its own budget, and what was not foreseen at once";
  EXPECT_GT(on_far, milliseconds(18));
}

/// Three points in spare time beside one with a budget of its own whose core is shared whenever it is looked at.
struct BesideABusyCore : States {
  explicit BesideABusyCore(Nanoseconds probe = {}) : States({0.5}, 3) {
    stage.plan.time_limit = seconds(10);
    Precision& noisy = stage.plan.series[0].precision;
    noisy.spare_time = true;
    noisy.rule.eps = 1e-5;
    noisy.rule.budget.max_time = milliseconds(200);
    noisy.rule.budget.max_timings = 100'000;
    SeriesPlan busy = fake_series("busy", {});
    busy.precision.rule.budget.max_time = seconds(1);
    busy.precision.rule.budget.min_visits = 1000;
    busy.precision.rule.budget.max_timings = 100'000;
    stage.plan.series.push_back(busy);
    stage.host.look = [look = stage.host.look](const IncarnationKey& key) {
      return key.series == 0 ? look(key) : std::vector{CoreReading{{0.13}, {0.9}}};
    };
    stage.host.on_visit = [this, probe](const IncarnationKey&, const VisitOrder& order) {
      if (order.batches == 0) stage.clock.advance(probe);
    };
    stage.run();
  }
  /// What probes and visits of the busy one took, and what visits of the others took, while all of those are in spare
  /// time.
  std::pair<Nanoseconds, Nanoseconds> shares() const {
    std::map<std::string, Nanoseconds> spent;
    Nanoseconds busy{};
    Nanoseconds others{};
    Nanoseconds last{};
    for (const VisitRecord& visit : stage.sink.all<VisitRecord>()) {
      const auto is_extended = [](const auto& one) { return one.second > milliseconds(210); };
      const bool all = spent.size() == 3 && std::ranges::all_of(spent, is_extended);
      if (visit.series != "busy") spent[to_text(visit.point)] += visit.took;
      if (all) busy += visit.at - last + (visit.series == "busy" ? visit.took : Nanoseconds{});
      if (all && visit.series != "busy") others += visit.took;
      last = visit.at + visit.took;
      if (visit.series == "busy" && visit.at > seconds(4)) break;
    }
    return {busy, others};
  }
  /// Of the others, between two visits of the busy one, while all of them are in spare time.
  std::vector<int> visits_between() const {
    std::vector<int> counts;
    std::map<std::string, Nanoseconds> spent;
    int since = -1;
    for (const VisitRecord& visit : stage.sink.all<VisitRecord>()) {
      const auto is_extended = [](const auto& one) { return one.second > milliseconds(210); };
      const bool all = spent.size() == 3 && std::ranges::all_of(spent, is_extended);
      if (visit.series == "busy") {
        if (since >= 0) counts.push_back(since);
        since = all ? 0 : -1;
      } else {
        spent[to_text(visit.point)] += visit.took;
        since += since >= 0 ? 1 : 0;
      }
    }
    return counts;
  }
};

// It may be alone again any moment, and their visits are long.
TEST(SpareTime, LetsThoseWithTimeOfTheirOwnLookAgainAfterEachVisit) {
  const BesideABusyCore campaign;
  const std::vector<int> visits = campaign.visits_between();
  ASSERT_GT(visits.size(), 3U);
  for (const int between : visits) EXPECT_LE(between, 21) << "one for each look";
}

TEST(SpareTime, GivesThoseWithTimeOfTheirOwnAsMuchAsOthersTakeBeforeThem) {
  const BesideABusyCore campaign(microseconds(5));
  const auto [busy, others] = campaign.shares();
  EXPECT_GT(others, milliseconds(100));
  EXPECT_GT(busy / others, 0.9);
}

TEST(SpareTime, LeavesNoPointWithoutAVerdict) {
  // A single repetition nearly takes the budget: there is no interval yet when the spare time is over.
  CampaignPlan plan = fake_plan({fake_series("one", {levels("bytes", 1)})});
  plan.time_limit = milliseconds(56);
  plan.series[0].precision.spare_time = true;
  plan.series[0].precision.rule.budget.max_time = milliseconds(20);
  Stage stage(std::move(plan),
              [](const FakeTurn& turn, Rng&) { return Nanoseconds{3e6 * static_cast<double>(turn.reps.count)}; });
  stage.run();
  EXPECT_EQ(stage.point("bytes=1").outcome, Outcome::max_time);
  EXPECT_TRUE(stage.point("bytes=1").unfinished);
}

TEST(SpareTime, IsFourBudgetsAtMost) {
  Stage stage = stage_of_a_noisy_point(true, seconds(10));
  stage.plan.series[0].precision.rule.eps = 1e-3;
  EXPECT_EQ(stage.run().reason, "complete");
  EXPECT_GE(spent_on(stage, "bytes=2"), milliseconds(20));
  EXPECT_LT(spent_on(stage, "bytes=2"), milliseconds(22)) << "its budget, four more and a last visit";
}

TEST(SpareTime, IsNoneWithoutATimeLimit) {
  Stage stage = stage_of_a_noisy_point(true, std::nullopt);
  stage.run();
  EXPECT_EQ(stage.point("bytes=2").outcome, Outcome::max_time);
}

}  // namespace
}  // namespace assay::test
