// SPDX-License-Identifier: Apache-2.0
// Names, defaults, texts and refusals of the stopping rules.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "stats/rule/stopping_rule.hpp"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

RuleSpec named(const std::string& name) {
  RuleSpec spec;
  spec.name = name;
  if (name == "fixed") spec.argument = 100;
  if (name == "time") spec.argument = 2e9;
  if (name == "all" || name == "any") spec.parts = {named("median-ci"), named("fixed")};
  return spec;
}

/// The parameter that is refused: what the message begins with; "accepted" where none is.
std::string refused(const RuleSpec& spec) {
  try {
    make_rule(spec);
  } catch (const std::invalid_argument& error) {
    const std::string_view text = error.what();
    return std::string(text.substr(0, text.find(' ')));
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
  EXPECT_EQ(to_text(Outcome::as_found), "as-found");
  EXPECT_EQ(to_text(Outcome::not_applicable), "not-applicable");
}

TEST(Outcome, SomeAreARegularEnd) {
  for (const char* name : {"converged", "max-timings", "max-time", "no-promise"})
    EXPECT_TRUE(ran_its_course(*parse_outcome(name))) << name;
  for (const char* name : {"open", "bimodal", "drift", "resolution", "failed", "aborted"})
    EXPECT_FALSE(ran_its_course(*parse_outcome(name))) << name;
}

TEST(Outcome, OtherWordsAreNone) {
  EXPECT_FALSE(parse_outcome("Converged").has_value());
  EXPECT_FALSE(parse_outcome("").has_value());
}

TEST(Rules, CanAllBeMadeAndDescribed) {
  EXPECT_THAT(rule_names(), ElementsAre("median-ci", "quantile-ci", "median-cs", "trimmed-ci", "mean-ci", "stddev",
                                        "stderr", "fixed", "time", "stable-min", "all", "any"));
  for (const std::string& name : rule_names()) {
    EXPECT_THAT(make_rule(named(name))->text(), testing::StartsWith(name)) << name;
    const RuleHelp help = rule_help(name);
    for (const std::string& text : {help.stops, help.reports, help.standard, help.expect})
      EXPECT_THAT(text, testing::EndsWith(".")) << name;
    EXPECT_FALSE(help.summary.empty()) << name;
  }
}

TEST(Rules, UnknownNamesAreRefused) {
  EXPECT_THROW(rule_help("median"), std::invalid_argument);
  EXPECT_THROW(make_rule(named("sd")), std::invalid_argument);
  EXPECT_THROW(budget_of(named("sd")), std::invalid_argument);
}

TEST(RuleText, HasTheDefaultsOfTheRule) {
  const auto text = [](const char* name) { return make_rule(named(name))->text(); };
  EXPECT_EQ(text("median-ci"), "median-ci(eps=0.02,alpha=0.05,max-timings=4000,max-time=5s)");
  EXPECT_EQ(text("quantile-ci"), "quantile-ci:0.1(eps=0.02,alpha=0.05,max-timings=4000,max-time=5s)");
  EXPECT_EQ(text("mean-ci"), "mean-ci(eps=0.02,alpha=0.05,max-timings=100000,max-time=1800s)");
  EXPECT_EQ(text("stddev"), "stddev(eps=0.1,alpha=0.05,max-timings=33,max-time=5s)");
  EXPECT_EQ(text("stderr"), "stderr(eps=0.1,alpha=0.05,max-timings=33,max-time=5s)");
  EXPECT_EQ(text("fixed"), "fixed:100(alpha=0.05,max-time=5s)");
  EXPECT_EQ(text("time"), "time:2s(alpha=0.05,max-timings=1000000)");
  EXPECT_EQ(text("stable-min"), "stable-min(max-timings=4000,max-time=5s)");
  EXPECT_EQ(text("all"), "all(median-ci(eps=0.02,alpha=0.05),fixed:100(alpha=0.05),max-timings=4000,max-time=5s)");
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
    EXPECT_EQ(refused(spec), "eps") << bad;
    spec = {};
    spec.alpha = bad;
    EXPECT_EQ(refused(spec), "alpha") << bad;
  }
  RuleSpec spec;
  spec.floor = 0;
  EXPECT_EQ(refused(spec), "floor");
}

TEST(RuleSpec, ImpossibleBoundsAreRefusedByName) {
  RuleSpec spec = named("stddev");
  spec.budget.max_timings = 7;
  EXPECT_EQ(refused(spec), "max-timings");
  spec = named("stddev");
  spec.budget.min_visits = 0;
  EXPECT_EQ(refused(spec), "min-visits");
  spec = named("stddev");
  spec.budget.min_timings = 0;
  EXPECT_EQ(refused(spec), "min-timings");
  spec = named("stddev");
  spec.budget.max_time = seconds(0);
  EXPECT_EQ(refused(spec), "max-time");
  spec = named("stddev");
  spec.max_incarnations = 0;
  EXPECT_EQ(refused(spec), "max-incarnations");
}

TEST(RuleSpec, FixedNeedsACountWithinItsBudget) {
  RuleSpec spec = named("fixed");
  for (const auto& bad : {std::optional<double>(), std::optional(0.0), std::optional(2.5), std::optional(2e9)}) {
    spec.argument = bad;
    EXPECT_EQ(refused(spec), "count");
  }
  spec.argument = 100;
  spec.budget.max_timings = 99;
  EXPECT_EQ(refused(spec), "max-timings");
}

