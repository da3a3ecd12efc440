// SPDX-License-Identifier: Apache-2.0
// Warm-up and visits on a team that claims what the test says.
#include "run/worker/worker.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <stdexcept>

#include "run/worker/visit.hpp"
#include "run/worker/worker_clock.hpp"

namespace assay {
namespace {

class FakeClock final : public Clock {
 public:
  Instant now() const override { return now_; }
  void advance(Nanoseconds by) { now_ = now_ + by; }

 private:
  Instant now_;
};

/// What member 0 claims for a batch, and the wall time that passes.
struct Costs {
  std::function<std::optional<double>(Reps)> claim;
  std::function<double(Reps)> wall;
};

class FakeTeam final : public Team {
 public:
  FakeTeam(FakeClock& clock, Costs costs) : clock_(clock), costs_(std::move(costs)) {}

  Batch run(Reps reps) override {
    runs.push_back(reps.count);
    MemberReport report;
    if (const auto claim = costs_.claim(reps)) report.claims.set(0, *claim);
    report.wall = {costs_.wall(reps)};
    clock_.advance(report.wall);
    found_.push_back({"batch " + std::to_string(runs.size()), 1, 1});
    found_.push_back({"any", 0.5, 3});
    return {reps, {report}};
  }
  std::vector<FoundPart> found_parts() override { return std::exchange(found_, {}); }
  std::optional<Nanoseconds> reference(int round_trips) override {
    references.push_back(round_trips);
    runs_at_reference = runs.size();
    if (held_up-- > 0) return longest_distance * 2;
    return !runs.empty() && round_trip_after_batches ? round_trip_after_batches : round_trip;
  }
  void park() override {}

  std::vector<std::int64_t> runs;
  std::vector<int> references;
  std::size_t runs_at_reference = 0;
  int held_up = 0;  ///< exchanges that take long, before the others
  std::optional<Nanoseconds> round_trip = Nanoseconds{123};
  std::optional<Nanoseconds> round_trip_after_batches;

 private:
  FakeClock& clock_;
  Costs costs_;
  std::vector<FoundPart> found_;
};

Description with_unit(Unit unit) {
  Description description{"test/fake", "nothing"};
  description.quantities[0].unit = unit;
  return description;
}

/// A team whose repetitions claim and take a fixed time.
struct Steady {
  Steady(double claim, double wall)
      : team(clock, {[claim](Reps reps) { return claim * static_cast<double>(reps.count); },
                     [wall](Reps reps) { return wall * static_cast<double>(reps.count); }}) {}
  WarmUp warm(Nanoseconds wanted, RepsBounds bounds = {}, Unit unit = Unit::nanoseconds) {
    return warm_up(team, with_unit(unit), {.reps = bounds}, wanted, clock);
  }
  FakeClock clock;
  FakeTeam team;
};

TEST(WarmUpTest, NothingRunsWithoutWarmUp) {
  Steady steady(10, 10);
  const WarmUp done = steady.warm({});
  EXPECT_TRUE(steady.team.runs.empty());
  EXPECT_EQ(done.reps, 0);
  EXPECT_EQ(done.time.count, 0);
}

TEST(WarmUpTest, DoublesUntilTheActionHasRunLongEnough) {
  Steady steady(100, 110);
  const WarmUp done = steady.warm(microseconds(1));
  EXPECT_EQ(steady.team.runs, (std::vector<std::int64_t>{1, 2, 4, 3})) << "770 of 1000 ns, and what is left";
  EXPECT_EQ(done.reps, 10);
  EXPECT_EQ(done.time.count, 1000);
}

TEST(WarmUpTest, WhatIsNotClaimedIsActionAsWell) {
  Steady steady(10, 1000);
  const WarmUp done = steady.warm(microseconds(7));
  EXPECT_EQ(steady.team.runs, (std::vector<std::int64_t>{1, 2, 4}));
  EXPECT_EQ(done.time.count, 70) << "a repetition of what is measured is expected to take 10 ns";
}

TEST(WarmUpTest, WhatIsSimulatedGoesByItsClaims) {
  Steady steady(100, 1);
  const WarmUp done = warm_up(steady.team, with_unit(Unit::nanoseconds), {.simulated = true}, {1000}, steady.clock);
  EXPECT_EQ(steady.team.runs, (std::vector<std::int64_t>{1, 2, 4, 8})) << "and draws as much as it always did";
  EXPECT_EQ(done.time.count, 1500);
}

TEST(WarmUpTest, OneBatchAtLeast) {
  Steady steady(1e9, 1e9);
  EXPECT_EQ(steady.warm({1}).reps, 1);
  EXPECT_EQ(steady.team.runs.size(), 1U);
}

TEST(WarmUpTest, RepetitionsStayWithinTheirBounds) {
  Steady steady(1, 1);
  steady.warm({60}, {Reps{3}, Reps{10}});
  EXPECT_EQ(steady.team.runs, (std::vector<std::int64_t>{3, 6, 10, 10, 10, 10, 10, 3}));
}

TEST(WarmUpTest, TheLargestBoundDoesNotOverflow) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  Steady steady(0, 1e-20);
  EXPECT_EQ(steady.warm({1}, {Reps{most / 2 + 1}, Reps{most}}).reps, most);
  EXPECT_EQ(steady.team.runs.at(0), most / 2 + 1);
  EXPECT_EQ(steady.team.runs.at(1), most);
}

TEST(WarmUpTest, ThreeTimesTheWallClockEndsIt) {
  Steady steady(0, 100);
  const WarmUp done = warm_up(steady.team, with_unit(Unit::nanoseconds), {.simulated = true}, {600}, steady.clock);
  // 100 + 200 + 400 + 800 + 1600 ns are the first sum beyond 1800 ns.
  EXPECT_EQ(steady.team.runs.size(), 5U);
  EXPECT_EQ(done.time.count, 0);
}

TEST(WarmUpTest, CountsWallTimeWhereTheQuantityIsNoTime) {
  Steady steady(1e9, 100);
  const WarmUp done = steady.warm(microseconds(1), {}, Unit::per_second);
  EXPECT_EQ(steady.team.runs.size(), 4U);
  EXPECT_EQ(done.time.count, 1000);
}

TEST(WarmUpTest, SenselessClaimsCountAsNothing) {
  for (const std::optional<double> claim :
       {std::optional<double>(), std::optional(-1e9), std::optional(std::numeric_limits<double>::quiet_NaN()),
        std::optional(std::numeric_limits<double>::infinity())}) {
    FakeClock clock;
    FakeTeam team(clock, {[claim](Reps) { return claim; }, [](Reps) { return 100.0; }});
    const WarmUp done = warm_up(team, with_unit(Unit::nanoseconds), {.simulated = true}, {100}, clock);
    EXPECT_EQ(team.runs.size(), 3U);
    EXPECT_EQ(done.time.count, 0);
  }
}

/// A team whose batches claim the given times in turn, then the last one forever.
class ScriptedWork {
 public:
  explicit ScriptedWork(std::deque<double> claims)
      : claims_(std::move(claims)), team(clock_, {[this](Reps) { return next(); }, [](Reps) { return 7.0; }}) {}
  VisitYield visit(const VisitOrder& order, const Description& description = with_unit(Unit::nanoseconds)) {
    return execute_visit(team, order, description, description.traits);
  }

