// SPDX-License-Identifier: Apache-2.0
// What happens to the machine during visits: marked in batches, reported once for the session.
#include "run/session/disturbance_monitor.hpp"

#include <gtest/gtest.h>

#include "support/campaigns/campaign_stage.hpp"
#include "support/campaigns/fake_plan.hpp"

namespace assay::test {
namespace {

/// A world whose counters the test sets.
struct Watched {
  CampaignPlan plan = fake_plan({fake_series("a", {})});
  FakeClock clock;
  FakeHost host{plan, clock, noisy(100, 0.01)};
  MemorySink sink;
  SystemReading now;
  std::string clock_problem;
  int clock_checks = 0;
  Surroundings world{clock, host, sink, 2};

  Watched() {
    now.stolen = now.throttled = now.heated = now.waited = 0;
    now.clock_source = "tsc";
    world.look = [this](const std::vector<int>&) { return now; };
    world.check_clock = [this] {
      ++clock_checks;
      return clock_problem;
    };
  }
  void pass(Nanoseconds time) {
    now.at = now.at + time;
    clock.advance(time);
  }
};

bool has(const Disturbances& marks, Disturbance cause) { return marks.test(static_cast<std::size_t>(cause)); }

TEST(DisturbanceMonitor, NothingHappenedNothingIsTold) {
  Watched w;
  DisturbanceMonitor watch(w.world);
  watch.begin({0});
  w.pass(milliseconds(2));
  EXPECT_TRUE(watch.end().none());
  EXPECT_TRUE(watch.remarks().empty());
}

TEST(DisturbanceMonitor, StolenTimeMarksVisitsAndIsTold) {
  Watched w;
  DisturbanceMonitor watch(w.world);
  watch.begin({0});
  w.pass(seconds(1));
  *w.now.stolen += 30;
  EXPECT_TRUE(has(watch.end(), Disturbance::stolen));
  const auto told = watch.remarks();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_NE(told[0].find("(G-STEAL)"), std::string::npos);
  EXPECT_NE(told[0].find("30"), std::string::npos) << told[0];
}

TEST(DisturbanceMonitor, F24_throttled_visits_are_marked_and_counted) {
  Watched w;
  DisturbanceMonitor watch(w.world);
  *w.now.throttled += 7;  // between visits: affects none
  watch.begin({0});
  w.pass(milliseconds(2));
  EXPECT_TRUE(watch.end().none());
  watch.begin({0});
  w.pass(milliseconds(2));
  *w.now.throttled += 38;
  EXPECT_TRUE(has(watch.end(), Disturbance::throttled));
  const auto told = watch.remarks();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_NE(told[0].find("38 times"), std::string::npos) << told[0];
}

TEST(DisturbanceMonitor, InterruptionsThatNoCounterShowsAreTold) {
  Watched w;
  w.world.interruptions = [] { return Interruptions{80, {160e3}, {4e6}}; };
  DisturbanceMonitor watch(w.world);
  EXPECT_TRUE(watch.remarks().empty()) << "no visit was made";
  EXPECT_FALSE(watch.begin_among_others({0}));
  const auto told = watch.remarks();
  ASSERT_EQ(told.size(), 1U);
  for (const char* part : {"2 us every 50 us", "4 % of the time", "within 12.5 us", "(G-TAKEN)"})
    EXPECT_NE(told[0].find(part), std::string::npos) << told[0];
  w.world.interruptions = [] { return Interruptions{1, {5e3}, {4e6}}; };
  DisturbanceMonitor ticks(w.world);
  ticks.begin_among_others({0});
  EXPECT_TRUE(ticks.remarks().empty());
}

TEST(DisturbanceMonitor, WhatTakesMoreThanATenthIsHeavy) {
  Watched w;
  w.world.interruptions = [] { return Interruptions{80, {500e3}, {4e6}}; };
  EXPECT_TRUE(DisturbanceMonitor(w.world).begin_among_others({0}));
}

TEST(DisturbanceMonitor, MembersThatFallAsleepAreNoOthers) {
  Watched w;
  w.now.at_work = 0.5;
  w.world.pause = [&](Nanoseconds) { w.now.at_work = 0; };
  EXPECT_FALSE(DisturbanceMonitor(w.world).begin_among_others({0}));
}

TEST(DisturbanceMonitor, OtherThreadsThatLooksDoNotSeeAreTold) {
  Watched w;
  DisturbanceMonitor watch(w.world);
  int taken = 0;
  for (int visit = 0; visit < 100; ++visit) {
    w.now.at_work = visit < 94 ? 0.1 : 0.5;
    taken += watch.begin_among_others({0}) ? 1 : 0;
    w.pass(milliseconds(2));
    watch.end();
  }
  EXPECT_EQ(taken, 6);
  const auto told = watch.remarks();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_NE(told[0].find("at work at the beginning of 6 % of the visits (G-LOAD)"), std::string::npos) << told[0];
  w.now.at_work = std::nullopt;  // not known
  EXPECT_FALSE(watch.begin_among_others({0}));
}

TEST(DisturbanceMonitor, WaitingForCpusIsTold) {
  Watched w;
  DisturbanceMonitor watch(w.world);
  watch.begin({0, 1});
  w.pass(milliseconds(10));
  *w.now.waited += 2'400'000;
  EXPECT_TRUE(watch.end().none());
  const auto told = watch.remarks();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_NE(told[0].find("12"), std::string::npos) << told[0];
}

TEST(DisturbanceMonitor, WhoMakesTheKernelSlowerIsNamedWithTheTimeThatItDid) {
  Watched w;
  int looks = 0;
  std::string observers;
  w.world.observed_by = [&] {
    ++looks;
    w.clock.advance(milliseconds(1));
    return observers;
  };
  DisturbanceMonitor watch(w.world);
  const auto visit = [&](Nanoseconds time) {
    watch.begin({0});
    w.pass(time);
    watch.end();
  };
  visit(seconds(1));
  visit(milliseconds(500));
  EXPECT_EQ(looks, 1) << "none within two seconds";
  w.clock.advance(seconds(1));
  observers = "perf (12) counts performance events";
  visit(milliseconds(500));
  EXPECT_EQ(looks, 2);
  observers.clear();
  w.clock.advance(seconds(2));
  visit(milliseconds(500));
  const auto told = watch.remarks();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_NE(told[0].find("20 % of the visits' time perf (12) counts performance events"), std::string::npos) << told[0];
  EXPECT_NE(told[0].find("(G-PERF)"), std::string::npos);
}

TEST(DisturbanceMonitor, LookingTakesAHundredthOfTheTimeAtMost) {
  Watched w;
  int looks = 0;
  w.world.observed_by = [&] {
    ++looks;
    w.clock.advance(milliseconds(100));  // thousands of processes
    return std::string();
  };
  DisturbanceMonitor watch(w.world);
  for (int i = 0; i < 99; ++i) {
    watch.begin({0});
    w.pass(milliseconds(100));
    watch.end();
  }
  EXPECT_EQ(looks, 1);
  EXPECT_TRUE(watch.remarks().empty());
}

TEST(DisturbanceMonitor, F32_sleep_of_the_machine_marks_and_is_told) {
  Watched w;
  DisturbanceMonitor watch(w.world);
  watch.begin({0});
  w.now.asleep = seconds(35);
  EXPECT_TRUE(has(watch.end(), Disturbance::asleep));
  EXPECT_NE(watch.remarks().at(0).find("slept 35 s"), std::string::npos);
}

TEST(DisturbanceMonitor, F31_clock_is_checked_hourly_and_at_the_end) {
  Watched w;
  DisturbanceMonitor watch(w.world);
  watch.begin({0});
  EXPECT_EQ(w.clock_checks, 0);
  w.pass(seconds(3601));
  watch.begin({0});
  watch.begin({0});
  EXPECT_EQ(w.clock_checks, 1);
  w.clock_problem = "the cost of a reading was 22 ns and is 900 ns";
  w.now.clock_source = "hpet";
  EXPECT_TRUE(watch.end().none());
  const auto told = watch.remarks();
  EXPECT_EQ(w.clock_checks, 2);
  ASSERT_EQ(told.size(), 2U);
  EXPECT_NE(told[0].find("from 'tsc' to 'hpet'"), std::string::npos);
  EXPECT_NE(told[1].find("900 ns"), std::string::npos);
}

TEST(DisturbanceMonitor, F51_disturbed_visits_of_a_campaign_are_counted_not_averaged) {
  Stage stage(fake_plan({fake_series("a", {})}), noisy(100, 0.01));
  SystemReading now;
  now.throttled = 0;
  int looks = 0;
  History history;
  Surroundings world{stage.clock, stage.host, stage.sink, 4};
  world.pause = [&](Nanoseconds time) { stage.clock.advance(time); };
  world.look = [&](const std::vector<int>&) {
    // Every other visit: a reading before it, one after it.
    if (++looks % 4 == 3) ++*now.throttled;
    return now;
  };
  // What is measured while the quota is used up takes twice as long.
  stage.host.spoil = [&](const IncarnationKey&, Batch& batch, Rng&) {
    if (looks % 4 == 2)
      for (MemberReport& report : batch.members) report.claims = Claims(report.wall * 2);
  };
  run_campaign(stage.plan, history, world);
  const auto points = stage.points();
  ASSERT_EQ(points.size(), 1U);
  EXPECT_GT(points[0].disturbed.at(static_cast<std::size_t>(Disturbance::throttled)), 0U);
  std::size_t notes = 0;
  for (const NoteRecord& note : stage.sink.all<NoteRecord>()) notes += note.text.find("(G-QUOTA)") != std::string::npos;
  EXPECT_EQ(notes, 1U);
  for (const Result& result : points[0].results) EXPECT_NEAR(result.headline.value, 100, 5);
  EXPECT_TRUE(points[0].outcome == Outcome::too_noisy || points[0].results.at(0).noisy);
}

}  // namespace
}  // namespace assay::test
