// SPDX-License-Identifier: Apache-2.0
// Texts of rules: what they mean, where they are wrong, and that what is written reads back.
#include "stats/rule/rule_text.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.hpp"

namespace assay {
namespace {

std::string full(std::string_view text, const RuleSpec& shared = {}) {
  return make_rule(parse_rule(text, shared))->text();
}

struct Complaint {
  std::size_t offset = 0;
  std::string what;
  std::string word;
};

Complaint complaint(std::string_view text, const RuleSpec& shared = {}) {
  try {
    parse_rule(text, shared);
  } catch (const RuleTextError& error) {
    return {error.offset(), error.what(), error.word()};
  }
  return {999, "accepted", {}};
}

TEST(ParseRule, ReadsNamesArgumentsAndParameters) {
  EXPECT_EQ(parse_rule("median-ci", {}).name, "median-ci");
  EXPECT_FALSE(parse_rule("quantile-ci", {}).argument.has_value());
  EXPECT_EQ(parse_rule("quantile-ci:0.25", {}).argument, 0.25);
  EXPECT_EQ(parse_rule("quantile-ci:25%", {}).argument, 0.25);
  EXPECT_EQ(parse_rule("fixed:4k", {}).argument, 4000);
  EXPECT_EQ(parse_rule("time:2 min", {}).argument, 120e9);
  const RuleSpec spec = parse_rule(
      " stddev ( eps = 5%, alpha=0.1 ,floor=5ns,min-visits=2,min-timings=9,max-timings=4k,max-time=1.5s ) ", {});
  EXPECT_EQ(spec.name, "stddev");
  EXPECT_EQ(spec.eps, 0.05);
  EXPECT_EQ(spec.alpha, 0.1);
  EXPECT_EQ(spec.floor, 5);
  EXPECT_EQ(spec.budget.min_visits, 2);
  EXPECT_EQ(spec.budget.min_timings, 9U);
  EXPECT_EQ(spec.budget.max_timings, 4000U);
  EXPECT_EQ(spec.budget.max_time, seconds(1.5));
  EXPECT_EQ(parse_rule("median-ci()", {}).name, "median-ci");
}

TEST(ParseRule, TakesFromWhatIsSharedWhatTheTextLeavesOpen) {
  RuleSpec shared;
  shared.name = "fixed";
  shared.argument = 9;
  shared.eps = 0.05;
  shared.floor = 2;
  shared.max_incarnations = 7;
  const RuleSpec spec = parse_rule("quantile-ci(floor=3)", shared);
  EXPECT_EQ(spec.eps, 0.05);
  EXPECT_EQ(spec.floor, 3);
  EXPECT_EQ(spec.max_incarnations, 7);
  EXPECT_FALSE(spec.argument.has_value());
}

TEST(ParseRule, PartsTakeFromTheirCombinationAllButItsLimits) {
  RuleSpec shared;
  shared.eps = 0.05;
  shared.budget.max_timings = 900;
  const RuleSpec spec = parse_rule("all(any(median-ci(eps=2%), stddev), time:1s, alpha=0.1, max-time=9s)", shared);
  ASSERT_EQ(spec.parts.size(), 2U);
  ASSERT_EQ(spec.parts[0].parts.size(), 2U);
  EXPECT_EQ(spec.parts[0].parts[0].eps, 0.02);
  EXPECT_EQ(spec.parts[0].parts[1].eps, 0.05);
  EXPECT_EQ(spec.parts[0].parts[1].alpha, 0.1);
  EXPECT_EQ(spec.parts[1].name, "time");
  EXPECT_EQ(spec.budget.max_timings, 900U);
  EXPECT_EQ(spec.budget.max_time, seconds(9));
  EXPECT_FALSE(spec.parts[0].budget.max_timings.has_value());
  EXPECT_FALSE(spec.parts[0].budget.max_time.has_value());
}

TEST(ParseRule, SaysWhereATextIsWrongAndWhat) {
  struct Case {
    const char* text;
    std::size_t offset;
    const char* what;
  };
  const Case cases[] = {
      {"", 0, "a rule is missing"},
      {" medain-ci", 1, "unknown rule \"medain-ci\""},
      {"all(median-ci, sd)", 15, "unknown rule \"sd\""},
      {"all(median-ci,, stddev)", 14, "a rule is missing"},
      {"all(median-ci", 3, "a parenthesis is not closed"},
      {"median-ci)", 9, "unexpected \")\""},
      {"median-ci, stddev", 9, "unexpected \",\""},
      {"all(stddev) x", 12, "unexpected \"x\""},
      {"median-ci(eps=two)", 14, "\"two\" is not a number or percentage"},
      {"median-ci(eps=200%)", 14, "eps of rule median-ci must be above 0 and at most 1"},
      {"median-ci(esp=2%)", 10, "rule median-ci has no parameter \"esp\""},
      {"median-ci(=2%)", 10, "rule median-ci has no parameter \"\""},
      {"fixed:100(eps=2%)", 10, "rule fixed has no parameter \"eps\""},
      {"fixed", 0, "count of rule fixed must be given as in fixed:100, and from 1 to 10^9"},
      {"fixed:", 6, "\"\" is not a whole number of at least 0"},
      {"fixed:0", 6, "count of rule fixed must be given as in fixed:100, and from 1 to 10^9"},
      {"fixed:5G", 6, "\"5G\" is out of range"},
      {"time:2", 5, "\"2\" is not a duration"},
      {"quantile-ci:1", 12, "p of rule quantile-ci must be above 0 and below 1"},
      {"quantile-ci:x", 12, "\"x\" is not a number or percentage"},
      {"median-ci:0.5", 10, "rule median-ci has no argument"},
      {"stddev(median-ci)", 7, "rule stddev has no parts: \"median-ci\""},
      {"any", 0, "parts of rule any must be given, as in any(median-ci, fixed:100)"},
      {"any()", 0, "parts of rule any must be given, as in any(median-ci, fixed:100)"},
      {"any(stddev(max-time=2s))", 11, "max-time belongs to the whole rule, not to a part"},
      {"any(all(stddev,max-timings=9))", 15, "max-timings belongs to the whole rule, not to a part"},
      {"median-ci(max-timings=4)", 22, "max-timings of rule median-ci must be at least min-timings, which is 5"},
  };
  for (const Case& one : cases) {
    const Complaint found = complaint(one.text);
    EXPECT_EQ(found.what, one.what) << one.text;
    EXPECT_EQ(found.offset, one.offset) << one.text;
  }
}

TEST(ParseRule, NamesTheWordsThatAreKnown) {
  EXPECT_EQ(complaint("all(stdev)").word, "stdev");
  try {
    parse_rule("stable-min(esp=2)", {});
    FAIL();
  } catch (const RuleTextError& error) {
    EXPECT_THAT(error.known(), testing::ElementsAre("min-visits", "min-timings", "max-timings", "max-time"));
  }
}

TEST(ParseRule, RefusesEndlessNesting) {
  std::string text = "median-ci";
  for (int i = 0; i < 8; ++i) text = "all(" + text + ")";
  EXPECT_EQ(complaint(text).what, "accepted");
  EXPECT_EQ(complaint("all(" + text + ")").what, "rules are nested too deeply");
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "all(";
  EXPECT_EQ(complaint(deep).what, "a parenthesis is not closed");
}

TEST(ParseRule, LeavesToTheCallerWhatIsSharedAndImpossible) {
  RuleSpec shared;
  shared.eps = 3;
  EXPECT_EQ(complaint("median-ci", shared).what, "accepted");
  EXPECT_THROW(make_rule(parse_rule("median-ci", shared)), std::invalid_argument);
}

TEST(RuleText, OfEveryRuleReadsBackWhateverIsShared) {
  RuleSpec other;
  other.eps = 0.3;
  other.alpha = 0.2;
  other.budget.max_time = seconds(77);
  for (const char* text :
       {"median-ci", "median-ci(eps=0.7%,floor=0.3ns,min-visits=12,min-timings=96,max-time=90s)", "quantile-ci",
        "quantile-ci:1%", "quantile-ci:0.333333", "median-cs(alpha=1%)", "trimmed-ci", "mean-ci", "stddev(eps=5%)",
        "stderr", "fixed:1", "fixed:1G", "time:1.5s", "time:1ns", "stable-min(min-timings=30)",
        "all(median-ci(eps=2%), time:1s)", "any(all(stddev, fixed:9), quantile-ci:0.9, max-timings=777)"}) {
    const std::string written = full(text);
    EXPECT_EQ(full(written), written) << text;
    if (written.find("floor") == written.npos) {
      EXPECT_EQ(full(written, other), written) << text;
    }
  }
}

TEST(RuleText, LeavesOutWhatTheSectionHolds) {
  RuleSpec shared;
  shared.eps = 0.05;
  shared.budget.max_time = seconds(3);
  for (const char* text : {"median-ci", "quantile-ci:0.25", "fixed:100", "time:2s",
                           "all(median-ci(eps=0.02,alpha=0.05),fixed:100(alpha=0.05))"}) {
    const RuleSpec spec = parse_rule(text, shared);
    EXPECT_EQ(rule_text(spec), text);
    EXPECT_EQ(full_rule_text(parse_rule(rule_text(spec), shared)), full_rule_text(spec)) << text;
  }
}

TEST(RuleText, WritesEveryDurationExactly) {
  Rng rng(3);
  for (int i = 0; i < 20000; ++i) {
    RuleSpec spec;
    spec.name = "time";
    spec.argument = std::exp(30 * rng.uniform() - 3);
    const std::string text = rule_heading(spec);
    ASSERT_EQ(parse_rule(text, {}).argument, spec.argument) << text;
  }
}

}  // namespace
}  // namespace assay
