// SPDX-License-Identifier: Apache-2.0
// Times of members that are apart, converted to one distance by how they are found to go with it.
#include <gmock/gmock.h>

#include <cmath>
#include <optional>
#include <vector>

#include "base/rng.hpp"
#include "run/point/state_samples.hpp"
#include "stats/sample/summary.hpp"
#include "support/campaigns/fed_point.hpp"

namespace assay::test {
namespace {

constexpr CoreReading at_ease{{0.072}, {0.9}};
constexpr CoreReading not_alone{{0.13}, {0.92}};
constexpr double near = 128;

/// Both CPUs alone, and at these distances from each other.
CoreLevels known_levels(const std::vector<double>& distances) {
  CoreLevels levels(3);
  for (int i = 0; i < 60; ++i) {
    for (const int cpu : {0, 1}) levels.add(cpu, at_ease);
    for (const double distance : distances) levels.add_distance({0, 1}, {distance});
  }
  return levels;
}

Description one_way() {
  Description description;
  description.quantities = {{.name = "one-way", .unit = Unit::nanoseconds}, {.name = "polls", .unit = Unit::count}};
  return description;
}

/// A point's visits of two members that a hypervisor moves.
class Moved {
 public:
  /// `at_near`: what the action takes at the usual distance, ns.
  explicit Moved(double at_near = 80, const std::vector<double>& distances = {near})
      : levels_(known_levels(distances)), at_near_(at_near) {
    traits_.waiting = Waiting::spins;
    samples_.emplace(description_, traits_, WantedState::alone, CoreCycles::never);
  }

  /// At a distance; the action takes so long at each of its batches, one of which is shared and slower.
  void visit(double trip, double takes, const CoreReading& looked = at_ease) {
    std::vector<JudgedBatch> batches;
    for (int i = 0; i < 3; ++i) batches.push_back(batch(takes * (1 + 0.002 * rng_.normal()), at_ease));
    batches.push_back(batch(1.4 * takes, not_alone));
    const std::vector<CoreReading> apart{looked, looked};
    samples_->add({0, visits_ % 4, visits_, Nanoseconds{trip}, apart, batches}, levels_);
    ++visits_;
  }
  /// As often as said: at distances all about the usual one, and at one that is far from it.
  void visit_all_over(int times, double power, double noise = 0.01) {
    for (int i = 0; i < times; ++i) {
      const double trip = near * std::exp(0.06 * rng_.normal());
      visit(trip * (1 + 0.01 * rng_.normal()), at_near_ * std::pow(trip / near, power) * (1 + noise * rng_.normal()));
      if (i % 4 == 0) visit(490 * (1 + 0.01 * rng_.normal()), 350);
    }
  }
  const StateSamples& settled() {
    samples_->settle();
    return *samples_;
  }
  const StateSamples& unsettled() const { return *samples_; }
  StateSamples::Key unsettled_main() const { return {0, Regime::solo, samples_->wanted_state()}; }
  StateSamples::Key main() { return {0, Regime::solo, settled().wanted_state()}; }

 private:
  JudgedBatch batch(double takes, const CoreReading& reads) {
    JudgedBatch judged;
    judged.batch.reps = Reps{100};
    for (const int cpu : {0, 1}) {
      MemberReport& report = judged.batch.members.emplace_back();
      if (cpu == 0) report.claims.set(0, 100 * takes).set(1, 700);
      report.wall = Nanoseconds{100 * takes};
      report.cpu_before = report.cpu_after = cpu;
      report.core_before = report.core_after = reads;
    }
    return judged;
  }

