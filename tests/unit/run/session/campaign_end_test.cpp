// SPDX-License-Identifier: Apache-2.0
// Campaigns that do not go well: failures, deadlines, time limits, signals.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "base/error.hpp"
#include "run/session/campaign.hpp"
#include "support/campaigns/fake_host.hpp"
#include "support/campaigns/fake_plan.hpp"
#include "support/records/memory_sink.hpp"

namespace assay::test {
namespace {

TimeLaw noisy_end(double noise) {
  return [=](const FakeTurn& turn, Rng& rng) {
    return Nanoseconds{1000 * (1 + noise * rng.normal()) * static_cast<double>(turn.reps.count)};
  };
}

struct EndStage {
  explicit EndStage(CampaignPlan p, double noise = 0.001) : EndStage(std::move(p), noisy_end(noise)) {}
  EndStage(CampaignPlan p, TimeLaw law) : plan(std::move(p)), host(plan, clock, std::move(law)) {}
  CampaignEnd run() {
    const auto pause = [this](Nanoseconds time) { clock.advance(time); };
    History history;
    return run_campaign(plan, history, {clock, host, sink, 4, [](const Progress&) {}, stop, pause});
  }
  PointRecord point(const std::string& text) const {
    for (const PointRecord& record : sink.all<PointRecord>())
      if (to_text(record.point) == text) return record;
    throw std::out_of_range("no record of point " + text);
  }

