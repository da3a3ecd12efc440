// SPDX-License-Identifier: Apache-2.0
// Campaigns of several sessions on a fake host, and the schedule of a session.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "run/session/campaign.hpp"
#include "support/campaigns/fake_host.hpp"
#include "support/campaigns/fake_plan.hpp"
#include "support/records/memory_sink.hpp"

namespace assay::test {
namespace {

/// A machine whose mood lasts a session: a per cent or two slower or faster, little noise within.
struct SessionStage {
  explicit SessionStage(CampaignPlan p)
      : plan(std::move(p)), host(plan, clock, [this](const FakeTurn& turn, Rng& rng) {
          const double each = 1000 * mood * (1 + 0.001 * rng.normal());
          return Nanoseconds{each * static_cast<double>(turn.reps.count)};
        }) {}
  CampaignEnd run() {
    Surroundings world{clock, host, sink};
    world.stop_requested = [this] { return stop(); };
    world.pause = [this](Nanoseconds time) { clock.advance(time); };
    world.progress = [this](const Progress& progress) { seen.push_back(progress); };
    world.await_turn = [this] { return await_turn(); };
    world.begin = [this](int session) {
      begun.push_back(clock.now());
      mood = 1 + 0.01 * session;
      return SessionRecord{session, "then", "assay run", {}};
    };
    return run_campaign(plan, history, world);
  }
  /// The records of a point, by session.
  std::vector<PointRecord> of(const std::string& text) const {
    std::vector<PointRecord> found;
    for (const PointRecord& record : sink.all<PointRecord>())
      if (to_text(record.point) == text) found.push_back(record);
    return found;
  }

