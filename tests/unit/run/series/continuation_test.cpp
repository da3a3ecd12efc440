// SPDX-License-Identifier: Apache-2.0
// What stands, what goes on and what begins anew when a campaign is continued.
#include "run/series/continuation.hpp"

#include <gmock/gmock-matchers.h>

#include "run/series/identity.hpp"
#include "support/campaigns/campaign_stage.hpp"
#include "support/campaigns/fake_plan.hpp"
#include "support/campaigns/interrupted.hpp"

namespace assay::test {
namespace {

constexpr std::size_t for_ever = std::size_t{1} << 40U;

Nanoseconds by_level(const FakeTurn& turn, Rng&) {
  return Nanoseconds{100 * at(turn.point, "bytes") * static_cast<double>(turn.reps.count)};
}

CampaignPlan plan_of(std::int64_t points) { return fake_plan({fake_series("one", {levels("bytes", points)})}); }

std::vector<Record> measured(const CampaignPlan& plan, const TimeLaw& law = by_level) {
  std::vector<Record> records;
  run_until(plan, law, records, for_ever);
  return records;
}

/// The number of records up to the n-th begin of a visit to a point, that begin included.
std::size_t in_flight(const std::vector<Record>& records, const std::string& point, int n) {
  for (std::size_t i = 0; i < records.size(); ++i)
    if (const auto* begin = std::get_if<BeginRecord>(&records[i]); begin && to_text(begin->point) == point && --n == 0)
      return i + 1;
  return records.size();
}

template <class Kind>
std::vector<Kind> records_of(const std::vector<Record>& records) {
  std::vector<Kind> found;
  for (const Record& record : records)
    if (const auto* one = std::get_if<Kind>(&record)) found.push_back(*one);
  return found;
}

TEST(Continuation, FindsNothingInAFinishedCampaign) {
  const CampaignPlan plan = plan_of(3);
  auto records = measured(plan);
  const Stretch again = run_until(plan, by_level, records, for_ever);
  EXPECT_EQ(again.visits, 0U);
}

TEST(Continuation, EveryVisitIsAnnouncedBeforeItBegins) {
  std::set<int> begun;
  for (const Record& record : measured(plan_of(2))) {
    if (const auto* begin = std::get_if<BeginRecord>(&record)) {
      EXPECT_TRUE(begun.insert(begin->visit).second);
    }
    if (const auto* visit = std::get_if<VisitRecord>(&record)) {
      EXPECT_TRUE(begun.contains(visit->visit));
    }
  }
  EXPECT_GT(begun.size(), 10U);
}

TEST(Continuation, APointInFlightIsTriedAgainAfterAllOthers) {
  const CampaignPlan plan = plan_of(3);
  auto records = measured(plan);
  records.resize(in_flight(records, "bytes=2", 1));
  const std::size_t before = records.size();
  run_until(plan, by_level, records, for_ever);
  const std::vector<Record> later(records.begin() + static_cast<std::ptrdiff_t>(before), records.end());
  EXPECT_EQ(to_text(records_of<PointRecord>(later).back().point), "bytes=2");
  for (const BeginRecord& begin : records_of<BeginRecord>(later))
    EXPECT_EQ(begin.retried, to_text(begin.point) == "bytes=2") << to_text(begin.point);
  EXPECT_EQ(records_of<PointRecord>(later).back().outcome, Outcome::converged);
}

TEST(Faults, F01_a_point_that_is_lost_twice_fails_and_can_be_retried) {
  const CampaignPlan plan = plan_of(2);
  auto records = measured(plan);
  records.resize(in_flight(records, "bytes=2", 1));
  std::vector<Record> whole = records;
  run_until(plan, by_level, whole, for_ever);
  records = whole;
  for (std::size_t i = records.size(); i-- > 0;)
    if (const auto* begin = std::get_if<BeginRecord>(&records[i]); begin != nullptr && begin->session == 1) {
      records.resize(i + 1);  // the second session is lost in a visit to the point that was tried again
      break;
    }
  ASSERT_EQ(to_text(std::get<BeginRecord>(records.back()).point), "bytes=2");
  const Stretch third = run_until(plan, by_level, records, for_ever);
  EXPECT_EQ(third.end.exit_code(), 1);
  const PointRecord lost = last_records(records).at(about("one", *parse_point("bytes=2")));
  EXPECT_EQ(lost.outcome, Outcome::failed);
  EXPECT_THAT(lost.reason, testing::HasSubstr("did not finish twice"));
  EXPECT_EQ(run_until(plan, by_level, records, for_ever).visits, 0U) << "a failed point stands";
  const Stretch retried = run_until(plan, by_level, records, for_ever, {.retry_failed = true});
  EXPECT_EQ(retried.end.exit_code(), 0);
  EXPECT_EQ(last_records(records).at(about("one", *parse_point("bytes=2"))).outcome, Outcome::converged);
}

TEST(Continuation, APointThatWasAddedIsMeasuredAndOneThatWasRemovedIsKept) {
  auto records = measured(plan_of(2));
  const CampaignPlan more = plan_of(4);
  const Stretch second = run_until(more, by_level, records, for_ever);
  EXPECT_EQ(last_records(records).size(), 4U);
  EXPECT_GT(second.visits, 0U);
  const CampaignPlan fewer = plan_of(1);
  History history;
  Continuation continuation(fewer);
  for (const Record& record : records) {
    history.add(record);
    continuation.add(record, history);
  }
  continuation.prepare(history);
  EXPECT_EQ(continuation.unfinished(), 0U);
  EXPECT_THAT(continuation.removed(),
              testing::UnorderedElementsAre("series one: bytes=2", "series one: bytes=3", "series one: bytes=4"));
}

TEST(Continuation, ATighterTargetAddsVisitsToWhatMissesIt) {
  CampaignPlan plan = plan_of(2);
  plan.series[0].precision.rule.eps = 0.1;
  const TimeLaw law = noisy(100'000, 0.05);
  auto records = measured(plan, law);
  const auto loose = last_records(records);
  plan.series[0].precision.rule.eps = 0.2;
  EXPECT_EQ(run_until(plan, law, records, for_ever).visits, 0U) << "a looser target accepts what there is";
  plan.series[0].precision.rule.eps = 0.01;
  EXPECT_GT(run_until(plan, law, records, for_ever).visits, 0U);
  for (const auto& [point, record] : last_records(records)) {
    EXPECT_LE(record.results.at(0).headline.relative_half_width(), 0.01);
    EXPECT_GT(record.results.at(0).summary.n, loose.at(point).results.at(0).summary.n);
    EXPECT_EQ(record.results.at(0).stretches, 2) << "earlier visits count";
  }
}

TEST(Continuation, BatchesTooShortForATighterTargetDoNotCount) {
  CampaignPlan plan = plan_of(1);
  plan.series[0].precision.rule.eps = 0.1;
  const TimeLaw law = noisy(1000, 0.05);
  auto records = measured(plan, law);
  plan.series[0].precision.rule.eps = 0.005;
  run_until(plan, law, records, for_ever);
  const PointRecord record = last_records(records).begin()->second;
  EXPECT_EQ(record.outcome, Outcome::converged) << record.reason;
  EXPECT_GT(record.reps.count, 10);
  EXPECT_EQ(record.results.at(0).stretches, 1);
}

TEST(Continuation, ALargerBudgetIsNoReasonToMeasureAgain) {
  CampaignPlan plan = plan_of(2);
  plan.series[0].precision.rule.budget.max_timings = 100;
  const TimeLaw law = noisy(1000, 0.5);
  auto records = measured(plan, law);
  plan.series[0].precision.rule.budget.max_timings = 1000;
  EXPECT_EQ(run_until(plan, law, records, for_ever).visits, 0U);
}

TEST(Faults, F41_another_version_of_a_measurement_is_measured_again_unless_the_old_is_accepted) {
  CampaignPlan plan = plan_of(2);
  const auto before = measured(plan);
  plan.series[0].measurement.version = 2;
  auto records = before;
  EXPECT_GT(run_until(plan, by_level, records, for_ever).visits, 0U);
  for (const auto& [point, record] : last_records(records)) EXPECT_EQ(record.results.at(0).stretches, 1);
  records = before;
  EXPECT_EQ(run_until(plan, by_level, records, for_ever, {.accept_old = true}).visits, 0U);
}

TEST(Faults, F41_visits_of_another_build_of_a_plugin_do_not_count) {
  CampaignPlan plan = plan_of(2);
  plan.series[0].build = "aa";
  auto records = measured(plan);
  records.resize(records.size() / 2);
  plan.series[0].build = "bb";
  run_until(plan, by_level, records, for_ever);
  for (const auto& [point, record] : last_records(records)) EXPECT_EQ(record.results.at(0).stretches, 1) << point;
}

TEST(Faults, F41_sessions_that_differ_are_told_and_not_averaged) {
  CampaignPlan plan = plan_of(2);
  plan.series[0].precision.incarnations = 5;
  auto records = measured(plan, noisy(1000, 0.005));
  records.resize(records.size() * 3 / 4);
  run_until(plan, noisy(1200, 0.005), records, for_ever);
  for (const auto& [point, record] : last_records(records)) {
    EXPECT_EQ(record.outcome, Outcome::drift) << record.reason;
    EXPECT_THAT(record.reason, testing::HasSubstr(" in session 1, 1200 in the other"));
  }
}

TEST(Continuation, TimesOfVisitsGoOnWhereTheEarlierSessionEnded) {
  CampaignPlan plan = plan_of(1);
  plan.series[0].precision.span = seconds(30);
  auto records = measured(plan);
  records.resize(in_flight(records, "bytes=1", 9));
  run_until(plan, by_level, records, for_ever);
  Nanoseconds last{};
  for (const VisitRecord& visit : records_of<VisitRecord>(records)) {
    EXPECT_GE(visit.at, last);
    last = visit.at;
  }
  EXPECT_LT(last, seconds(40)) << "the span is over both sessions, not over each";
}

}  // namespace
}  // namespace assay::test