  Description description_ = one_way();
  Traits traits_;
  CoreLevels levels_;
  std::optional<StateSamples> samples_;
  double at_near_;
  Rng rng_{3};
  int visits_ = 0;
};

TEST(DistanceLaw, IsFoundAndAllVisitsAreConvertedByIt) {
  for (const double power : {0.6, 1.0}) {
    Moved moved;
    moved.visit_all_over(60, power);
    const StateSamples& samples = moved.settled();
    const auto key = moved.main();
    EXPECT_EQ(key.state.sharing, Sharing::alone);
    EXPECT_NEAR(key.state.distance_ns, near, 6);
    EXPECT_NEAR(samples.law(key).distance_power, power, 0.12);
    const double truth = 80 * std::pow(key.state.distance_ns / near, power);
    EXPECT_NEAR(median(samples.sample(key).values()) / truth, 1, 0.006);
    EXPECT_EQ(samples.sample(key).visits(), 60);
    EXPECT_EQ(samples.sample(key).size(), 180U);
    EXPECT_GT(samples.converted(key), 0.6);
    EXPECT_LT(samples.converted(key), 1);
    // Whatever distance differed by is gone.
    EXPECT_LT(summarize(samples.sample(key).values()).stddev / truth, 0.02);
  }
}

TEST(DistanceLaw, IsOfEachQuantityThatIsATime) {
  Moved moved;
  moved.visit_all_over(60, 0.6);
  const auto key = moved.main();
  EXPECT_FALSE(moved.settled().law({1, key.regime, key.state}));
  EXPECT_EQ(median(moved.settled().sample({1, key.regime, key.state}).values()), 7);
}

TEST(DistanceLaw, IsNoneWhereTimesDoNotGoWithTheDistance) {
  Moved moved;
  moved.visit_all_over(60, 0);
  EXPECT_FALSE(moved.settled().law(moved.main()));
  EXPECT_EQ(moved.settled().converted(moved.main()), 0);
  Moved backwards;
  backwards.visit_all_over(60, -0.6);
  EXPECT_FALSE(backwards.settled().law(backwards.main())) << "what is further takes no less";
}

TEST(DistanceLaw, IsNoneOfFewVisits) {
  Moved few;
  few.visit_all_over(11, 0.6, 0.002);
  EXPECT_FALSE(few.settled().law(few.main()));
  Moved enough;
  enough.visit_all_over(12, 0.6, 0.002);
  EXPECT_TRUE(enough.settled().law(enough.main()));
}

// Times are not waiting for the members' distance by themselves where they are hundreds of it, whatever they go with.
TEST(DistanceLaw, IsNoneOfWhatTakesFarLonger) {
  Moved moved(microseconds(3).count);
  moved.visit_all_over(60, 0.6);
  EXPECT_FALSE(moved.settled().law(moved.main()));
}

TEST(DistanceLaw, IsNoneWhereItIsNotKnownWellEnough) {
  Moved moved;
  moved.visit_all_over(60, 0.6, 0.15);
  EXPECT_FALSE(moved.settled().law(moved.main())) << "less than three of its errors";
}

// Most were at the nearest of two levels, and nearly as many about the other one: the less is converted, the less
// matters by which law.
TEST(DistanceLaw, IsThatOfTheDistanceInTheMiddle) {
  Moved moved(80, {118, 128});
  const auto at = [&](double trip) { moved.visit(trip, 80 * std::pow(trip / near, 0.6)); };
  for (int i = 0; i < 6; ++i)
    for (const double trip : {118.0, 117.4, 118.6, 118.2, 118.0, 128.0, 127.6, 124.0, 132.0, 133.0, 134.0, 135.0})
      at(trip);
  EXPECT_EQ(moved.main().state.distance_ns, 128);
  EXPECT_NEAR(median(moved.settled().sample(moved.main()).values()), 80, 0.2);
  const std::size_t before = moved.settled().sample(moved.main()).size();
  at(118);
  EXPECT_EQ(moved.unsettled().wanted_state().distance_ns, 128) << "as long as nothing is sorted anew";
  EXPECT_EQ(moved.unsettled().sample(moved.unsettled_main()).size(), before + 3);
}

TEST(DistanceLaw, TakesNoVisitThatWasNotReadAlone) {
  Moved moved;
  moved.visit_all_over(40, 0.6);
  const std::size_t before = moved.settled().sample(moved.main()).size();
  for (int i = 0; i < 10; ++i) moved.visit(1.1 * near, 80, not_alone);
  EXPECT_EQ(moved.settled().sample(moved.main()).size(), before);
  EXPECT_TRUE(moved.settled().law(moved.main()));
}

TEST(DistanceLaw, OfASampleThatGrowsIsThatOfTheWholeOne) {
  Moved at_once;
  at_once.visit_all_over(60, 0.6);
  const auto all = at_once.settled().sample(at_once.main()).values();
  Moved by_and_by;
  for (int i = 0; i < 60; ++i) {
    by_and_by.visit_all_over(1, 0.6);
    if (i % 7 == 0) static_cast<void>(by_and_by.settled());
  }
  EXPECT_EQ(by_and_by.settled().sample(by_and_by.main()).size(), 180U);
  EXPECT_NEAR(median(by_and_by.settled().sample(by_and_by.main()).values()) / median(all), 1, 0.01);
}

// Visits are a tenth further than any level of their CPUs, and nearly all at one place: how they go with the distance
// is known badly.
TEST(DistanceLaw, WhatIsNotKnownOfItIsPartOfTheInterval) {
  SeriesPlan plan = fake_team("pair", 2, Waiting::spins);
  plan.measurement.traits.simulated = true;
  Fed fed(std::move(plan));
  const CoreLevels levels = known_levels({105, 112});
  fed.point.judge_by(levels);
  for (int visit = 0; visit < 60; ++visit) {
    const double trip = visit >= 4 ? 124 * (1 + 0.01 * fed.rng.normal()) : visit < 2 ? 105 : 112;
    const double takes = 80 * std::pow(trip / 112, 0.6) * (1 + 0.004 * fed.rng.normal());
    std::vector<Batch> batches(8, fed.batch(takes));
    for (Batch& batch : batches)
      for (std::size_t rank = 0; rank < 2; ++rank) {
        MemberReport& report = batch.members[rank];
        report.cpu_before = report.cpu_after = static_cast<int>(rank);
        report.core_before = report.core_after = at_ease;
      }
    fed.point.add({0, Nanoseconds{trip}, std::move(batches), {at_ease, at_ease}},
                  {0, fed.point.next_incarnation(), visit, milliseconds(100) * visit, milliseconds(1)});
  }
  const PointRecord record = fed.point.finish(fed.point.stopped(Outcome::max_time, "enough"));
  const Result& result = record.results.at(0);
  EXPECT_EQ(result.state.distance_ns, 112);
  EXPECT_NEAR(result.headline.value, 80, 1);
  EXPECT_GT(result.law.unknown, 0.002);
  EXPECT_GT(result.headline.relative_half_width(), result.law.unknown);
  EXPECT_LT(result.headline.relative_half_width(), 1.6 * result.law.unknown);
}

}  // namespace
}  // namespace assay::test
