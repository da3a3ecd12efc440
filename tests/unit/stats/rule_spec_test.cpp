// SPDX-License-Identifier: Apache-2.0
// Names, defaults, texts and refusals of the stopping rules.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "stats/stopping_rule.hpp"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

RuleSpec named(const std::string& name) {
  RuleSpec spec;
  spec.name = name;
  if (name == "fixed") spec.count = 100;
  return spec;
}

std::string refusal(const RuleSpec& spec) {
  try {
    make_rule(spec);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Outcome, NamesReadBack) {
  for (int i = 0; i <= static_cast<int>(Outcome::not_applicable); ++i) {
    const auto outcome = static_cast<Outcome>(i);
    EXPECT_EQ(parse_outcome(to_text(outcome)), outcome);
  }
  EXPECT_EQ(to_text(Outcome::open), "open");
  EXPECT_EQ(to_text(Outcome::max_timings), "max-timings");
  EXPECT_EQ(to_text(Outcome::resolution), "resolution");
  EXPECT_EQ(to_text(Outcome::too_noisy), "too-noisy");
  EXPECT_EQ(to_text(Outcome::not_applicable), "not-applicable");
}

TEST(Outcome, OtherWordsAreNone) {
  EXPECT_FALSE(parse_outcome("Converged").has_value());
  EXPECT_FALSE(parse_outcome("").has_value());
}

TEST(Rules, AreFourAndAllCanBeMadeAndDescribed) {
  EXPECT_THAT(rule_names(), ElementsAre("median-ci", "stddev", "stderr", "fixed"));
  for (const std::string& name : rule_names()) {
    EXPECT_THAT(rule_help(name), testing::StartsWith(name));
    EXPECT_THAT(make_rule(named(name))->text(), testing::StartsWith(name + "("));
  }
}

TEST(Rules, HelpOfStddevSaysWhatItIsNot) { EXPECT_THAT(rule_help("stddev"), HasSubstr("homogeneity, not accuracy")); }

TEST(Rules, UnknownNamesAreRefused) {
  EXPECT_THROW(rule_help("median"), std::invalid_argument);
  EXPECT_THAT(refusal(named("sd")), HasSubstr("no stopping rule named sd"));
  EXPECT_THROW(budget_of(named("sd")), std::invalid_argument);
}

TEST(RuleText, HasTheDefaultsOfTheRule) {
  EXPECT_EQ(make_rule(named("median-ci"))->text(), "median-ci(eps=0.02,alpha=0.05,max-timings=4000,max-time=5s)");
  EXPECT_EQ(make_rule(named("stddev"))->text(), "stddev(eps=0.1,alpha=0.05,max-timings=33,max-time=5s)");
  EXPECT_EQ(make_rule(named("stderr"))->text(), "stderr(eps=0.1,alpha=0.05,max-timings=33,max-time=5s)");
  EXPECT_EQ(make_rule(named("fixed"))->text(), "fixed(count=100,alpha=0.05,max-time=5s)");
}

TEST(RuleText, HasWhatWasAskedFor) {
  RuleSpec spec;
  spec.eps = 0.005;
  spec.alpha = 0.01;
  spec.floor = 0.25;
  spec.budget.min_visits = 12;
  spec.budget.min_timings = 96;
  spec.budget.max_timings = 1000;
  spec.budget.max_time = milliseconds(250);
  EXPECT_EQ(make_rule(spec)->text(),
            "median-ci(eps=0.005,alpha=0.01,floor=0.25,min-visits=12,min-timings=96,max-timings=1000,max-time=250ms)");
}

TEST(RuleText, WritesTimesInTheirLargestUnit) {
  RuleSpec spec = named("fixed");
  const auto text_with = [&](Nanoseconds time) {
    spec.budget.max_time = time;
    return make_rule(spec)->text();
  };
  EXPECT_THAT(text_with(seconds(90)), HasSubstr("max-time=90s)"));
  EXPECT_THAT(text_with(seconds(1.5)), HasSubstr("max-time=1.5s)"));
  EXPECT_THAT(text_with(microseconds(1)), HasSubstr("max-time=1us)"));
  EXPECT_THAT(text_with(Nanoseconds{20}), HasSubstr("max-time=20ns)"));
}

TEST(Budget, DefaultsAreTheRulesOwn) {
  const Budget visits = budget_of(named("median-ci"));
  EXPECT_EQ(visits.min_visits, 8);
  EXPECT_EQ(visits.min_timings, 5U);
  EXPECT_EQ(visits.max_timings, 4000U);
  EXPECT_EQ(visits.max_time, seconds(5));
  for (const char* name : {"stddev", "stderr"}) {
    const Budget budget = budget_of(named(name));
    EXPECT_EQ(budget.min_visits, 1);
    EXPECT_EQ(budget.min_timings, 8U);
    EXPECT_EQ(budget.max_timings, 33U);
  }
}

TEST(Budget, FloorsOfOtherRulesDoNotKeepFixedFromItsCount) {
  RuleSpec spec = named("fixed");
  spec.budget.min_visits = 50;
  spec.budget.min_timings = 500;
  const Budget budget = budget_of(spec);
  EXPECT_EQ(budget.min_visits, 1);
  EXPECT_EQ(budget.min_timings, 1U);
  EXPECT_EQ(budget.max_timings, 100U);
}

TEST(RuleSpec, ImpossibleSharesAreRefusedByName) {
  for (const double bad : {0.0, -0.1, 1.5, std::nan("")}) {
    RuleSpec spec;
    spec.eps = bad;
    EXPECT_EQ(refusal(spec), "eps of rule median-ci must be above 0 and at most 1") << bad;
    spec = {};
    spec.alpha = bad;
    EXPECT_EQ(refusal(spec), "alpha of rule median-ci must be above 0 and at most 0.5") << bad;
  }
  RuleSpec spec;
  spec.floor = 0;
  EXPECT_EQ(refusal(spec), "floor of rule median-ci must be positive and finite");
}

TEST(RuleSpec, ImpossibleBoundsAreRefusedByName) {
  RuleSpec spec = named("stddev");
  spec.budget.max_timings = 7;
  EXPECT_EQ(refusal(spec), "max-timings of rule stddev must be at least min-timings, which is 8");
  spec = named("stddev");
  spec.budget.min_visits = 0;
  EXPECT_EQ(refusal(spec), "min-visits of rule stddev must be at least 1");
  spec = named("stddev");
  spec.budget.min_timings = 0;
  EXPECT_EQ(refusal(spec), "min-timings of rule stddev must be at least 1");
  spec = named("stddev");
  spec.budget.max_time = seconds(0);
  EXPECT_EQ(refusal(spec), "max-time of rule stddev must be positive and finite");
  spec = named("stddev");
  spec.max_incarnations = 0;
  EXPECT_EQ(refusal(spec), "max-incarnations of rule stddev must be at least 1");
}

TEST(RuleSpec, FixedNeedsACountWithinItsBudget) {
  RuleSpec spec = named("fixed");
  spec.count.reset();
  EXPECT_EQ(refusal(spec), "count of rule fixed must be given, and at least 1");
  spec.count = 0;
  EXPECT_EQ(refusal(spec), "count of rule fixed must be given, and at least 1");
  spec.count = 100;
  spec.budget.max_timings = 99;
  EXPECT_EQ(refusal(spec), "max-timings of rule fixed must be at least count, which is 100");
}

TEST(RuleSpec, WhatARuleDoesNotUseIsNoError) {
  RuleSpec spec = named("fixed");
  spec.eps = 0.02;
  spec.floor = 1;
  EXPECT_EQ(refusal(spec), "accepted");
  spec = named("median-ci");
  spec.count = 10;
  EXPECT_EQ(refusal(spec), "accepted");
}

TEST(Looks, OfMedianCiAreAQuarterApart) {
  const auto rule = make_rule(named("median-ci"));
  std::vector<int> looks;
  for (int visits = 8; visits <= 60; ++visits)
    if (rule->is_look(visits)) looks.push_back(visits);
  EXPECT_THAT(looks, ElementsAre(8, 10, 13, 17, 22, 28, 35, 44, 55));
}

TEST(Looks, OfMedianCiStartWithFiveLongObservations) {
  const auto rule = make_rule(named("median-ci"));
  for (const int visits : {0, 1, 4}) EXPECT_FALSE(rule->is_look(visits)) << visits;
  for (const int visits : {5, 6, 7}) EXPECT_TRUE(rule->is_look(visits)) << visits;
}

TEST(Looks, OfMedianCiFollowMinVisits) {
  RuleSpec spec;
  spec.budget.min_visits = 20;
  const auto rule = make_rule(spec);
  std::vector<int> looks;
  for (int visits = 0; visits <= 40; ++visits)
    if (rule->is_look(visits)) looks.push_back(visits);
  EXPECT_THAT(looks, ElementsAre(20, 25, 32, 40));
}

TEST(Looks, OfTheOtherRulesAreAfterEveryVisit) {
  for (const char* name : {"stddev", "stderr", "fixed"}) {
    const auto rule = make_rule(named(name));
    EXPECT_FALSE(rule->is_look(0));
    for (const int visits : {1, 2, 3, 9}) EXPECT_TRUE(rule->is_look(visits));
  }
}

}  // namespace
}  // namespace assay
