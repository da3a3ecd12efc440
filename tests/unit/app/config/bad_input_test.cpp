// SPDX-License-Identifier: Apache-2.0
// The catalogue of bad campaign files: what each is told, and that it is told before anything is done.
#include <sys/stat.h>

#include <algorithm>

#include "unit/app/plan_fixture.hpp"

namespace assay::test {
namespace {

using BadInput = PlanTest;

struct Case {
  const char* lines;
  const char* problem;
};

TEST_F(BadInput, NumbersThatAreNone) {
  const std::string usual =
      "; write digits, with '.' as the decimal point, and one of the suffixes Ki Mi Gi, k M G, ns us ms s";
  for (const char* text : {"0x10", "1_000", "+5", "nan", "inf", "-inf", ".5", "5.", "08", "1e", "--1"})
    EXPECT_EQ(problem("bytes = " + std::string(text) + "\n"),
              "test.ini:3:9: error: bytes: not a number: \"" + std::string(text) + "\"" + usual);
  const Case cases[] = {
      {"bytes = 1e999\n", "3:9: error: bytes: out of range: \"1e999\"; whole numbers reach from -2^63 to 2^63-1"},
      {"bytes = 9223372036854775808\n",
       "3:9: error: bytes: out of range: \"9223372036854775808\"; whole numbers reach from -2^63 to 2^63-1"},
      {"bytes = 9007199254740993.5\n",
       "3:9: error: bytes: too many digits: \"9007199254740993.5\"; write fewer digits"},
      {"bytes = 8,\n", "3:11: error: bytes: a number is missing; write one, as in 16 or 4Ki"},
      {"bytes = 5 m\n",
       "3:11: error: bytes: unexpected \"m\"; separate levels by commas; a unit stands right behind its number, and is "
       "one of Ki Mi Gi, k M G, ns us ms s"},
      {"bytes = 5m\n",
       "3:9: error: bytes: not a number: \"5m\"; minutes and milli are not distinguished; write ms, M, or seconds as "
       "in "
       "300s"},
      {"bytes = 5Kib\n", nullptr},
      {"max-time = 5m\n",
       "3:12: error: max-time: '5m' is not a duration; write a number with its unit, ns us ms s min or h, as in 5ms"},
      {"eps = 1,5\n",
       "3:7: error: eps: '1,5' is not a number or percentage; write 0.02 or 2%, with '.' as the decimal point"},
      {"min-timings = -1\n",
       "3:15: error: min-timings: '-1' is not a whole number of at least 0; write digits, as in 4000 or 4k"},
      {"min-visits = 2.5\n",
       "3:14: error: min-visits: '2.5' is not a whole number of at least 0; write digits, as in 4000 or 4k"},
  };
  for (const Case& one : cases) {
    const auto found = problem(one.lines);
    if (one.problem != nullptr) {
      EXPECT_EQ(found, std::string("test.ini:") + one.problem);
    }
    EXPECT_EQ(exit_code_, 2) << one.lines << found;
  }
}

TEST_F(BadInput, WholeNumbersAreKeptExactly) {
  const auto found = series("bytes = 9007199254740993\n");
  const auto bytes = std::ranges::find(found.factors, "bytes", &FactorDomain::name);
  ASSERT_NE(bytes, found.factors.end());
  EXPECT_EQ(bytes->domain.levels, std::vector<Value>{std::int64_t{9007199254740993}});
}

TEST_F(BadInput, RangesThatLeadNowhere) {
  const Case cases[] = {
      {"bytes = 1..8 +0\n", "3:14: error: bytes: the step of a range is above 0; write +1, for example"},
      {"bytes = 1..8 +-1\n", "3:14: error: bytes: the step of a range is above 0; write +1, for example"},
      {"bytes = 8..1 +1\n", "3:9: error: bytes: the range starts above its end; swap the ends"},
      {"bytes = 1..8 *0.5\n", "3:14: error: bytes: the factor of a geometric range is above 1; write *2, for example"},
      {"bytes = 0..8 *2\n",
       "3:9: error: bytes: a geometric range starts above 0; start at 1, or list 0 beside the range"},
      {"bytes = 0..1 +1e-30\n", "3:14: error: bytes: the step is too small to distinguish levels; take a larger one"},
      {"bytes = 1..8\n",
       "3:9: error: bytes: a range without a step; add +STEP or *FACTOR; alone, it can be followed by refine R"},
      {"bytes = 0..9223372036854775807 +1\n", "3:9: error: bytes: more than 100000 levels; take a larger step"},
  };
  for (const Case& one : cases) EXPECT_EQ(problem(one.lines), std::string("test.ini:") + one.problem);
}

TEST_F(BadInput, ALevelGivenTwiceNamesBothPlaces) {
  EXPECT_EQ(problem("bytes = 64, 1..64 *2\n"),
            "test.ini:3:13: error: bytes: level 64 is given twice; first at column 9 of line 3; remove one");
  EXPECT_EQ(problem("channel = flag, futex, flag\n"),
            "test.ini:3:24: error: channel: level flag is given twice; first at column 11 of line 3; remove one");
  EXPECT_EQ(problem("placement = unbound, unbound\n"),
            "test.ini:3:22: error: placement: level unbound is given twice; first at column 13 of line 3; remove one");
}

TEST_F(BadInput, LargeCampaignsAreAskedForOnPurpose) {
  const std::string large = "bytes = 1..150000 +1\nplacement = unbound\n";
  EXPECT_EQ(problem(large), "test.ini:3:9: error: bytes: more than 100000 levels; take a larger step");
  const std::string product = "bytes = 1..60000 +1\nvehicle = thread, process\nplacement = unbound\n";
  EXPECT_EQ(problem(product),
            "test.ini:1:1: error: too many points: 120000; 60000 bytes x 2 vehicle; the most is 100000; ask for fewer "
            "levels, or add --allow-large");
  overrides_.allow_large = true;
  EXPECT_EQ(problem(large), "0 problems");
  EXPECT_EQ(problem(product), "0 problems");
  EXPECT_EQ(problem("bytes = 1..20000000 +1\n"),
            "test.ini:3:9: error: bytes: more than 10000000 levels; take a larger step");
}

TEST_F(BadInput, NothingIsExpanded) {
  for (const char* value : {"$HOME", "${HOME}/x", "$(id)", "`id`", "~/results"}) {
    const auto all = problems("[campaign]\noutput = " + std::string(value) + "\n[series.a]\nmeasurement = demo/solo\n");
    ASSERT_EQ(all.size(), 1U) << value;
    EXPECT_EQ(all[0], "test.ini:2:10: error: output: nothing is expanded in values: '" + std::string(value) +
                          "'; neither environment variables nor commands nor '~'; write the value itself, in double "
                          "quotes where it is meant as it stands");
  }
  EXPECT_TRUE(problems("[campaign]\ntitle = \"costs $HOME\"\n[series.a]\nmeasurement = demo/solo\n").empty());
  EXPECT_TRUE(problems("[campaign]\ntitle = 5 $ a piece\n[series.a]\nmeasurement = demo/solo\n").empty());
}

TEST_F(BadInput, NothingIsIncluded) {
  for (const char* line : {"include = other.ini", "include other.ini", "!include other.ini", "@include \"x.ini\"",
                           "#include \"other.ini\"", "#include <other.ini>"}) {
    const auto all = problems("[series.a]\nmeasurement = demo/solo\n" + std::string(line) + "\n");
    ASSERT_EQ(all.size(), 1U) << line;
    EXPECT_EQ(all[0], "test.ini:3:1: error: a campaign file cannot include another: '" + std::string(line) +
                          "'; name several files on the command line; they are read as one");
  }
  EXPECT_TRUE(problems("# include the large ones\n#included\n[series.a]\nmeasurement = demo/solo\n").empty());
}

TEST_F(BadInput, AKeyThatTheRuleOverridesIsToldWhereverItIsGiven) {
  EXPECT_EQ(problem("rule = stddev(eps=1%)\neps = 5%\n"),
            "test.ini:4:7: error: eps has no effect here; the rule of [series.one] brings its own, 0.01; take it out "
            "of the rule's parentheses, or override the rule");
  overrides_.set = {"precision.eps=5%"};
  const auto series_rule = problem("rule = stddev(eps=1%)\n");
  EXPECT_TRUE(series_rule.starts_with("--set 'precision.eps=5%': error: eps has no effect here; the rule of "))
      << series_rule;
  const std::string shared = "[precision]\nrule = stddev(eps=1%)\n[series.one]\nmeasurement = demo/pair\n";
  EXPECT_EQ(problems(shared).size(), 1U) << "once, although [precision] and the series both read it";
  EXPECT_TRUE(problems("[precision]\nrule = stddev\neps = 7%\n[series.one]\nmeasurement = demo/pair\n").empty())
      << "an eps beside the rule is overridden as any other";
  overrides_.set = {"precision.eps=1%"};
  EXPECT_TRUE(problems(shared).empty()) << "the same value contradicts nothing";
}

TEST_F(BadInput, ALimitOfTimeBelowOnePoint) {
  EXPECT_EQ(problems("[campaign]\ntime-limit = 1ms\n[series.one]\nmeasurement = demo/solo\n"),
            std::vector<std::string>{"test.ini:2:14: error: time-limit is smaller than one point; 1ms, and warm-up = "
                                     "5ms of series 'one'; raise time-limit, or lower warm-up"});
}

TEST_F(BadInput, FilesThatAreNone) {
  const auto pipe = (folder_ / "pipe.ini").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const auto found = problems_of({pipe});
  ASSERT_FALSE(found.empty());
  EXPECT_NE(found[0].find("it is not a regular file but a pipe, socket or device"), std::string::npos) << found[0];
  EXPECT_NE(problems_of({"/dev/zero"}).at(0).find("not a regular file"), std::string::npos);
  EXPECT_EQ(problems("").size(), 1U) << "an empty file";
  EXPECT_EQ(problems("# nothing\n\n# more of it\n").size(), 1U) << "only comments";
}

TEST_F(BadInput, ARuleMayNestOnlySoDeep) {
  std::string rule;
  for (int i = 0; i < 10000; ++i) rule += "all(";
  const auto found = problem("rule = " + rule + "\n");
  EXPECT_NE(found.find("error: rule: "), std::string::npos) << found.substr(0, 200);
}

TEST_F(BadInput, CrLfMeansTheSame) {
  const std::string text = "[precision]\neps = 5%\n[series.one]\nmeasurement = demo/pair\nbytes = 8, 16\n";
  std::string with_returns;
  for (const char letter : text) with_returns += letter == '\n' ? "\r\n" : std::string(1, letter);
  EXPECT_EQ(load(with_returns).configuration, load(text).configuration);
}

}  // namespace
}  // namespace assay::test
