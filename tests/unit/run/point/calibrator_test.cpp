// SPDX-License-Identifier: Apache-2.0
// The length of batches: clock, tick, bounds, and clocks that misbehave.
#include "run/point/calibrator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace assay {
namespace {

CalibrationLimits limits(double step, double spread = 0) {
  CalibrationLimits l;
  l.clock_step = {step};
  l.clock_spread = {spread};
  return l;
}

/// A batch of which everything is timed.
TrialTime whole(Nanoseconds time) { return {time, time}; }

/// Trials whose repetitions take `per_rep` ns, read on a clock of the given step.
struct FakeTrial {
  double per_rep = 1;
  double step = 0;
  std::vector<std::int64_t> asked{};
  TrialTime operator()(Reps reps) {
    asked.push_back(reps.count);
    const double time = per_rep * static_cast<double>(reps.count);
    return whole({step > 0 ? std::floor(time / step) * step : time});
  }
};

Calibration run(const CalibrationLimits& l, FakeTrial& trial) { return calibrate(l, std::ref(trial)); }

TEST(Calibrator, BatchesLastFiveStepsOverEps) {
  FakeTrial trial{5};
  const auto chosen = run(limits(10), trial);
  EXPECT_EQ(chosen.reps.count, 500);  // 5 * 10 / 0.02 = 2500 ns
  EXPECT_DOUBLE_EQ(chosen.per_rep.count, 5);
  EXPECT_EQ(chosen.remark, "");
}

TEST(Calibrator, SpreadOfEmptyTimingsCountsWhereItIsLarger) {
  FakeTrial trial{5};
  EXPECT_EQ(run(limits(10, 30), trial).reps.count, 1500);
}

TEST(Calibrator, AccuracyAskedForSetsTheLength) {
  FakeTrial trial{5};
  auto l = limits(10);
  l.eps = 0.1;
  EXPECT_EQ(run(l, trial).reps.count, 100);
}

TEST(Calibrator, GrowsByPowersOfTwoUntilTwentyStepsAndTriesFiveTimes) {
  FakeTrial trial{30};
  run(limits(10), trial);
  EXPECT_EQ(trial.asked, (std::vector<std::int64_t>{1, 2, 4, 8, 8, 8, 8, 8}));  // 240 ns > 200 ns
}

TEST(Calibrator, BeginsWhereWhatIsExpectedIsResolved) {
  FakeTrial trial{30};
  auto l = limits(10);
  l.expected = {33};
  EXPECT_EQ(run(l, trial).reps.count, 84) << "2500 ns";
  EXPECT_EQ(trial.asked, (std::vector<std::int64_t>{8, 8, 8, 8, 8}));
  FakeTrial shorter{30};
  l.expected = {100};
  run(l, shorter);
  EXPECT_EQ(shorter.asked, (std::vector<std::int64_t>{4, 8, 8, 8, 8, 8})) << "it was not as long";
}

TEST(Calibrator, TakesTheSecondShortestOfTheTrials) {
  int calls = 0;
  const auto chosen = calibrate(limits(1), [&](Reps) {
    const double disturbed[] = {4000, 3000, 130, 125, 9000};
    return whole({disturbed[calls++]});
  });
  EXPECT_EQ(calls, 5);
  EXPECT_EQ(chosen.per_rep.count, 130);
  EXPECT_EQ(chosen.reps.count, 2);
}

TEST(Calibrator, AClockThatJumpsBackSpoilsOneTrialOnly) {
  int calls = 0;
  const auto chosen =
      calibrate(limits(1), [&](Reps reps) { return whole({calls++ == 2 ? -1e9 : 50.0 * double(reps.count)}); });
  EXPECT_EQ(chosen.per_rep.count, 50);
}

TEST(Calibrator, AClockThatJumpsAheadDoesNotMakeAnActionLong) {
  for (const double jump : {2e7, 3.6e12}) {
    int calls = 0;
    const auto chosen =
        calibrate(limits(1), [&](Reps reps) { return whole({(calls++ == 0 ? jump : 0) + 50.0 * double(reps.count)}); });
    EXPECT_EQ(chosen.per_rep.count, 50) << jump;
    EXPECT_EQ(chosen.reps.count, 5) << jump;
  }
}

TEST(Calibrator, ADisturbedTrialDoesNotEndTheGrowth) {
  FakeTrial action{5};
  int calls = 0;
  const auto chosen = calibrate(limits(10), [&](Reps reps) {
    return calls++ == 0 ? whole(milliseconds(4)) : action(reps);  // the first one was preempted
  });
  EXPECT_EQ(chosen.per_rep.count, 5);
  EXPECT_EQ(chosen.reps.count, 500);
}

TEST(Calibrator, ALongActionIsRepeatedOnceAndTriedTwice) {
  FakeTrial trial{2e9};
  const auto chosen = run(limits(10), trial);
  EXPECT_EQ(chosen.reps.count, 1);
  EXPECT_EQ(trial.asked.size(), 2U);
  EXPECT_EQ(chosen.remark, "");
}

TEST(Calibrator, ALongActionThatWarmedUpAsLongIsTriedOnce) {
  FakeTrial trial{2e9};
  auto l = limits(10);
  l.expected = {1.9e9};
  EXPECT_EQ(run(l, trial).per_rep.count, 2e9);
  EXPECT_EQ(trial.asked.size(), 1U);
}

TEST(Calibrator, SaysWhatLengthItAimedAt) {
  FakeTrial trial{5};
  EXPECT_EQ(run(limits(10), trial).wanted.count, 2500);
  auto l = limits(10);
  l.reps.most = {64};
  EXPECT_EQ(run(l, trial).wanted.count, 0) << "more repetitions cannot be had";
}

TEST(Calibrator, AClockOfTenMillisecondsGetsBatchesItResolves) {
  FakeTrial trial{100, 1e7};
  const auto chosen = run(limits(1e7), trial);
  const double length = 100 * static_cast<double>(chosen.reps.count);
  EXPECT_GE(length, 0.99 * 1e7 / 0.02) << "a step is at most eps of a batch";
  EXPECT_LE(length, 1.2 * 1e7 / 0.02);
  EXPECT_NE(chosen.remark, "");
}

TEST(Calibrator, SimulatedTimeIsExact) {
  FakeTrial trial{5600, 1};
  const auto chosen = run(limits(1), trial);
  EXPECT_EQ(chosen.reps.count, 1);
  EXPECT_EQ(chosen.per_rep.count, 5600);
}

TEST(Calibrator, StaysBelowATenthOfTheTick) {
  FakeTrial trial{100};
  const auto chosen = run(limits(2000), trial);  // wanted 500 us, allowed 400 us
  EXPECT_EQ(chosen.reps.count, 4000);
  EXPECT_EQ(chosen.remark, "the clock requires batches of 500 us; they last 400 us, a tenth of the scheduler's tick");
}

TEST(Calibrator, OneRepetitionMayBeLongerThanATenthOfTheTick) {
  FakeTrial trial{3e6};
  const auto chosen = run(limits(10000), trial);
  EXPECT_EQ(chosen.reps.count, 1);
  EXPECT_EQ(chosen.remark, "");
}

TEST(Calibrator, ACoarseClockGetsTheLeastThatItCanResolve) {
  FakeTrial trial{1000, 10e6};  // steps of 10 ms
  const auto chosen = run(limits(10e6), trial);
  const double length = chosen.per_rep.count * static_cast<double>(chosen.reps.count);
  EXPECT_NEAR(length, 500e6, 1e3);  // step / eps
  EXPECT_NEAR(chosen.per_rep.count, 1000, 50);
  EXPECT_NE(chosen.remark.find("longer than a tenth"), std::string::npos) << chosen.remark;
}

TEST(Calibrator, KeepsToTheMostRepetitions) {
  FakeTrial trial{5};
  auto l = limits(10);
  l.reps.most = {100};
  const auto chosen = run(l, trial);
  EXPECT_EQ(chosen.reps.count, 100);
  EXPECT_EQ(*std::max_element(trial.asked.begin(), trial.asked.end()), 64);
  EXPECT_EQ(chosen.remark,
            "batches of 500 ns are shorter than required: the measurement allows at most 100 repetitions");
}

TEST(Calibrator, MeasuresAtTheMostWhenTheClockWantsMore) {
  FakeTrial trial{1};
  auto l = limits(10);
  l.reps.most = {10};
  EXPECT_EQ(run(l, trial).reps.count, 10);
  EXPECT_EQ(trial.asked, (std::vector<std::int64_t>{1, 2, 4, 8, 10, 10, 10, 10, 10}));
}

TEST(Calibrator, KeepsToTheLeastRepetitions) {
  FakeTrial trial{100};
  auto l = limits(1);
  l.reps.least = {48};
  EXPECT_EQ(run(l, trial).reps.count, 48);
  EXPECT_EQ(trial.asked.front(), 48);
  l.reps.least = {100000};
  EXPECT_EQ(run(l, trial).remark,
            "batches of 10 ms are longer than required: the measurement needs at least 100000 repetitions");
}

TEST(Calibrator, AFrozenClockIsAnError) {
  std::int64_t most = 0;
  EXPECT_THROW(calibrate(limits(10),
                         [&](Reps reps) {
                           most = std::max(most, reps.count);
                           return whole({0});
                         }),
               FrozenClock);
  EXPECT_EQ(most, std::int64_t{1} << 32);
}

TEST(Calibrator, ATimeBelowZeroCountsAsNone) {
  const auto trial = [](Reps reps) { return whole({static_cast<double>(reps.count) - 20}); };
  EXPECT_GT(calibrate(limits(0), trial).per_rep.count, 0);
}

TEST(Calibrator, StopsGrowingAfterASecond) {
  std::int64_t most = 0;
  const auto chosen = calibrate(limits(1e9), [&](Reps reps) {
    most = std::max(most, reps.count);
    return whole({0.9e9 * static_cast<double>(reps.count)});
  });
  EXPECT_EQ(most, 2);
  EXPECT_DOUBLE_EQ(chosen.per_rep.count, 0.9e9);
}

TEST(Calibrator, SeveralRepetitionsAreTakenWhereTheTickHasRoomForThem) {
  auto l = limits(10);  // the clock needs 2.5 us
  l.several = {8};
  FakeTrial brief{100}, middling{5'000}, slow{150'000}, slower{1e6};
  EXPECT_EQ(run(l, brief).reps.count, 25) << "the clock asks for more";
  EXPECT_EQ(run(l, middling).reps.count, 8);
  EXPECT_EQ(run(l, slow).reps.count, 2) << "8 would last 1.2 ms, and a tenth of the tick is 0.4 ms: a quarter of them";
  EXPECT_EQ(run(l, slower).reps.count, 1);
  EXPECT_EQ(run(l, slower).remark, "");
  l.reps.most = {3};
  EXPECT_EQ(run(l, middling).reps.count, 3);
}

TEST(Calibrator, SeveralAreAsManyWhateverTheirTimeWithinAFactorOfTen) {
  auto l = limits(10);
  l.several = {32};
  for (const double per_rep : {13e3, 50e3, 120e3}) {
    FakeTrial trial{per_rep};
    EXPECT_EQ(run(l, trial).reps.count, 8) << per_rep;
  }
  FakeTrial brief{12e3}, slow{200e3};
  EXPECT_EQ(run(l, brief).reps.count, 32);
  EXPECT_EQ(run(l, slow).reps.count, 5) << "1 ms";
}

TEST(Calibrator, WhereCoresAreInterruptedBatchesAreHalvedUntilTheyFit) {
  auto l = limits(10);
  l.several = {32};
  l.undisturbed = {13e3};
  const auto reps = [&](double per_rep) {
    FakeTrial trial{per_rep};
    return run(l, trial).reps.count;
  };
  EXPECT_EQ(reps(400), 32);
  EXPECT_EQ(reps(600), 16);
  EXPECT_EQ(reps(1500), 8);
  EXPECT_EQ(reps(1900), 8) << "not below a quarter where members meet on the way";
  EXPECT_EQ(reps(50e3), 8) << "each has an interruption";
  l.gathered = true;
  EXPECT_EQ(reps(1500), 8);
  EXPECT_EQ(reps(1900), 4);
  EXPECT_EQ(reps(7e3), 1);
  EXPECT_EQ(reps(14e3), 1) << "one as short as can be had, though it may have an interruption";
  EXPECT_EQ(reps(60e3), 8) << "each has an interruption";
  l.undisturbed = milliseconds(1);
  EXPECT_EQ(reps(1900), 32) << "the tick comes first";
  EXPECT_EQ(reps(13e3), 8);
}

TEST(Calibrator, InterruptionsCutWhatTheClockRequires) {
  auto l = limits(100);  // 25 us
  l.undisturbed = {13e3};
  FakeTrial trial{100};
  const auto chosen = run(l, trial);
  EXPECT_EQ(chosen.reps.count, 130);
  EXPECT_NE(chosen.remark.find("a quarter of the time between interruptions"), std::string::npos) << chosen.remark;
}

TEST(Calibrator, MembersThatComeTogetherWithinABatchHaveTheirTimeTogether) {
  auto l = limits(10);
  l.several = {32};
  std::vector<std::int64_t> asked;
  const auto chosen = calibrate(l, [&](Reps reps) {
    asked.push_back(reps.count);
    return whole({(reps.count < 8 ? 60e3 : 7e3) * static_cast<double>(reps.count)});
  });
  EXPECT_EQ(chosen.reps.count, 32);
  EXPECT_EQ(chosen.per_rep.count, 7e3);
  EXPECT_EQ(asked, (std::vector<std::int64_t>{1, 1, 1, 1, 1, 32, 32}));
}

TEST(Calibrator, WhatTakesLongIsNotTriedSeveralTimesInARow) {
  auto l = limits(10);
  l.several = {32};
  FakeTrial trial{2e6};
  run(l, trial);
  EXPECT_EQ(*std::ranges::max_element(trial.asked), 1);
}

TEST(Calibrator, WhatIsNotTimedCountsForWhatATrialCosts) {
  auto l = limits(10);
  l.several = {32};
  std::vector<std::int64_t> asked;
  const auto claims_a_part = [&](double part, double all) {
    return [&asked, part, all](Reps reps) {
      asked.push_back(reps.count);
      return TrialTime{Nanoseconds{part} * static_cast<double>(reps.count),
                       Nanoseconds{all} * static_cast<double>(reps.count)};
    };
  };
  calibrate(l, claims_a_part(50e3, 1e6));
  EXPECT_EQ(asked, (std::vector<std::int64_t>{1, 1, 1, 1, 1})) << "32 in a row would take 32 ms";
  asked.clear();
  calibrate(l, claims_a_part(300e3, 11e6));
  EXPECT_EQ(asked, (std::vector<std::int64_t>{1, 1})) << "one takes 11 ms";
  asked.clear();
  calibrate(l, claims_a_part(50e3, 500e3));
  EXPECT_EQ(asked, (std::vector<std::int64_t>{1, 1, 1, 1, 1, 32, 32}));
}

TEST(Calibrator, ATwinHasTheRepetitionsOfTheFirst) {
  const auto l = limits(10);  // 2.5 us for the clock, of a tick of 4 ms
  const Calibration chosen{{8}, {50e3}, {2500}, {}};
  EXPECT_EQ(like_twin(chosen, {32}, l).reps.count, 32);
  EXPECT_EQ(like_twin(chosen, {5}, l).reps.count, 5);
  EXPECT_EQ(like_twin(chosen, {100}, l).reps.count, 8) << "5 ms are more than a tick";
  EXPECT_EQ(like_twin({{2}, {3e6}, {2500}, {}}, {1}, l).reps.count, 1);
  EXPECT_EQ(like_twin({{500}, {5}, {2500}, {}}, {300}, l).reps.count, 300);
  EXPECT_EQ(like_twin({{500}, {5}, {2500}, {}}, {200}, l).reps.count, 500) << "1 us is less than half of what it takes";
}

TEST(Calibrator, AnOrderedNumberDecidesWithinTheMeasurementsBounds) {
  auto l = limits(10);
  l.ordered = {7};
  FakeTrial trial{5};
  const auto chosen = run(l, trial);
  EXPECT_EQ(chosen.reps.count, 7) << "not the 500 that the clock needs";
  EXPECT_EQ(chosen.per_rep.count, 5);
  EXPECT_EQ(chosen.wanted.count, 0) << "so that no batch is called too short";
  EXPECT_EQ(chosen.remark, "");
  l.reps = {{2}, {4}};
  EXPECT_EQ(run(l, trial).reps.count, 4);
  EXPECT_EQ(run(l, trial).remark, "reps = 7 is not possible here: the measurement allows at most 4");
  l.ordered = {1};
  EXPECT_EQ(run(l, trial).reps.count, 2);
  EXPECT_EQ(run(l, trial).remark, "reps = 1 is not possible here: the measurement needs at least 2");
}

TEST(Calibrator, PassesOnWhatATrialThrows) {
  EXPECT_THROW(calibrate(limits(1), [](Reps) -> TrialTime { throw std::domain_error("gone"); }), std::domain_error);
}

}  // namespace
}  // namespace assay