  FakeClock clock;
  CampaignPlan plan;
  FakeHost host;
  History history;
  MemorySink sink;
  double mood = 1;
  std::vector<Instant> begun;
  std::vector<Progress> seen;
  std::function<bool()> stop = [] { return false; };
  std::function<Nanoseconds()> await_turn = [] { return Nanoseconds{}; };
};

CampaignPlan in_sessions(int sessions, Nanoseconds every) {
  CampaignPlan plan = fake_plan({fake_series("one", {levels("bytes", 2)})});
  plan.sessions = sessions;
  plan.every = every;
  return plan;
}

TEST(Sessions, TimeInWhichOthersMeasureCountsToNoLimit) {
  CampaignPlan plan = in_sessions(1, {});
  plan.time_limit = seconds(10);
  SessionStage stage(plan);
  int turns = 0;
  stage.await_turn = [&] {
    ++turns;
    stage.clock.advance(seconds(100));
    return seconds(100);
  };
  EXPECT_EQ(stage.run().reason, "complete");
  EXPECT_GE(turns, 3);
  for (const PointRecord& record : stage.sink.all<PointRecord>()) EXPECT_EQ(record.outcome, Outcome::converged);
  EXPECT_LE(stage.seen.back().left, seconds(10));
}

TEST(Sessions, EachMeasuresEveryPointAtItsTime) {
  SessionStage stage(in_sessions(3, seconds(60)));
  EXPECT_EQ(stage.run().exit_code(), 0);
  ASSERT_EQ(stage.begun.size(), 3U);
  EXPECT_NEAR((stage.begun[1] - stage.begun[0]).count, seconds(60).count, milliseconds(1).count);
  EXPECT_NEAR((stage.begun[2] - stage.begun[0]).count, seconds(120).count, milliseconds(1).count);
  EXPECT_EQ(stage.of("bytes=1").size(), 3U);
  EXPECT_EQ(stage.of("bytes=2").size(), 3U);
  const auto ends = stage.sink.all<EndRecord>();
  ASSERT_EQ(ends.size(), 3U);
  EXPECT_EQ(ends[2].session, 2);
  EXPECT_EQ(ends[2].points, 2);
  const auto waiting = std::ranges::find_if(
      stage.seen, [](const Progress& progress) { return progress.current == "waiting for session 2"; });
  ASSERT_NE(waiting, stage.seen.end());
  EXPECT_GT(waiting->left, seconds(50));
}

TEST(Sessions, NumbersCountThroughThem) {
  SessionStage stage(in_sessions(2, {}));
  stage.run();
  std::set<int> visits;
  std::set<std::pair<int, int>> incarnations;
  for (const VisitRecord& visit : stage.sink.all<VisitRecord>()) {
    EXPECT_TRUE(visits.insert(visit.visit).second) << "a visit's number is given once";
    if (to_text(visit.point) == "bytes=1") incarnations.insert({visit.session, visit.incarnation});
  }
  EXPECT_EQ(incarnations, (std::set<std::pair<int, int>>{{0, 0}, {0, 1}, {1, 2}, {1, 3}}));
}

TEST(Sessions, FromThreeOnTheIntervalIsOverThem) {
  SessionStage stage(in_sessions(3, {}));
  stage.run();
  const auto records = stage.of("bytes=1");
  EXPECT_EQ(records[0].results.at(0).headline.basis, "visits");
  EXPECT_EQ(records[0].results.at(0).term, Term::session);
  const Result& second = records[1].results.at(0);
  EXPECT_EQ(second.headline.basis, "sessions");
  EXPECT_EQ(second.term, Term::session);
  EXPECT_NEAR(second.headline.value, 1005, 1);
  const Result& third = records[2].results.at(0);
  EXPECT_EQ(third.term, Term::long_term);
  ASSERT_EQ(third.sessions.size(), 3U);
  EXPECT_NEAR(third.headline.value, 1010, 1);
  // t(0.975, 2 degrees) times 1 % over the root of 3.
  EXPECT_NEAR(third.headline.relative_half_width(), 0.025, 0.002);
  EXPECT_EQ(third.processes.size(), 2U) << "of its own session";
  EXPECT_EQ(third.processes[0].session, 2);
}

TEST(Sessions, FromFourOnThereIsAnIntervalForAnotherDay) {
  SessionStage stage(in_sessions(4, {}));
  stage.run();
  const auto records = stage.of("bytes=1");
  EXPECT_EQ(records[2].results.at(0).another_day.from, 0U);
  const Result& fourth = records[3].results.at(0);
  EXPECT_EQ(fourth.another_day.from, 4U);
  EXPECT_EQ(fourth.term, Term::long_term) << "the term is of the first interval";
  // The root of 2 + 1/4 times t(0.975, 3 degrees) times what 0, 1, 2 and 3 per cent differ by.
  const Interval& other = fourth.another_day.interval;
  EXPECT_NEAR(std::log(other.high / fourth.headline.value), 1.5 * 3.182 * 0.0127, 0.001);
  EXPECT_LT(other.low, fourth.headline.interval.low);
  EXPECT_GT(other.high, fourth.headline.interval.high);
}

TEST(Sessions, OfValuesWithoutALogarithmSayNothingOfAnotherDay) {
  History history;
  PointRecord record;
  record.series = "one";
  for (int session = 0; session < 5; ++session) {
    record.results = {{}};
    Result& result = record.results[0];
    result.headline = {"median", -1.0 - session, {-2.0 - session, 1.0, 0.95}, "visits"};
    result.verdict.outcome = Outcome::converged;
    add_sessions(record, history, session, 0.05);
    history.add(record);
  }
  EXPECT_EQ(record.results[0].sessions.size(), 5U);
  EXPECT_TRUE(record.results[0].headline.interval.available());
  EXPECT_EQ(record.results[0].another_day.from, 0U);
}

TEST(Sessions, InOtherStatesOfTheCoresSayNothingOfAnotherDay) {
  History history;
  PointRecord record;
  record.series = "one";
  for (int session = 0; session < 8; ++session) {
    record.results = {{}};
    Result& result = record.results[0];
    const bool is_alone = session % 2 == 0;
    const double value = (is_alone ? 100 : 140) + session;
    result.headline = {"median", value, {value - 1, value + 1, 0.95}, "visits"};
    result.verdict.outcome = Outcome::converged;
    result.state.sharing = is_alone ? Sharing::alone : Sharing::shared;
    add_sessions(record, history, session, 0.05);
    history.add(record);
  }
  const AnotherDay& other = record.results[0].another_day;
  EXPECT_EQ(other.from, 4U);
  EXPECT_GT(other.interval.low, 120) << "of the shared ones alone";
}

TEST(Sessions, ThatFoundNothingSteadyDoNotCount) {
  History history;
  PointRecord record;
  record.series = "one";
  const auto session = [&](int number, double value, Outcome outcome) {
    record.results = {{}};
    Result& result = record.results[0];
    result.headline = {"median", value, {value - 1, value + 1, 0.95}, "visits"};
    result.verdict.outcome = outcome;
    add_sessions(record, history, number, 0.05);
    history.add(record);
    return record.results[0];
  };
  session(0, 100, Outcome::converged);
  const Result torn = session(1, 500, Outcome::bimodal);
  EXPECT_TRUE(torn.sessions.empty());
  EXPECT_EQ(torn.headline.basis, "visits") << "it stands for itself, with its verdict";
  session(2, 101, Outcome::max_time);
  const Result third = session(3, 102, Outcome::converged);
  EXPECT_EQ(third.sessions.size(), 3U);
  EXPECT_NEAR(third.headline.value, 101, 0.1);
}

TEST(Sessions, AreToldInCyclesWhereTheyHadOneClock) {
  // The clock of the last of three sessions' headline.
  const auto last_clock = [](const std::vector<double>& clocks) {
    History history;
    CoreClock last;
    for (int session = 0; session < 3; ++session) {
      PointRecord record;
      record.series = "one";
      Result& result = record.results.emplace_back();
      result.headline = {"median", 100, {99, 101, 0.95}, "visits"};
      result.verdict.outcome = Outcome::converged;
      result.clock.ghz = clocks.at(static_cast<std::size_t>(session));
      add_sessions(record, history, session, 0.05);
      history.add(record);
      last = record.results[0].clock;
    }
    return last;
  };
  EXPECT_EQ(last_clock({3, 3.01, 2.99}).ghz, 2.99);
  EXPECT_EQ(last_clock({3, 2.5, 3}).why, NoClock::sessions);
  EXPECT_FALSE(last_clock({3, 2.5, 3}).known());
  EXPECT_EQ(last_clock({0, 3, 3}).why, NoClock::sessions);
}

TEST(Sessions, CanBeAddedLater) {
  SessionStage stage(in_sessions(1, {}));
  stage.run();
  stage.run();
  stage.run();
  EXPECT_EQ(stage.of("bytes=2").back().results.at(0).term, Term::long_term);
  EXPECT_EQ(stage.sink.all<SessionRecord>().back().session, 2);
}

TEST(Sessions, LaterOnesMeasureThePointsOfTheFirst) {
  CampaignPlan plan = fake_plan({fake_series("one", {levels("bytes", 1)})});
  FactorDomain& bytes = plan.series[0].factors[0];
  bytes.domain.levels = {std::int64_t{1}, std::int64_t{4096}};
  bytes.domain.refine = 0.05;
  plan.series[0].precision.max_points = 6;
  plan.sessions = 2;
  SessionStage stage(plan);
  stage.run();
  std::set<std::string> first;
  std::set<std::string> second;
  for (const VisitRecord& visit : stage.sink.all<VisitRecord>())
    (visit.session == 0 ? first : second).insert(to_text(visit.point));
  EXPECT_GT(first.size(), 2U);
  EXPECT_EQ(first, second);
}

TEST(Sessions, EndWithTheFirstThatIsStopped) {
  SessionStage stage(in_sessions(3, seconds(60)));
  stage.stop = [&] { return !stage.begun.empty() && stage.clock.now() - stage.begun[0] > seconds(30); };
  EXPECT_EQ(stage.run().exit_code(), 75);
  EXPECT_EQ(stage.begun.size(), 1U);
  EXPECT_EQ(stage.of("bytes=1").size(), 1U);
}

TEST(Sessions, ShareTheTimeLimit) {
  CampaignPlan plan = in_sessions(5, seconds(60));
  plan.time_limit = seconds(100);
  SessionStage stage(plan);
  EXPECT_EQ(stage.run().reason, "time-limit");
  EXPECT_EQ(stage.begun.size(), 2U);
}

TEST(Schedule, ConsecutivePointsAreMeasuredOneAfterTheOther) {
  CampaignPlan plan = fake_plan({fake_series("one", {levels("bytes", 3)})});
  plan.schedule = Schedule::consecutive;
  SessionStage stage(plan);
  stage.run();
  std::vector<std::string> order;
  for (const VisitRecord& visit : stage.sink.all<VisitRecord>())
    if (order.empty() || order.back() != to_text(visit.point)) order.push_back(to_text(visit.point));
  EXPECT_EQ(order.size(), 3U) << "no point was left and taken up again";
}

}  // namespace
}  // namespace assay::test
