// SPDX-License-Identifier: Apache-2.0
// Refined factors in a campaign: levels that join, and points that are measured again.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <set>

#include "support/campaigns/campaign_stage.hpp"
#include "support/campaigns/fake_plan.hpp"

namespace assay::test {
namespace {

// A tail needs every observation, which a campaign keeps of open points only.
TEST(Campaign, WritesTheTailOfEachPointBehindItsRecord) {
  SeriesPlan series = fake_series("one", {levels("bytes", 2)});
  series.derived.push_back({"tail", DerivedSpec::Kind::tail, "", "", "", "tail 0.9", "", {0.9}});
  Stage stage(fake_plan({series}), noisy(1000, 0.001));
  stage.run();
  const auto& records = stage.sink.records();
  int found = 0;
  for (std::size_t i = 0; i < records.size(); ++i)
    if (const auto* point = std::get_if<PointRecord>(&records[i])) {
      const auto* tail = std::get_if<DerivedRecord>(&records.at(i + 1));
      ASSERT_NE(tail, nullptr);
      EXPECT_EQ(tail->group, point->point);
      EXPECT_EQ(tail->name, "tail.p90");
      ++found;
    }
  EXPECT_EQ(found, 2);
}

TEST(CampaignRefine, RefinedFactorsAddLevelsWhereTheCurveSteps) {
  SeriesPlan series = fake_series("one", {{"bytes", {{std::int64_t{1}, std::int64_t{4096}}, 0.1, true}}});
  Stage stage(fake_plan({series}), [](const FakeTurn& turn, Rng& rng) {
    return noisy(at(turn.point, "bytes") <= 100 ? 1000 : 3000, 0.002)(turn, rng);
  });
  stage.run();
  EXPECT_GT(stage.points().size(), 13U);
  EXPECT_EQ(stage.point("bytes=100").outcome, Outcome::converged);
  EXPECT_EQ(stage.point("bytes=101").outcome, Outcome::converged);
  const auto notes = stage.sink.all<NoteRecord>();
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_EQ(notes[0].text, "series one: jump between bytes=100 and bytes=101");
  EXPECT_EQ(notes[1].text.find("series one: accurate to 10 % as far as "), 0U) << notes[1].text;
}

SeriesPlan refined_to(double tolerance) {
  SeriesPlan series = fake_series("one", {{"bytes", {{std::int64_t{1}, std::int64_t{4096}}, tolerance, true}}});
  series.derived.push_back({"per byte", DerivedSpec::Kind::slope, "bytes", "", "", "slope bytes"});
  return series;
}

/// The first two incarnations at 64 bytes are disturbed for good.
Nanoseconds lone_peak(const FakeTurn& turn, Rng& rng) {
  return noisy(at(turn.point, "bytes") == 64 && turn.incarnation < 2 ? 3000 : 1000, 0.002)(turn, rng);
}

void expect_the_peak_and_then_the_curve(const Stage& stage) {
  std::vector<PointRecord> records = stage.points();
  std::erase_if(records, [](const PointRecord& r) { return to_text(r.point) != "bytes=64"; });
  ASSERT_EQ(records.size(), 2U);
  EXPECT_NEAR(records[0].results.at(0).headline.value, 3000, 30);
  EXPECT_NEAR(records[1].results.at(0).headline.value, 1000, 10);
}

/// A curve with a step, beside a point that takes a minute.
CampaignPlan curve_beside_a_minute() {
  SeriesPlan slow = fake_series("slow", {levels("bytes", 1)});
  slow.precision.span = seconds(60);
  SeriesPlan curve = refined_to(0.1);
  curve.precision.span = seconds(5);  // levels are added while those before are still measured
  return fake_plan({curve, slow});
}
Nanoseconds stepped(const FakeTurn& turn, Rng& rng) {
  return noisy(at(turn.point, "bytes") <= 100 ? 1000 : 3000, 0.002)(turn, rng);
}

// They would have to wait for the slowest, and begin when all others have ended.
TEST(CampaignRefine, LevelsThatAreAddedToAFullWaveJoinAsOthersEnd) {
  Stage roomy(curve_beside_a_minute(), stepped);
  roomy.run();
  std::set<std::string> first;
  for (const VisitRecord& visit : roomy.sink.all<VisitRecord>())
    if (visit.round == 0) first.insert(visit.series + to_text(visit.point));
  Stage full(curve_beside_a_minute(), stepped);
  full.host.pool = first.size() * static_cast<std::size_t>(full.plan.series[0].precision.incarnations);
  ASSERT_EQ(full.run().reason, "complete");
  ASSERT_EQ(full.points().size(), roomy.points().size());
  Nanoseconds added{};
  Nanoseconds end{};
  std::set<std::string> seen;
  for (const VisitRecord& visit : full.sink.all<VisitRecord>()) {
    if (visit.series == "slow") end = visit.at;
    if (visit.series == "one" && seen.insert(to_text(visit.point)).second) added = visit.at;
  }
  EXPECT_GT(end, seconds(50));
  EXPECT_LT(added, seconds(40)) << "the last one's first visit";
}

/// How many times as long as the span a campaign takes that refines a curve with a step.
double spans_taken(double tolerance, Nanoseconds span, std::vector<AnswerRecord>* answers = nullptr) {
  SeriesPlan series = refined_to(tolerance);
  series.precision.span = span;
  Stage stage(fake_plan({series}), [](const FakeTurn& turn, Rng& rng) {
    return noisy(at(turn.point, "bytes") <= 100 ? 1000 : 3000, 0.002)(turn, rng);
  });
  EXPECT_EQ(stage.run().reason, "complete");
  EXPECT_EQ(stage.point("bytes=101").outcome, Outcome::converged);
  std::map<std::string, std::vector<Nanoseconds>> visits;
  for (const VisitRecord& visit : stage.sink.all<VisitRecord>()) visits[to_text(visit.point)].push_back(visit.at);
  for (const auto& [point, at] : visits) {
    EXPECT_GE(at.back() - at.front(), 0.9 * span) << point;
    EXPECT_LT(at.size(), 64U) << point << ": no longer in quick succession once it has answered";
  }
  if (answers != nullptr) *answers = stage.sink.all<AnswerRecord>();
  return (stage.clock.now() - Instant{}) / span;
}

TEST(CampaignRefine, LevelsAreAddedWhileTheOthersGoOn) {
  std::vector<AnswerRecord> answers;
  EXPECT_LT(spans_taken(0.1, seconds(20), &answers), 1.4) << "six generations, in quick succession until they answer";
  ASSERT_GT(answers.size(), 13U);
  std::set<std::string> points;
  for (const AnswerRecord& answer : answers) {
    EXPECT_EQ(answer.series, "one");
    EXPECT_NEAR(answer.value, at(answer.point, "bytes") <= 100 ? 1000 : 3000, 30);
    EXPECT_LE(answer.relative_half_width, 0.04) << "two fifths of the tolerance at the most";
    EXPECT_TRUE(points.insert(to_text(answer.point)).second) << "once each";
  }
}

TEST(CampaignRefine, WithoutASpanAPointAnswersWhenItIsFinished) {
  Stage stage(fake_plan({refined_to(0.05)}), noisy(1000, 0.002));
  stage.run();
  EXPECT_TRUE(stage.sink.all<AnswerRecord>().empty());
}

TEST(CampaignRefine, WhatIsAskedForAgainWhileItGoesOnIsMeasuredAgainBehindThat) {
  SeriesPlan series = refined_to(0.05);
  series.precision.span = seconds(20);
  Stage stage(fake_plan({series}), lone_peak);
  EXPECT_EQ(stage.run().reason, "complete");
  expect_the_peak_and_then_the_curve(stage);
  const auto incarnations = stage.incarnations_of("bytes=64");
  EXPECT_TRUE(std::ranges::is_sorted(incarnations, {}, [](int one) { return one >= 2; })) << "one after the other";
}

TEST(CampaignRefine, ALonePeakIsMeasuredAgainInProcessesOfItsOwn) {
  Stage stage(fake_plan({refined_to(0.05)}), lone_peak);
  const CampaignEnd end = stage.run();
  expect_the_peak_and_then_the_curve(stage);
  const auto incarnations = stage.incarnations_of("bytes=64");
  EXPECT_EQ(std::set<int>(incarnations.begin(), incarnations.end()), (std::set<int>{0, 1, 2, 3}));
  EXPECT_EQ(end.points, 13) << "a point that is measured again is one point";
  EXPECT_LT(std::abs(stage.sink.all<DerivedRecord>().at(0).derived.value), 0.01) << "the second record counts";
  const auto notes = stage.sink.all<NoteRecord>();
  EXPECT_TRUE(std::any_of(notes.begin(), notes.end(), [](const NoteRecord& note) {
    return note.text.find("peak at bytes=64 not confirmed: ") != note.text.npos;
  }));
}

TEST(CampaignRefine, WhatNoiseHidesIsMeasuredAgainMorePrecisely) {
  SeriesPlan series = refined_to(0.02);
  series.precision.rule.eps = 0.04;
  // Every second level is 8 % higher, which intervals of 4 % do not prove.
  Stage stage(fake_plan({series}), [](const FakeTurn& turn, Rng& rng) {
    const bool odd = std::lround(std::log2(at(turn.point, "bytes"))) % 2 != 0;
    return noisy(odd ? 1080 : 1000, 0.1)(turn, rng);
  });
  stage.plan.series[0].precision.max_points = 13;
  stage.run();
  std::map<std::string, std::vector<double>> widths;
  for (const PointRecord& record : stage.points())
    widths[to_text(record.point)].push_back(record.results.at(0).headline.relative_half_width());
  const auto sharpened = std::count_if(widths.begin(), widths.end(), [](const auto& w) { return w.second.size() > 1; });
  EXPECT_GT(sharpened, 0);
  for (const auto& [point, found] : widths)
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_LE(found[i], 0.04 * std::ldexp(1.0, -static_cast<int>(i)) + 1e-9) << point;
}

TEST(CampaignRefine, WhatCannotBecomeSharperHasConvergedWhereItIsAsAccurateAsTheSeriesAsks) {
  SeriesPlan series = refined_to(0.02);
  series.precision.rule.eps = 0.04;
  series.precision.rule.budget.max_timings = 200;
  Stage stage(fake_plan({series}), [](const FakeTurn& turn, Rng& rng) {
    const bool odd = std::lround(std::log2(at(turn.point, "bytes"))) % 2 != 0;
    return noisy(odd ? 1080 : 1000, 0.1)(turn, rng);
  });
  stage.plan.series[0].precision.max_points = 13;
  stage.run();
  std::map<std::string, int> times;
  for (const PointRecord& record : stage.points()) {
    ++times[to_text(record.point)];
    const double width = record.results.at(0).headline.relative_half_width();
    EXPECT_EQ(record.outcome, width <= 0.04 ? Outcome::converged : Outcome::max_timings) << record.reason;
  }
  EXPECT_GT(std::ranges::max(times | std::views::values), 1) << "some were asked for again";
}

TEST(CampaignRefine, ARuleWithoutAnAccuracyIsAskedAgainAsItIs) {
  SeriesPlan series = refined_to(0.02);
  series.precision.rule.name = "fixed";
  series.precision.rule.argument = 40;
  Stage stage(fake_plan({series}), [](const FakeTurn& turn, Rng& rng) {
    const bool odd = std::lround(std::log2(at(turn.point, "bytes"))) % 2 != 0;
    return noisy(odd ? 1100 : 1000, 0.2)(turn, rng);
  });
  EXPECT_EQ(stage.run().reason, "complete");
  std::map<std::string, int> records;
  for (const PointRecord& record : stage.points()) ++records[to_text(record.point)];
  EXPECT_GT(stage.points().size(), records.size()) << "something was measured again";
  for (const auto& [point, times] : records) EXPECT_LE(times, 4) << point;
}

TEST(CampaignRefine, AnEarlyEndLeavesTheFirstResultOfWhatWasAskedForAgain) {
  Stage stage(fake_plan({refined_to(0.05)}), lone_peak);
  stage.stop = [&] {
    const auto visits = stage.sink.all<VisitRecord>();
    return !visits.empty() && visits.back().incarnation == 2;
  };
  const CampaignEnd end = stage.run();
  EXPECT_EQ(end.reason, "signal");
  int records = 0;
  for (const PointRecord& record : stage.points()) records += to_text(record.point) == "bytes=64" ? 1 : 0;
  EXPECT_EQ(records, 1);
  EXPECT_EQ(stage.point("bytes=64").outcome, Outcome::converged);
  EXPECT_FALSE(stage.sink.all<NoteRecord>().empty()) << "what the design found is told all the same";
  EXPECT_EQ(stage.host.open_now(), 0U);
}

TEST(CampaignRefine, NewLevelsJoinTheRoundsOfOpenPoints) {
  SeriesPlan refined = fake_series("refined", {{"bytes", {{std::int64_t{1}, std::int64_t{64}}, 0.1, true}}});
  SeriesPlan slow = fake_series("slow", {});
  slow.precision.rule.name = "fixed";
  slow.precision.rule.argument = 2000;
  Stage stage(fake_plan({refined, slow}), [](const FakeTurn& turn, Rng& rng) {
    return noisy(turn.series == 0 && at(turn.point, "bytes") > 20 ? 3000 : 1000, 0.002)(turn, rng);
  });
  stage.run();
  bool interleaved = false;
  for (const auto& [round, points] : stage.rounds())
    interleaved = interleaved || (std::count(points.begin(), points.end(), "bytes=20") > 0 &&
                                  std::count(points.begin(), points.end(), "") > 0);
  EXPECT_TRUE(interleaved);
}

}  // namespace
}  // namespace assay::test
