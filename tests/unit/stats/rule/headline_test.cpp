// SPDX-License-Identifier: Apache-2.0
// Which level of replication decides the headline interval, and what the interval then is.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "stats/rule/estimate.hpp"
#include "stats/rule/periods.hpp"
#include "stats/rule/stopping_rule.hpp"
#include "stats/sample/visit_interval.hpp"
#include "support/laws/fake_visits.hpp"

namespace assay {
namespace {

using Visits = std::vector<std::vector<double>>;

std::vector<double> headline_around(double centre) { return {centre - 2, centre - 1, centre, centre + 1, centre + 2}; }

/// Two visits in each of five incarnations, whose medians are given.
Sample planted(const std::vector<double>& medians, int rounds = 2) {
  Visits visits;
  for (int round = 0; round < rounds; ++round)
    for (const double median : medians) visits.push_back(headline_around(median));
  return test::sample_of(visits, static_cast<int>(medians.size()));
}

TEST(Headline, OfOneIncarnationIsTheVisitInterval) {
  const Sample sample = planted({100, 100, 100, 100, 100});
  Sample same_process;
  for (Observation observation : sample.observations()) {
    observation.incarnation = 0;
    same_process.add(observation);
  }
  const Estimate estimate = headline(same_process, 0.05, 0);
  const VisitInterval visits = visit_interval(same_process, 0.5, 0.05, 0);
  EXPECT_EQ(estimate.statistic, "median");
  EXPECT_EQ(estimate.basis, "visits");
  EXPECT_EQ(estimate.value, 100);
  EXPECT_EQ(estimate.interval.low, visits.interval.low);
  EXPECT_EQ(estimate.interval.high, visits.interval.high);
}

TEST(Headline, EqualIncarnationsDoNotDecide) {
  const Estimate estimate = headline(planted({100, 100, 100, 100, 100}), 0.05, 0);
  EXPECT_EQ(estimate.basis, "visits");
  EXPECT_GT(estimate.interval.high, estimate.interval.low);
}

TEST(Headline, SpreadBetweenIncarnationsDecides) {
  const std::vector<double> medians{90, 95, 100, 105, 200};
  const Estimate estimate = headline(planted(medians), 0.05, 0);
  const Interval between = log_t_interval(medians, 0.05);
  EXPECT_EQ(estimate.basis, "incarnations");
  EXPECT_EQ(estimate.value, 100);
  EXPECT_DOUBLE_EQ(estimate.interval.low, between.low);
  EXPECT_DOUBLE_EQ(estimate.interval.high, between.high);
  EXPECT_DOUBLE_EQ(estimate.interval.level, 0.95);
}

// A process that was hardly ever in the wanted state: what it found there may be anything.
TEST(Headline, AnIncarnationOfFewObservationsDoesNotSayHowTheyDiffer) {
  const auto with_few = [](int few) {
    Sample sample;
    for (int visit = 0; visit < 40; ++visit)
      for (int i = 0; i < 5; ++i) sample.add({100 + 0.1 * i, 0, visit % 4, visit});
    for (int i = 0; i < few; ++i) sample.add({130, 0, 4, 40});
    return headline(sample, 0.05, 0);
  };
  EXPECT_EQ(with_few(9).basis, "visits");
  EXPECT_LT(with_few(9).relative_half_width(), 0.01);
  EXPECT_EQ(with_few(10).basis, "incarnations") << "a fifth of 50";
  EXPECT_GT(with_few(10).relative_half_width(), 0.1);
}

TEST(Headline, IsTheUnionWhereTheTIntervalMissesTheMedian) {
  // Most visits belong to one slow incarnation: the median of all lies beyond what the five medians say.
  Sample sample;
  for (int visit = 0; visit < 22; ++visit) {
    const int incarnation = visit < 18 ? 0 : visit - 17;
    for (const double value : {-0.1, 0.0, 0.1})
      sample.add({(incarnation == 0 ? 102 : 98) + value, 0, incarnation, visit});
  }
  const Interval between = log_t_interval(sample.incarnation_medians(), 0.05);
  const Estimate estimate = headline(sample, 0.05, 0);
  ASSERT_LT(between.high, estimate.value);
  EXPECT_EQ(estimate.basis, "incarnations");
  EXPECT_EQ(estimate.interval.high, visit_interval(sample, 0.5, 0.05, 0).interval.high);
  EXPECT_DOUBLE_EQ(estimate.interval.low, between.low);
}

TEST(Headline, TwoIncarnationsAreTooFew) {
  EXPECT_EQ(headline(planted({50, 150}, 10), 0.05, 0).basis, "visits");
  EXPECT_EQ(headline(planted({100, 101}, 10), 0.05, 0).basis, "visits");
}

TEST(Headline, IncarnationsOfSignedValuesSpreadInTheValues) {
  const std::vector<double> medians{-40, -20, 0, 20, 40};
  const Estimate estimate = headline(planted(medians), 0.05, 0);
  EXPECT_EQ(estimate.basis, "incarnations");
  EXPECT_DOUBLE_EQ(estimate.interval.high, t_interval(medians, 0.05).high);
}

TEST(Headline, FewerThanFiveVisitsSpeakThroughTheirIncarnations) {
  const Estimate four = headline(planted({99, 100, 101, 102}, 1), 0.05, 0);
  EXPECT_EQ(four.basis, "incarnations");
  EXPECT_TRUE(four.interval.contains(four.value));
  const Estimate one_process =
      headline(test::sample_of({headline_around(99), headline_around(100), headline_around(101)}), 0.05, 0);
  EXPECT_FALSE(one_process.interval.available());
  EXPECT_EQ(one_process.basis, "");
  EXPECT_EQ(one_process.value, 100);
}

/// The machine changes every four visits, for all incarnations alike.
Sample changing(int incarnations) {
  Visits visits;
  for (int visit = 0; visit < 24; ++visit) visits.push_back(headline_around(visit / 4 % 2 == 0 ? 50 : 200));
  return test::sample_of(visits, incarnations);
}

TEST(Headline, ChangesThatIncarnationsShareAreNotLost) {
  const Sample sample = changing(3);
  ASSERT_FALSE(visit_interval(sample, 0.5, 0.05, 0).interval.available());
  ASSERT_LT(log_t_interval(sample.incarnation_medians(), 0.05).high, 150);
  const Estimate estimate = headline(sample, 0.05, 0);
  // Six groups of four visits, the logs of their medians at ln 100 -+ ln 2.
  EXPECT_EQ(estimate.basis, "visits");
  EXPECT_NEAR(estimate.interval.high, 100 * std::exp(2.5705818 * std::log(2) * std::sqrt(1.2 / 6)), 1e-4);
}

TEST(Headline, WithTooFewIncarnationsNothingStandsInForRanksBeyondTheSample) {
  const Estimate estimate = headline(changing(2), 0.05, 0);
  EXPECT_FALSE(estimate.interval.available());
  EXPECT_EQ(estimate.basis, "");
  EXPECT_EQ(estimate.value, 125);
}

/// Eight seconds at these medians, in steps of a part in a thousand, six visits each; the last has many more.
Sample changing_by_second(const std::vector<int>& medians, double second, int session = 0) {
  Sample sample;
  for (std::size_t k = 0; k < medians.size(); ++k)
    for (int i = 0, visits = k + 1 < medians.size() ? 6 : 200; i < visits; ++i)
      for (const double value : headline_around(1000 + medians[k])) {
        const int visit = static_cast<int>(k) * 6 + i;
        sample.add({value, session, visit % 3, visit, second * (static_cast<double>(k) + i / 200.0)});
      }
  return sample;
}

TEST(Headline, APeriodCountsOnceHoweverManyVisitsItHas) {
  const std::vector<int> conditions{-40, 30, -20, 40, -30, 20, -40, 50};
  const Estimate estimate = headline(changing_by_second(conditions, 1e9), 0.05, 0);
  EXPECT_EQ(estimate.basis, "periods");
  EXPECT_NEAR(estimate.value, 1050, 1) << "it is where most timings are";
  EXPECT_LT(estimate.interval.low, 975);
  const Estimate without_time = headline(changing_by_second(conditions, 0), 0.05, 0);
  EXPECT_NE(without_time.basis, "periods");
  EXPECT_GT(without_time.interval.low, 1020);
}

TEST(Headline, WhatCampaignsDifferByIsAddedInSquares) {
  const Estimate own{"median", 100, {97, 104, 0.95}, "visits"};
  Sample one;
  one.add({100, 0, 0, 0});
  const Estimate wider = with_campaigns(own, one, 0.03);
  EXPECT_DOUBLE_EQ(wider.interval.low, 100 - std::sqrt(18.0));
  EXPECT_DOUBLE_EQ(wider.interval.high, 105);
  EXPECT_EQ(wider.basis, "visits");
  EXPECT_EQ(with_campaigns(own, one, 0).interval.high, 104);
  EXPECT_FALSE(with_campaigns({"median", 100, {}, ""}, one, 0.03).interval.available());
  Sample four = one;
  for (int session = 1; session < 4; ++session) four.add({100, session, session, session});
  EXPECT_DOUBLE_EQ(with_campaigns(own, four, 0.06).interval.high, 105) << "they differ between sessions as well";
}

TEST(Headline, PeriodsOfAFewTimingsHaveNoSay) {
  Sample sample;
  // One visit of each period but the first, which has a single timing.
  sample.add({1300, 0, 0, 0, 0.0});
  for (int visit = 1; visit < 48; ++visit)
    for (const double value : headline_around(visit / 6 % 2 == 0 ? 1000 : 1010))
      sample.add({value, 0, visit % 3, visit, 6e9 + 1e9 * visit});
  const Estimate estimate = headline(sample, 0.05, 0);
  EXPECT_GT(estimate.interval.low, 990);
  EXPECT_LT(estimate.interval.high, 1020);
}

TEST(Headline, FewerThanFivePeriodsSayNothing) {
  // Seven of eight visits' seconds lie in the first two periods.
  Sample sample;
  for (int visit = 0; visit < 40; ++visit)
    for (const double value : headline_around(visit % 2 == 0 ? 1000 : 1040))
      sample.add({value, 0, visit % 3, visit, visit < 38 ? visit * 1e6 : 1e9 + visit});
  EXPECT_NE(headline(sample, 0.05, 0).basis, "periods");
}

TEST(Headline, PeriodsAreThoseOfEachSession) {
  Sample both;
  int visit = 0;
  for (const int session : {0, 1}) {
    // The second begins its time anew.
    for (int k = 0; k < 8; ++k)
      for (int i = 0; i < 6; ++i, ++visit)
        for (const double value : headline_around(session == 0 ? 1000 : 1100))
          both.add({value, session, 3 * session + visit % 3, visit, 1e9 * k + i});
  }
  const Estimate estimate = headline(both, 0.05, 0);
  EXPECT_LE(estimate.interval.low, 1025);
  EXPECT_GE(estimate.interval.high, 1075);
}

TEST(Headline, OfFiveLongObservationsAttains9375) {
  const Estimate estimate = headline(test::sample_of({{10}, {11}, {12}, {13}, {14}}), 0.05, 0);
  EXPECT_EQ(estimate.value, 12);
  EXPECT_EQ(estimate.basis, "values");
  EXPECT_DOUBLE_EQ(estimate.interval.level, 0.9375);
  const std::vector<double> values{10, 11, 12, 13, 14};
  EXPECT_EQ(estimate.interval.low, 10);
  EXPECT_DOUBLE_EQ(estimate.interval.high, log_t_interval(values, 0.05).high);
}

TEST(Headline, OfMoreLongObservationsIsAtTheLevelAskedFor) {
  const Estimate estimate = headline(test::sample_of({{10}, {11}, {12}, {13}, {14}, {90}}), 0.05, 0);
  EXPECT_EQ(estimate.basis, "values");
  EXPECT_DOUBLE_EQ(estimate.interval.level, 0.95);
  EXPECT_EQ(estimate.interval.high, 90);
  EXPECT_LT(estimate.interval.low, 10);
}

TEST(Headline, NeedsFiveLongObservations) {
  const Estimate estimate = headline(test::sample_of({{10}, {11}, {12}, {13}}), 0.05, 0);
  EXPECT_FALSE(estimate.interval.available());
  EXPECT_EQ(estimate.value, 11.5);
}

TEST(Headline, FromManyLongObservationsIsTheVisitInterval) {
  Visits visits;
  for (int i = 0; i < 64; ++i) visits.push_back({100.0 + i % 8});
  EXPECT_EQ(headline(test::sample_of(visits), 0.05, 0).basis, "visits");
}

TEST(Headline, EveryBasisIsWidenedByHalfAStep) {
  for (const Sample& sample : {planted({100, 100, 100, 100, 100}), planted({90, 95, 100, 105, 200}),
                               test::sample_of({{1}, {2}, {3}, {4}, {5}})}) {
    const Estimate plain = headline(sample, 0.05, 0);
    const Estimate stepped = headline(sample, 0.05, 0.25);
    EXPECT_EQ(stepped.basis, plain.basis);
    EXPECT_DOUBLE_EQ(stepped.interval.low, plain.interval.low - 0.25);
    EXPECT_DOUBLE_EQ(stepped.interval.high, plain.interval.high + 0.25);
  }
}

TEST(Headline, OfConstantValuesHasNoWidthAndIsDecidedByVisits) {
  const Estimate estimate = headline(test::sample_of(Visits(10, std::vector<double>(8, 0.1)), 5), 0.05, 0);
  EXPECT_EQ(estimate.basis, "visits");
  EXPECT_EQ(estimate.interval.low, 0.1);
  EXPECT_EQ(estimate.interval.high, 0.1);
}

TEST(Headline, OfNothingOrOfValuesThatAreNotFiniteIsNan) {
  Visits visits(8, headline_around(100));
  visits[2][2] = std::numeric_limits<double>::infinity();
  for (const Sample& sample : {Sample{}, test::sample_of(visits, 4)}) {
    const Estimate estimate = headline(sample, 0.05, 0);
    EXPECT_TRUE(std::isnan(estimate.value));
    EXPECT_FALSE(estimate.interval.available());
  }
}

TEST(RelativeHalfWidth, TakesTheLargerSide) {
  const Estimate estimate{"median", 100, {99, 103, 0.95}, "visits"};
  EXPECT_DOUBLE_EQ(estimate.relative_half_width(), 0.03);
  const Estimate negative{"median", -100, {-106, -99, 0.95}, "visits"};
  EXPECT_DOUBLE_EQ(negative.relative_half_width(), 0.06);
}

TEST(RelativeHalfWidth, IsInfiniteWithoutIntervalOrSize) {
  EXPECT_TRUE(std::isinf((Estimate{"median", 100, {}, ""}.relative_half_width())));
  EXPECT_TRUE(std::isinf((Estimate{"median", 0, {0, 0, 0.95}, ""}.relative_half_width())));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isinf((Estimate{"median", nan, {0, 1, 0.95}, ""}.relative_half_width())));
}

TEST(PartsVisited, ArePiecesOfTimeOfEachSession) {
  Sample sample;
  EXPECT_EQ(parts_visited(sample, 10), 0);
  int visit = 0;
  for (const double at : {0.0, 3.0, 9.9, 10.0, 45.0}) sample.add({1, 0, 0, visit++, at});
  EXPECT_EQ(parts_visited(sample, 10), 3);
  sample.add({1, 1, 1, visit++, 3});
  EXPECT_EQ(parts_visited(sample, 10), 4);
}

}  // namespace
}  // namespace assay