 private:
  double next() {
    const double claim = claims_.front();
    if (claims_.size() > 1) claims_.pop_front();
    return claim;
  }
  FakeClock clock_;
  std::deque<double> claims_;

 public:
  FakeTeam team;
};

TEST(VisitTest, RunsWhatWasOrdered) {
  ScriptedWork script({100});
  const VisitYield yield = script.visit({Reps{50}, 2, 4, 8, false});
  EXPECT_EQ(script.team.runs, std::vector<std::int64_t>(10, 50));
  EXPECT_EQ(yield.batches.size(), 10U);
  EXPECT_EQ(yield.discarded, 2);
  EXPECT_FALSE(yield.reference);
  EXPECT_TRUE(script.team.references.empty());
}

TEST(VisitTest, TheReferenceComesFirst) {
  ScriptedWork script({100});
  const VisitYield yield = script.visit({Reps{1}, 1, 4, 8, true});
  EXPECT_EQ(yield.reference, Nanoseconds{123});
  EXPECT_EQ(script.team.references, (std::vector<int>{reference_probe, reference_round_trips}));
  EXPECT_EQ(script.team.runs_at_reference, 0U);
}

TEST(VisitTest, WhoTakesTurnsOnOneCpuHasNoDistanceToBeKnown) {
  ScriptedWork script({100});
  script.team.round_trip = longest_distance * 1.01;
  EXPECT_EQ(script.visit({Reps{1}, 1, 4, 8, true}).reference, script.team.round_trip);
  EXPECT_EQ(script.team.references, std::vector<int>(2 * reference_probes, reference_probe)) << "before and after";
}

TEST(VisitTest, WhoIsHeldUpOnceHasItsDistance) {
  ScriptedWork script({100});
  script.team.held_up = reference_probes - 1;
  EXPECT_EQ(script.visit({Reps{1}, 1, 4, 8, true}).reference, Nanoseconds{123});
  EXPECT_EQ(script.team.references.back(), reference_round_trips);
}

TEST(VisitTest, WhereMembersBeganOnOneCpuTheReferenceIsOfWhereTheyEnded) {
  ScriptedWork script({100});
  script.team.round_trip = longest_distance * 1.01;
  script.team.round_trip_after_batches = Nanoseconds{250};
  EXPECT_EQ(script.visit({Reps{1}, 1, 4, 8, true}).reference, Nanoseconds{250});
  EXPECT_EQ(script.team.runs_at_reference, script.team.runs.size());
}

TEST(VisitTest, ThereMayBeNoReference) {
  ScriptedWork script({100});
  script.team.round_trip.reset();
  EXPECT_FALSE(script.visit({Reps{1}, 1, 4, 8, true}).reference);
}

TEST(VisitTest, DiscardsWhileTheFirstKeptBatchIsSlower) {
  ScriptedWork script({200, 150, 120, 100});
  const VisitYield yield = script.visit({Reps{1}, 1, 4, 3, false});
  EXPECT_EQ(yield.discarded, 3);
  ASSERT_EQ(yield.batches.size(), 6U);
  EXPECT_EQ(yield.batches[0].members[0].claims[0], 200);
  EXPECT_EQ(yield.batches[3].members[0].claims[0], 100);
}

TEST(VisitTest, ComparesWithTheSlowestOfTheOthers) {
  ScriptedWork script({200, 120, 100, 100, 119, 100});
  EXPECT_EQ(script.visit({Reps{1}, 1, 4, 4, false}).discarded, 1);
}

TEST(VisitTest, FivePerCentAreNotSlower) {
  ScriptedWork script({200, 105, 100});
  EXPECT_EQ(script.visit({Reps{1}, 1, 4, 4, false}).discarded, 1);
  ScriptedWork above({200, 105.1, 100});
  EXPECT_EQ(above.visit({Reps{1}, 1, 4, 4, false}).discarded, 2);
}

TEST(VisitTest, DiscardsNoMoreThanAllowed) {
  ScriptedWork script({512, 256, 128, 64, 32, 16, 8, 4, 2, 1});
  const VisitYield yield = script.visit({Reps{1}, 1, 4, 3, false});
  EXPECT_EQ(yield.discarded, 4);
  EXPECT_EQ(yield.batches.size(), 7U);
  ScriptedWork strict({512, 256, 128});
  EXPECT_EQ(strict.visit({Reps{1}, 0, 0, 3, false}).discarded, 0);
}

TEST(VisitTest, KeepsThePartsOfTheBatchesThatAreEstimated) {
  ScriptedWork script({512, 256, 128});
  script.team.run(Reps{1});  // a warm-up
  const VisitYield yield = script.visit({Reps{1}, 1, 1, 2, false});
  ASSERT_EQ(yield.batches.size(), 3U);
  // Of the four batches so far the first was no part of the visit, and the second was discarded.
  const std::vector<FoundPart> expected{{"batch 3", 1, 1}, {"any", 1, 6}, {"batch 4", 1, 1}};
  EXPECT_EQ(yield.found_parts, expected);
}

TEST(VisitTest, OneBatchHasNothingToCompareWith) {
  ScriptedWork script({512, 256, 128});
  const VisitYield yield = script.visit({Reps{1}, 1, 4, 1, false});
  EXPECT_EQ(yield.discarded, 1);
  EXPECT_EQ(yield.batches.size(), 2U);
}

TEST(VisitTest, AHighRateIsNotSlow) {
  ScriptedWork script({100, 900, 100});
  EXPECT_EQ(script.visit({Reps{1}, 1, 4, 4, false}, with_unit(Unit::per_second)).discarded, 1);
}

TEST(VisitTest, ASignedDifferenceIsNotADuration) {
  ScriptedWork script({100, -1, -5});
  Description description = with_unit(Unit::nanoseconds);
  description.quantities[0].is_signed = true;
  EXPECT_EQ(script.visit({Reps{1}, 1, 4, 4, false}, description).discarded, 1);
}

TEST(VisitTest, FailuresOfTheTeamPassThrough) {
  FakeClock clock;
  FakeTeam team(clock,
                {[](Reps) -> std::optional<double> { throw MemberFailed(1, "gone"); }, [](Reps) { return 1.0; }});
  const Description description = with_unit(Unit::nanoseconds);
  EXPECT_THROW(execute_visit(team, {Reps{1}}, description, description.traits), MemberFailed);
}

TEST(WorkerClockTest, TheSystemClockHasAStepAndIsUsable) {
  const WorkerClock clock = measure_clock(false);
  EXPECT_EQ(clock.stopwatch.source(), Stopwatch::Source::monotonic);
  EXPECT_TRUE(clock.facts.usable);
  EXPECT_GT(clock.facts.step.count, 0);
  EXPECT_EQ(clock.stopwatch.read_cost(), clock.facts.read_cost);
}

TEST(WorkerClockTest, TheCounterIsUsedOnlyWhereItIsTrusted) {
  const CounterFacts counter = probe_counter();
  if (counter.trusted) {
    EXPECT_EQ(measure_clock(true).stopwatch.source(), Stopwatch::Source::counter);
    return;
  }
  try {
    measure_clock(true);
    FAIL() << "not refused";
  } catch (const Unsupported& refusal) {
    EXPECT_NE(std::string(refusal.what()).find("not trusted"), std::string::npos);
  }
}

}  // namespace
}  // namespace assay