TEST(RuleSpec, TimeNeedsADurationWithinItsBudget) {
  RuleSpec spec = named("time");
  for (const auto& bad : {std::optional<double>(), std::optional(0.0), std::optional(std::nan(""))}) {
    spec.argument = bad;
    EXPECT_EQ(refused(spec), "time");
  }
  spec.argument = 2e9;
  spec.budget.max_time = seconds(1);
  EXPECT_EQ(refused(spec), "max-time");
}

TEST(RuleSpec, AQuantileLiesBetweenZeroAndOne) {
  RuleSpec spec = named("quantile-ci");
  for (const double bad : {0.0, 1.0, -0.1, std::nan("")}) {
    spec.argument = bad;
    EXPECT_EQ(refused(spec), "p") << bad;
  }
}

TEST(RuleSpec, WhatHasNoMeaningForARuleIsRefused) {
  RuleSpec spec = named("median-ci");
  spec.argument = 0.5;
  EXPECT_EQ(refused(spec), "argument");
  spec = named("median-ci");
  spec.parts = {named("fixed")};
  EXPECT_EQ(refused(spec), "parts");
  spec = named("any");
  spec.parts.clear();
  EXPECT_EQ(refused(spec), "parts");
}

TEST(RuleSpec, WhatTheSectionSharesIsNoErrorWhereItIsNotUsed) {
  RuleSpec spec = named("fixed");
  spec.eps = 0.02;
  spec.floor = 1;
  EXPECT_EQ(refused(spec), "accepted");
  EXPECT_EQ(make_rule(spec)->text(), "fixed:100(alpha=0.05,max-time=5s)");
}

TEST(RuleSpec, AFloorRaisesALimitThatNobodyAskedFor) {
  RuleSpec spec = named("stddev");
  spec.budget.min_timings = 50;
  EXPECT_EQ(budget_of(spec).max_timings, 50U);
}

TEST(RuleSpec, AnAccuracyThatIsNotGivenIsTheRulesOwnDefault) {
  EXPECT_EQ(accuracy_of(named("median-ci")).eps, standard_accuracy);
  EXPECT_EQ(accuracy_of(named("stddev")).eps, 0.1);
  EXPECT_EQ(accuracy_of(named("stderr")).eps, 0.1);
  EXPECT_EQ(accuracy_of(named("fixed")).eps, standard_accuracy);  // none of its own
}

TEST(RuleSpec, TheAccuracyOfACombinationIsTheLeastOfItsParts) {
  RuleSpec spec = named("any");
  spec.parts = {named("stddev"), named("fixed")};
  EXPECT_EQ(accuracy_of(spec).eps, 0.1);
  spec.parts.push_back(named("median-ci"));
  spec.parts[2].eps = 0.03;
  EXPECT_EQ(accuracy_of(spec).eps, 0.03);
  spec.eps = 0.01;
  EXPECT_EQ(accuracy_of(spec).eps, 0.01);
}

TEST(RuleSpec, LoosenedNoPartAsksForMore) {
  RuleSpec spec = named("all");
  spec.parts = {named("median-ci"), named("stddev"), named("fixed")};
  spec.parts[1].eps = 0.2;
  const RuleSpec loose = loosened(spec, 0.1);
  EXPECT_EQ(loose.parts[0].eps, 0.1);
  EXPECT_EQ(loose.parts[1].eps, 0.2);
  EXPECT_FALSE(loose.parts[2].eps.has_value());
}

TEST(RuleSpec, OnlySomeRulesAreAboutAccuracy) {
  for (const char* name : {"median-ci", "mean-ci", "stderr", "all"}) EXPECT_TRUE(has_accuracy(named(name))) << name;
  for (const char* name : {"fixed", "time", "stable-min"}) EXPECT_FALSE(has_accuracy(named(name))) << name;
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

TEST(Looks, OfTheRulesOnIntervalsAreAQuarterApart) {
  for (const char* name : {"quantile-ci", "trimmed-ci", "mean-ci"}) {
    std::vector<int> looks;
    for (int visits = 0; visits <= 30; ++visits)
      if (make_rule(named(name))->is_look(visits)) looks.push_back(visits);
    EXPECT_THAT(looks, ElementsAre(8, 10, 13, 17, 22, 28)) << name;
  }
}

TEST(Looks, OfTheOtherRulesAreAfterEveryVisit) {
  for (const char* name : {"stddev", "stderr", "fixed", "stable-min"}) {
    const auto rule = make_rule(named(name));
    EXPECT_FALSE(rule->is_look(0));
    for (const int visits : {1, 2, 3, 9, 999}) EXPECT_TRUE(rule->is_look(visits));
  }
}

TEST(Looks, ThatCostMuchAreFewerAmongManyVisits) {
  const auto rule = make_rule(named("time"));
  EXPECT_FALSE(rule->is_look(0));
  for (const int visits : {1, 2, 33, 63, 64, 66, 128, 132}) EXPECT_TRUE(rule->is_look(visits)) << visits;
  for (const int visits : {65, 129, 130}) EXPECT_FALSE(rule->is_look(visits)) << visits;
  EXPECT_FALSE(make_rule(named("median-cs"))->is_look(7));
  EXPECT_TRUE(make_rule(named("median-cs"))->is_look(9));
}

TEST(Looks, OfACombinationAreThoseOfItsParts) {
  RuleSpec spec = named("all");
  spec.parts = {named("median-ci")};
  EXPECT_FALSE(make_rule(spec)->is_look(9));
  spec.parts.push_back(named("fixed"));
  EXPECT_TRUE(make_rule(spec)->is_look(9));
}

}  // namespace
}  // namespace assay
