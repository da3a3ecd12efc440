// SPDX-License-Identifier: Apache-2.0
// The interval for another day on machines whose moods outlast campaigns: how often it holds what the next one finds.
#include "stats/rule/sessions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/laws/laws.hpp"

namespace assay {
namespace {

constexpr int worlds_drawn = 4000;
constexpr double mood = 0.03;  // standard deviation of the logarithms of medians, from day to day
constexpr double two_sided = 1.959963984540054;
const std::vector<double> correlations{0, 0.3, 0.6, 0.9};

// How moods are spread on one day: what a normal variable is made into.
using Shape = double (*)(double);
double normal_mood(double z) { return z; }
// The machine is in one of two states, the worse one for three days in ten.
double two_states(double z) { return z > 0.5244005127080407 ? 2 : 0; }
// Mostly good, sometimes much worse.
double exponential_mood(double z) { return -std::log(std::erfc(z / std::sqrt(2.0)) / 2); }

struct World {
  Shape shape = normal_mood;
  double correlation = 0;  // of moods of neighbouring campaigns
  double error = 0;        // of a campaign's own median, in units of the mood
};

// Campaigns in a row, each with the interval of its own values.
std::vector<SessionEstimate> days_in(const World& world, std::size_t count, Rng& rng) {
  const test::Law moods = test::autoregressive(0, 1, world.correlation);
  std::vector<SessionEstimate> made;
  for (std::size_t i = 0; i < count; ++i) {
    const double error = world.error * mood;
    const double value = 100 * std::exp(mood * world.shape(moods(rng)) + error * rng.normal());
    const double half = std::exp(two_sided * error);
    made.push_back({static_cast<int>(i), value, {value / half, value * half, 0.95}, 100});
  }
  return made;
}

// Per cent of trials in which the interval held the median of the next campaign, and what all campaigns tend to.
struct Coverage {
  double next = 0;
  double middle = 0;
};

Coverage percent(int next, int middle) { return {100.0 * next / worlds_drawn, 100.0 * middle / worlds_drawn}; }

// Of one campaign after `earlier` others.
Coverage of_campaign(const World& world, std::size_t earlier) {
  Rng rng(20261123);
  const double middle_value = 100 * std::exp(mood * world.shape(0));
  int next = 0;
  int middle = 0;
  for (int trial = 0; trial < worlds_drawn; ++trial) {
    const auto all = days_in(world, earlier + 2, rng);
    const std::vector<double> values = values_of(std::span(all).first(earlier));
    const SessionEstimate& now = all[earlier];
    const Interval interval = another_day(now.value, now.interval, values, 0.05).interval;
    EXPECT_LE(interval.low, now.interval.low);
    EXPECT_GE(interval.high, now.interval.high);
    next += interval.contains(all[earlier + 1].value) ? 1 : 0;
    middle += interval.contains(middle_value) ? 1 : 0;
  }
  return percent(next, middle);
}

// Of a campaign of so many sessions, as its results have it.
Coverage of_sessions(const World& world, std::size_t sessions) {
  Rng rng(20261124);
  const double middle_value = 100 * std::exp(mood * world.shape(0));
  int next = 0;
  int middle = 0;
  for (int trial = 0; trial < worlds_drawn; ++trial) {
    const auto all = days_in(world, sessions + 1, rng);
    const auto own = std::span(all).first(sessions);
    const Estimate headline = over_sessions(own, 0.05);
    const Interval interval = another_day(headline.value, headline.interval, values_of(own), 0.05).interval;
    next += interval.contains(all[sessions].value) ? 1 : 0;
    middle += interval.contains(middle_value) ? 1 : 0;
  }
  return percent(next, middle);
}

std::string row_of(const Coverage& found) {
  return std::to_string(found.next).substr(0, 4) + " and " + std::to_string(found.middle).substr(0, 4);
}

// The binomial standard error of a coverage of 93 % is 0.4 %.
constexpr double least_holding = 93;

TEST(AnotherDayOverManyCampaigns, HoldsTheMedianOfTheNextOne) {
  for (const double error : {0.0, 0.5, 1.0})
    for (const std::size_t earlier : {4U, 6U, 12U, 20U})
      for (const double correlation : correlations) {
        const Coverage found = of_campaign({normal_mood, correlation, error}, earlier);
        const std::string name = "error " + std::to_string(error) + ", earlier " + std::to_string(earlier) +
                                 ", correlation " + std::to_string(correlation);
        EXPECT_GE(found.next, least_holding) << name;
        RecordProperty(name, row_of(found));
      }
}

TEST(AnotherDayOverManyCampaigns, HoldsWhatAllTendToWhereMoodsChange) {
  for (const std::size_t earlier : {4U, 6U, 12U})
    for (const double correlation : {0.0, 0.3, 0.6})
      EXPECT_GE(of_campaign({normal_mood, correlation, 0}, earlier).middle, least_holding)
          << earlier << ' ' << correlation;
  // What a mood that outlasts all campaigns hides, they cannot tell: the documents say so, with this figure.
  EXPECT_NEAR(of_campaign({normal_mood, 0.9, 0}, 6).middle, 83, 2);
}

TEST(AnotherDayOverManyCampaigns, HoldsForSessionsOfOneCampaign) {
  for (const double error : {0.0, 1.0})
    for (const std::size_t sessions : {4U, 6U, 12U})
      for (const double correlation : correlations) {
        const Coverage found = of_sessions({normal_mood, correlation, error}, sessions);
        const std::string name = "error " + std::to_string(error) + ", sessions " + std::to_string(sessions) +
                                 ", correlation " + std::to_string(correlation);
        EXPECT_GE(found.next, least_holding) << name;
        RecordProperty(name, row_of(found));
      }
}

// Laws with few values or a long tail: no promise, but what the documents say of them is so.
TEST(AnotherDayOverManyCampaigns, IsNearItWhereMoodsAreNotNormal) {
  for (const Shape shape : {two_states, exponential_mood})
    for (const std::size_t earlier : {6U, 12U})
      for (const double correlation : correlations) {
        const Coverage found = of_campaign({shape, correlation, 0}, earlier);
        const std::string name = std::string(shape == two_states ? "two states" : "exponential") + ", earlier " +
                                 std::to_string(earlier) + ", correlation " + std::to_string(correlation);
        EXPECT_GE(found.next, 88) << name;
        RecordProperty(name, row_of(found));
      }
}

// What the formula is held against: Student's interval of a further value about the mean of all that are known.
TEST(AnotherDayOverManyCampaigns, AMeanOfMoodsThatLastIsNoCentre) {
  constexpr std::size_t known = 13;
  Rng rng(7);
  int held = 0;
  for (int trial = 0; trial < worlds_drawn; ++trial) {
    const auto all = days_in({normal_mood, 0.9, 0}, known + 1, rng);
    std::vector<double> logs;
    for (const double value : values_of(std::span(all).first(known))) logs.push_back(std::log(value));
    const Summary found = moments_of(logs);
    const double reach = student_quantile(0.975, known - 1) * found.stddev * std::sqrt(1 + 1.0 / known);
    held += std::abs(std::log(all[known].value) - found.mean) <= reach ? 1 : 0;
  }
  EXPECT_NEAR(100.0 * held / worlds_drawn, 89, 2);
}

}  // namespace
}  // namespace assay