  FakeClock clock;
  CampaignPlan plan;
  FakeHost host;
  MemorySink sink;
  std::function<bool()> stop = [] { return false; };
};

CampaignPlan bytes(std::int64_t count) { return fake_plan({fake_series("one", {levels("bytes", count)})}); }

bool is(const IncarnationKey& key, const char* text) { return to_text(key.point) == text; }

TEST(CampaignEnd, APointThatIsAlwaysDisturbedDoesNotSpendItsBudget) {
  EndStage stage(bytes(3));
  stage.host.spoil = [](const IncarnationKey& key, Batch& batch, Rng&) {
    if (is(key, "bytes=2")) batch.members[0].involuntary = 1;
  };
  const CampaignEnd end = stage.run();
  EXPECT_EQ(end.reason, "complete");
  const PointRecord given_up = stage.point("bytes=2");
  EXPECT_EQ(given_up.outcome, Outcome::too_noisy);
  EXPECT_EQ(given_up.reason.find("every batch of the last 16 visits was disturbed (switched "), 0U) << given_up.reason;
  EXPECT_TRUE(given_up.results.empty());
  EXPECT_EQ(std::ranges::count_if(stage.host.visits(), [](const auto& asked) { return is(asked.key, "bytes=2"); }), 16);
  EXPECT_EQ(stage.point("bytes=1").outcome, Outcome::converged);
}

TEST(CampaignEnd, AHangCostsItsPointOnly) {
  EndStage stage(bytes(3));
  stage.host.on_visit = [&](const IncarnationKey& key, const VisitOrder& order) {
    if (!is(key, "bytes=2") || key.incarnation == 0) return;
    stage.clock.advance(order.deadline);
    throw VisitFailed(Outcome::timeout, "silent for 10 s");
  };
  const CampaignEnd end = stage.run();
  EXPECT_EQ(end.reason, "complete");
  EXPECT_EQ(end.points, 3);
  EXPECT_EQ(end.without_result, 1);
  EXPECT_EQ(end.exit_code(), 1);
  EXPECT_EQ(stage.point("bytes=2").outcome, Outcome::timeout);
  EXPECT_EQ(stage.point("bytes=2").reason, "silent for 10 s");
  EXPECT_TRUE(stage.point("bytes=2").results.empty());
  EXPECT_EQ(stage.point("bytes=1").outcome, Outcome::converged);
  EXPECT_EQ(stage.point("bytes=3").outcome, Outcome::converged);
  EXPECT_EQ(stage.host.open_now(), 0U) << "the other incarnation of the point was left open";
}

TEST(CampaignEnd, TheIncarnationsOfAPointEndTogether) {
  EndStage stage(bytes(3));
  stage.run();
  std::size_t ended = 0;
  for (const std::size_t together : stage.host.closed_together()) ended += together;
  EXPECT_EQ(stage.host.closed_together().size(), 3U) << "once a point";
  EXPECT_EQ(ended, stage.host.opened_in_all());
  EXPECT_GT(ended, 3U) << "a point had several";
}

TEST(CampaignEnd, AFailureToOpenIsTheOutcomeOfItsPoint) {
  EndStage stage(bytes(3));
  stage.host.on_open = [](const IncarnationKey& key) {
    if (is(key, "bytes=1")) throw VisitFailed(Outcome::unsupported, "needs a kernel with it", "N10");
    if (is(key, "bytes=2")) throw VisitFailed(Outcome::failed, "killed by SIGSEGV");
  };
  const CampaignEnd end = stage.run();
  EXPECT_EQ(end.without_result, 1) << "what is unsupported has not failed";
  EXPECT_EQ(stage.point("bytes=1").outcome, Outcome::unsupported);
  EXPECT_EQ(stage.point("bytes=1").code, "N10");
  EXPECT_EQ(stage.point("bytes=2").outcome, Outcome::failed);
  EXPECT_EQ(stage.point("bytes=3").outcome, Outcome::converged);
}

TEST(CampaignEnd, AFailureInCalibrationCounts) {
  EndStage stage(bytes(2));
  stage.host.on_visit = [](const IncarnationKey& key, const VisitOrder& order) {
    if (is(key, "bytes=1") && order.reps.count > 1) throw VisitFailed(Outcome::failed, "member 1: threw");
  };
  stage.run();
  EXPECT_EQ(stage.point("bytes=1").outcome, Outcome::failed);
  EXPECT_EQ(stage.point("bytes=2").outcome, Outcome::converged);
}

TEST(CampaignEnd, ARefinedLineGoesOnWithoutAFailedLevel) {
  SeriesPlan series = fake_series("one", {{"bytes", {{std::int64_t{1}, std::int64_t{64}}, 0.1, true}}});
  EndStage stage(fake_plan({series}));
  stage.host.on_open = [](const IncarnationKey& key) {
    if (is(key, "bytes=1") || is(key, "bytes=64")) throw VisitFailed(Outcome::failed, "crashed");
  };
  EXPECT_EQ(stage.run().reason, "complete");
  EXPECT_EQ(stage.sink.all<PointRecord>().size(), 7U);
}

TEST(CampaignEnd, ALineGoesOnPastAGenerationOfWhichNothingCanBeMeasured) {
  SeriesPlan series = fake_team("teams", 1, Waiting::blocks);
  series.measurement.members = at_least(1);
  for (const int members : {1, 2, 4, 8, 16, 19, 30})
    series.placements.push_back({"together", std::vector<int>(static_cast<std::size_t>(members), 0)});
  series.factors = {{"members", {{std::int64_t{1}, std::int64_t{30}}, 0.1, true}}, words("placement", {"together"})};
  EndStage stage(fake_plan({series}), [](const FakeTurn& turn, Rng& rng) {
    return Nanoseconds{noisy_end(0.001)(turn, rng).count * (*number_of(turn.point.level("members")) > 20 ? 3 : 1)};
  });
  EXPECT_EQ(stage.run().reason, "complete");
  EXPECT_EQ(stage.point("members=22 placement=together").code, "N11");
  EXPECT_EQ(stage.point("members=19 placement=together").outcome, Outcome::converged);
}

TEST(CampaignEnd, AHostWithoutRoomStillGetsOnePointAtATime) {
  EndStage stage(bytes(2));
  stage.host.pool = 0;
  EXPECT_EQ(stage.run().points, 2);
  EXPECT_EQ(stage.host.most_open(), 1U);
}

TEST(CampaignEnd, TheTimeLimitFinishesOpenPointsWithWhatTheyHave) {
  EndStage stage(bytes(3), 0.3);
  stage.plan.time_limit = milliseconds(2);
  const CampaignEnd end = stage.run();
  EXPECT_EQ(end.reason, "time-limit");
  EXPECT_EQ(end.exit_code(), 75);
  for (const char* text : {"bytes=1", "bytes=2", "bytes=3"}) {
    const PointRecord record = stage.point(text);
    EXPECT_EQ(record.outcome, Outcome::max_time);
    EXPECT_EQ(record.reason.find("time limit reached after "), 0U) << record.reason;
    EXPECT_EQ(record.results.size(), 1U);
  }
  for (const VisitRecord& visit : stage.sink.all<VisitRecord>()) EXPECT_LT(visit.at, milliseconds(2));
  EXPECT_EQ(stage.host.open_now(), 0U);
}

TEST(CampaignEnd, PointsNeverVisitedAreAborted) {
  EndStage stage(bytes(9), 0.3);
  stage.host.pool = 2;  // one point at a time
  stage.plan.time_limit = milliseconds(2);
  const CampaignEnd end = stage.run();
  int aborted = 0;
  for (const PointRecord& record : stage.sink.all<PointRecord>())
    if (record.outcome == Outcome::aborted) {
      EXPECT_EQ(record.reason, "time limit reached before the first visit");
      EXPECT_TRUE(record.results.empty());
      ++aborted;
    }
  EXPECT_EQ(stage.sink.all<PointRecord>().size(), 9U);
  EXPECT_EQ(aborted, 8);
  EXPECT_EQ(end.points, 1) << "what was never visited is not finished";
}

TEST(CampaignEnd, F52_no_visit_begins_that_is_predicted_not_to_fit) {
  EndStage stage(bytes(3), 0.3);
  stage.plan.time_limit = milliseconds(2);
  const CampaignEnd end = stage.run();
  EXPECT_EQ(end.reason, "time-limit");
  EXPECT_EQ(end.exit_code(), 75);
  for (const VisitRecord& visit : stage.sink.all<VisitRecord>())
    EXPECT_LE(visit.at + visit.took, milliseconds(2)) << "predicted from calibration, and time is exact here";
  EXPECT_LE(stage.sink.all<EndRecord>().at(0).took, milliseconds(2));
}

TEST(CampaignEnd, F52_what_is_missing_is_named) {
  EndStage stage(bytes(9), 0.3);
  stage.host.pool = 2;
  stage.plan.time_limit = milliseconds(2);
  stage.run();
  const auto notes = stage.sink.all<NoteRecord>();
  const auto names_them = [](const NoteRecord& note) {
    return note.text.find(" points unfinished when session 1 ended: bytes=") != note.text.npos &&
           note.text.ends_with(" more");
  };
  EXPECT_EQ(std::count_if(notes.begin(), notes.end(), names_them), 1);
}

TEST(CampaignEnd, FailuresInARowGiveTheMeasurementUp) {
  EndStage stage(bytes(30), 0.01);
  int opened = 0;
  stage.host.on_open = [&](const IncarnationKey&) {
    ++opened;
    throw VisitFailed(Outcome::failed, "always");
  };
  stage.plan.breaker.share = 1;
  const CampaignEnd end = stage.run();
  EXPECT_EQ(opened, 5);
  EXPECT_EQ(end.reason, "complete");
  EXPECT_EQ(end.exit_code(), 1);
  EXPECT_EQ(stage.sink.all<PointRecord>().size(), 30U);
  for (const PointRecord& record : stage.sink.all<PointRecord>()) EXPECT_EQ(record.outcome, Outcome::failed);
  EXPECT_TRUE(stage.sink.all<PointRecord>().back().reason.starts_with("skipped: 5 points of "))
      << stage.sink.all<PointRecord>().back().reason;
}

TEST(CampaignEnd, TooManyFailuresEndTheCampaign) {
  EndStage stage(bytes(200), 0.01);
  stage.host.on_open = [&](const IncarnationKey& key) {
    if (number_of(key.point.level("bytes")).value() < 150) throw VisitFailed(Outcome::failed, "often");
  };
  stage.plan.breaker.in_a_row = 0;
  const CampaignEnd end = stage.run();
  EXPECT_EQ(end.reason, "failures");
  EXPECT_EQ(end.exit_code(), 1);
  EXPECT_LT(stage.host.opened_in_all(), 200U);
}

TEST(CampaignEnd, AVisitGivenUpSaysNothingOfItsPoint) {
  EndStage stage(bytes(2), 0.3);
  int visits = 0;
  bool asked = false;
  stage.host.on_visit = [&](const IncarnationKey&, const VisitOrder&) {
    if (++visits == 9) {
      asked = true;
      throw VisitAborted();
    }
  };
  stage.stop = [&] { return asked; };
  const CampaignEnd end = stage.run();
  EXPECT_EQ(end.reason, "signal");
  EXPECT_EQ(end.without_result, 0);
  for (const PointRecord& record : stage.sink.all<PointRecord>()) EXPECT_EQ(record.outcome, Outcome::aborted);
}

TEST(CampaignEnd, ASignalEndsBeforeTheNextVisit) {
  EndStage stage(bytes(4), 0.3);
  stage.stop = [&] { return stage.host.visits().size() >= 3; };
  const CampaignEnd end = stage.run();
  EXPECT_EQ(end.reason, "signal");
  EXPECT_EQ(end.exit_code(), 75);
  EXPECT_EQ(stage.host.visits().size(), 3U);
  std::multiset<std::size_t> results;
  for (const PointRecord& record : stage.sink.all<PointRecord>()) {
    EXPECT_EQ(record.outcome, Outcome::aborted);
    EXPECT_EQ(record.reason.find("stopped by a signal "), 0U) << record.reason;
    results.insert(record.results.size());
  }
  EXPECT_EQ(results, (std::multiset<std::size_t>{0, 1, 1, 1}));
  EXPECT_EQ(stage.sink.all<EndRecord>().at(0).reason, "signal");
}

TEST(CampaignEnd, APointSpreadsItsVisitsOverTheSpanAskedFor) {
  SeriesPlan series = fake_series("one", {levels("bytes", 2)});
  series.precision.span = seconds(10);
  series.precision.min_span = seconds(10);
  EndStage stage(fake_plan({series}), 0.001);
  stage.run();
  for (const PointRecord& record : stage.sink.all<PointRecord>()) {
    EXPECT_EQ(record.outcome, Outcome::converged);
    EXPECT_GE(record.results.at(0).visits, 16) << "not eight at the start and one at the end";
    EXPECT_GE(record.results.at(0).span, seconds(10));
    EXPECT_LT(record.results.at(0).span, seconds(11));
    EXPECT_EQ(record.results.at(0).term, Term::session);
  }
  Nanoseconds before{};
  for (const VisitRecord& visit : stage.sink.all<VisitRecord>()) {
    EXPECT_LT(visit.at - before, seconds(1)) << "evenly spread";
    before = visit.at;
  }
}

TEST(CampaignEnd, ARequestToStopEndsAPause) {
  SeriesPlan series = fake_series("one", {});
  series.precision.span = seconds(1000);
  EndStage stage(fake_plan({series}), 0.001);
  stage.stop = [&] { return stage.clock.now() > Instant{} + seconds(1); };
  EXPECT_EQ(stage.run().reason, "signal");
  EXPECT_LT(stage.clock.now(), Instant{} + seconds(2));
}

TEST(CampaignEnd, ASignalAtOnceMeasuresNothing) {
  EndStage stage(bytes(2));
  stage.stop = [] { return true; };
  EXPECT_EQ(stage.run().points, 0);
  EXPECT_TRUE(stage.host.asked().empty());
  EXPECT_EQ(stage.sink.all<PointRecord>().size(), 2U);
}

TEST(CampaignEnd, FailingToStoreEndsTheCampaign) {
  struct Full final : Sink {
    void write(const Record& record) override {
      if (std::holds_alternative<VisitRecord>(record)) throw StorageError("disk full", 28);
    }
  } full;
  EndStage stage(bytes(2));
  History history;
  EXPECT_THROW(run_campaign(stage.plan, history, {stage.clock, stage.host, full}), StorageError);
  EXPECT_EQ(stage.host.visits().size(), 1U);
}

TEST(CampaignEnd, NothingAskedIsComplete) {
  EndStage stage(fake_plan({}));
  EXPECT_EQ(stage.run().exit_code(), 0);
  EXPECT_EQ(stage.sink.records().size(), 2U) << "begin and end of the session";
}

TEST(CampaignEnd, FinishedPointsReleaseTheirIncarnations) {
  EndStage stage(bytes(40), 0.01);
  stage.host.pool = 4;  // two points at a time
  std::size_t most = 0;
  stage.host.on_visit = [&](const IncarnationKey&, const VisitOrder&) { most = std::max(most, stage.host.open_now()); };
  stage.run();
  EXPECT_LE(most, 4U);
  EXPECT_EQ(stage.sink.all<PointRecord>().size(), 40U);
}

TEST(PlannedPoints, AreTheFirstGenerationOfEverySeries) {
  SeriesPlan refined = fake_series("refined", {{"bytes", {{std::int64_t{1}, std::int64_t{64}}, 0.1, true}}});
  const CampaignPlan plan = fake_plan({fake_series("one", {levels("bytes", 3), words("mode", {"a", "b"})}), refined});
  const auto points = planned_points(plan);
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].first, &plan.series[0]);
  EXPECT_EQ(points[0].second.size(), 6U);
  EXPECT_EQ(to_text(points[0].second[1]), "bytes=1 mode=b");
  EXPECT_EQ(points[1].second.size(), 7U);
}

TEST(CampaignEndCode, FollowsReasonAndFailures) {
  EXPECT_EQ((CampaignEnd{"complete", 3, 0, 2}.exit_code()), 0);
  EXPECT_EQ((CampaignEnd{"complete", 3, 1, 2}.exit_code()), 1);
  EXPECT_EQ((CampaignEnd{"complete", 3, 0, 0}.exit_code()), 1) << "no point has a number";
  EXPECT_EQ((CampaignEnd{"complete", 0, 0, 0}.exit_code()), 0) << "nothing was left to do";
  EXPECT_EQ((CampaignEnd{"time-limit", 3, 1}.exit_code()), 75);
  EXPECT_EQ((CampaignEnd{"signal", 0, 0}.exit_code()), 75);
}

}  // namespace
}  // namespace assay::test
