// SPDX-License-Identifier: Apache-2.0
// The headline interval where processes differ, and for few long observations.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stats/rule/estimate.hpp"
#include "stats/rule/stopping_rule.hpp"
#include "stats/sample/visit_interval.hpp"
#include "support/laws/fake_visits.hpp"

namespace assay {
namespace {

/// Visits dealt over five processes, each with its own offset from 100.
Sample five_processes(double spread_between, double spread_within, int rounds, Rng& rng) {
  std::vector<double> centres;
  for (int i = 0; i < 5; ++i) centres.push_back(100 + spread_between * rng.normal());
  Sample sample;
  for (int visit = 0; visit < 5 * rounds; ++visit) {
    const int incarnation = visit % 5;
    test::add_visit(sample, test::normal(centres[static_cast<std::size_t>(incarnation)], spread_within), rng, 8,
                    incarnation);
  }
  return sample;
}

struct Tally {
  int headline = 0;
  int visits = 0;
  int recentred = 0;
  int by_incarnations = 0;
};

Tally tally_of(double spread_between, double spread_within, int rounds, int campaigns) {
  Rng rng(42);
  Tally tally;
  for (int i = 0; i < campaigns; ++i) {
    const Sample sample = five_processes(spread_between, spread_within, rounds, rng);
    const Estimate estimate = headline(sample, 0.05, 0);
    tally.headline += estimate.interval.contains(100) ? 1 : 0;
    tally.by_incarnations += estimate.basis == "incarnations" ? 1 : 0;
    tally.visits += visit_interval(sample, 0.5, 0.05, 0).interval.contains(100) ? 1 : 0;
    const Interval between = t_interval(sample.incarnation_medians(), 0.05);
    const double shift = estimate.value - (between.low + between.high) / 2;
    tally.recentred += Interval{between.low + shift, between.high + shift, 0.95}.contains(100) ? 1 : 0;
  }
  return tally;
}

TEST(HeadlineCoverage, HoldsTheTruthAcrossProcesses) {
  const Tally tally = tally_of(5, 0.2, 6, 1000);
  EXPECT_GE(tally.headline, 940);
  EXPECT_GE(tally.by_incarnations, 800);
  // The visits alone would not have kept the promise; the t interval moved to the median would have kept less of it.
  EXPECT_LT(tally.visits, 800);
  EXPECT_LT(tally.recentred, tally.headline - 10);
}

TEST(HeadlineCoverage, HoldsFromTwoRoundsOn) { EXPECT_GE(tally_of(5, 1, 2, 1000).headline, 940); }

TEST(HeadlineCoverage, HoldsWhenProcessesDoNotDiffer) { EXPECT_GE(tally_of(0, 5, 4, 500).headline, 470); }

/// A condition for each 1.3 s: 32 visits over ten seconds, and more of them behind, four times as dense as so far.
/// `second`: 0 where nothing is known of time.
Sample crowded(double conditions, double second, Rng& rng) {
  std::vector<double> centres;
  for (int i = 0; i < 14; ++i) centres.push_back(100 + conditions * rng.normal());
  Sample sample;
  for (int visit = 0; visit < 250; ++visit) {
    const double at = 10 * (visit < 32 ? visit / 32.0 : std::pow(visit / 32.0, 0.25));
    const double centre = centres.at(static_cast<std::size_t>(at / 1.3));
    for (int i = 0; i < 5; ++i) sample.add({centre + 0.5 * rng.normal(), 0, visit % 5, visit, second * at});
  }
  return sample;
}

TEST(HeadlineCoverage, HoldsWhereMostVisitsAreOfOneConditionOfTheMachine) {
  Rng rng(11);
  int held = 0;
  int without_time = 0;
  for (int i = 0; i < 500; ++i) {
    const auto holds = [&](double second) {
      Rng same = rng.substream("campaign/" + std::to_string(i));
      return headline(crowded(1, second, same), 0.05, 0).interval.contains(100) ? 1 : 0;
    };
    held += holds(1e9);
    without_time += holds(0);
  }
  EXPECT_GE(held, 460);
  EXPECT_GT(held, without_time + 20);
}

TEST(HeadlineWidth, IsLittleMoreForTimeWhereTheMachineDoesNotChange) {
  Rng rng(12);
  double with_time = 0;
  double without = 0;
  for (int i = 0; i < 100; ++i) {
    Rng one = rng.substream("even/" + std::to_string(i));
    Sample sample;
    Sample timeless;
    for (int visit = 0; visit < 48; ++visit)
      for (int k = 0; k < 5; ++k) {
        const double value = 100 + one.normal();
        sample.add({value, 0, visit % 5, visit, 1e8 * visit});
        timeless.add({value, 0, visit % 5, visit});
      }
    const auto width = [](const Estimate& estimate) { return estimate.interval.high - estimate.interval.low; };
    with_time += width(headline(sample, 0.05, 0));
    without += width(headline(timeless, 0.05, 0));
  }
  EXPECT_LT(with_time, 1.15 * without);
}

TEST(HeadlineWidth, GrowsWithTheSpreadBetweenProcesses) {
  Rng rng(3);
  double last = 0;
  for (const double spread : {0.0, 2.0, 10.0}) {
    double width = 0;
    for (int i = 0; i < 40; ++i) {
      const Estimate estimate = headline(five_processes(spread, 1, 6, rng), 0.05, 0);
      width += estimate.interval.high - estimate.interval.low;
    }
    EXPECT_GT(width, 2 * last) << spread;
    last = width;
  }
}

TEST(HeadlineCoverage, OfFiveLongObservationsIsAtLeastTheLevelStated) {
  for (const test::Law& law : {test::normal(100, 10), test::log_normal(100, 0.5), test::shifted_exponential(100, 50)}) {
    Rng rng(5);
    int covered = 0;
    for (int i = 0; i < 2000; ++i) {
      const Estimate estimate = headline(test::fake_visits(law, rng, 5, 1), 0.05, 0);
      covered += estimate.interval.contains(law.median) ? 1 : 0;
    }
    // 93.75 %, less three standard deviations of a count of 2000.
    EXPECT_GE(covered, 0.9375 * 2000 - 3 * 10.8) << law.name;
  }
}

TEST(Headline, IsCheckedAgainstItsOwnDefinitionOnRandomSamples) {
  // Whatever the sample: the value is the median of what warm-up leaves, the interval holds it, and a wider clock step
  // never narrows it.
  Rng rng(9);
  for (int i = 0; i < 300; ++i) {
    Sample sample;
    const int visits = 1 + static_cast<int>(rng.below(20));
    const int processes = 1 + static_cast<int>(rng.below(6));
    for (int visit = 0; visit < visits; ++visit)
      test::add_visit(sample, test::normal(10, 5), rng, 1 + static_cast<int>(rng.below(4)), visit % processes);
    const Estimate estimate = headline(sample, 0.05, 0);
    EXPECT_EQ(estimate.value, median(look_at(sample, {}).kept.values()));
    EXPECT_EQ(estimate.interval.available(), !estimate.basis.empty());
    if (!estimate.interval.available()) continue;
    EXPECT_TRUE(estimate.interval.contains(estimate.value));
    const Estimate coarse = headline(sample, 0.05, 1);
    EXPECT_LE(coarse.interval.low, estimate.interval.low - 0.999);
    EXPECT_GE(coarse.interval.high, estimate.interval.high + 0.999);
  }
}

}  // namespace
}  // namespace assay
