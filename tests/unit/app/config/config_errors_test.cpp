// SPDX-License-Identifier: Apache-2.0
// Everything that can be wrong with a campaign file: each with its position, its reason and its remedy.
#include <cstdlib>

#include "unit/app/plan_fixture.hpp"

namespace assay::test {
namespace {

using ConfigErrors = PlanTest;

struct ErrorCase {
  const char* lines;
  const char* problem;
};

TEST_F(ConfigErrors, OfASeries) {
  const ErrorCase cases[] = {
      {"chanel = flag\n", "3:1: error: unknown key 'chanel' in [series.one]; did you mean 'channel'?"},
      {"colour = red\n",
       "3:1: error: unknown key 'colour' in [series.one]; 'assay describe demo/pair' lists the factors"},
      {"channel = flag, pip\n",
       "3:17: error: unknown level 'pip' of factor 'channel'; measurement 'demo/pair' does not "
       "have it; did you mean 'pipe'?"},
      {"bytes = 8, 0x10\n",
       "3:12: error: bytes: not a number: \"0x10\"; write digits, with '.' as the decimal point, and one of the "
       "suffixes Ki Mi Gi, k M G, ns us ms s"},
      {"bytes = 1..64 *1\n", "3:15: error: bytes: the factor of a geometric range is above 1; write *2, for example"},
      {"bytes = 1, 5ms\n",
       "3:12: error: wrong unit in '5ms'; factor 'bytes' is not a time; the suffixes are Ki Mi Gi "
       "and k M G"},
      {"channel = flag refine 0.1\n", "3:16: error: channel: words cannot be refined; leave out refine"},
      {"vehicle = mpi\n",
       "3:11: error: unknown level 'mpi' of factor 'vehicle'; measurement 'demo/pair' does not have "
       "it; it is one of thread, process"},
      {"members = 3\n", "3:11: error: impossible number of members: 3; measurement 'demo/pair' has 2; choose another"},
      {"members = 2, 1\n",
       "3:14: error: impossible number of members: 1; measurement 'demo/pair' has 2; choose another"},
      {"members = 2, 4 refine 0.1\n",
       "3:14: error: impossible number of members: 4; measurement 'demo/pair' has 2; choose another"},
      {"bytes = 8..64 *1.0001, 70..9G +1\n", "3:24: error: bytes: more than 100000 levels; take a larger step"},
  };
  for (const ErrorCase& one : cases) {
    const auto found = problem(one.lines);
    EXPECT_EQ(found, std::string("test.ini:") + one.problem);
    EXPECT_EQ(exit_code_, 2) << one.lines << found;
  }
}

TEST_F(ConfigErrors, InADomainStandAtTheirColumn) {
  EXPECT_TRUE(problem("bytes = 8, 16,  0x10\n").starts_with("test.ini:3:17: error: bytes: "));
  EXPECT_TRUE(problem("bytes   =   8..\n").starts_with("test.ini:3:16: error: bytes: "));
  EXPECT_TRUE(problem("bytes = 1..64 refine 2\n").starts_with("test.ini:3:22: error: bytes: "));
}

TEST_F(ConfigErrors, OfDerivedValues) {
  const ErrorCase cases[] = {
      {"derive.x = quotient channel flag pipe\n",
       "3:12: error: unknown formula 'quotient channel flag pipe'; write 'difference FACTOR A B', 'ratio FACTOR A B', "
       "'slope FACTOR' or 'plateaus FACTOR', then 'of QUANTITY' for another than the first"},
      {"derive.x = slope\n",
       "3:12: error: a slope has another form; write 'difference FACTOR A B', 'ratio FACTOR A B', "
       "'slope FACTOR' or 'plateaus FACTOR', then 'of QUANTITY' for another than the first"},
      {"derive.x = slope bytes of tim\n",
       "3:27: error: unknown quantity 'tim'; measurement 'demo/pair' does not yield it; did you mean 'time'?"},
      {"derive.x = slope byte\n", "3:18: error: the series has no factor 'byte'; did you mean 'bytes'?"},
      {"derive.x = slope channel\n",
       "3:18: error: a slope over words; factor 'channel' is categorical; take a difference or a ratio"},
      {"derive.x = slope bytes\n",
       "3:18: error: a slope needs three levels or more; factor 'bytes' has 1; give the factor more levels"},
      {"derive.x = plateaus bytes\n",
       "3:21: error: plateaus need three levels or more; factor 'bytes' has 1; give the factor more levels"},
      {"derive.x = ratio channel flag pip\n",
       "3:31: error: factor 'channel' has no level 'pip' in this series; it can be flag"},
      {"derive.x = ratio channel flag flag\n", "3:31: error: the two levels are the same; name two different ones"},
  };
  for (const ErrorCase& one : cases) EXPECT_EQ(problem(one.lines), std::string("test.ini:") + one.problem);
}

TEST_F(ConfigErrors, OfPrecision) {
  const ErrorCase cases[] = {
      {"eps = 2\n",
       "3:7: error: eps: '2' is out of range; it must be above 0 and at most 1; write for instance 0.02 or 2%"},
      {"eps = 0\n",
       "3:7: error: eps: '0' is out of range; it must be above 0 and at most 1; write for instance 0.02 or 2%"},
      {"alpha = 60%\n",
       "3:9: error: alpha: '60%' is out of range; it must be above 0 and at most 0.5; write for instance 0.02 or 2%"},
      {"eps = two\n",
       "3:7: error: eps: 'two' is not a number or percentage; write 0.02 or 2%, with '.' as the decimal "
       "point"},
      {"rule = medain-ci\n", "3:8: error: rule: unknown rule \"medain-ci\"; did you mean 'median-ci'?"},
      {"rule = all(median-ci, stderror)\n", "3:23: error: rule: unknown rule \"stderror\"; did you mean 'stderr'?"},
      {"rule = stddev(esp=2%)\n", "3:15: error: rule: rule stddev has no parameter \"esp\"; did you mean 'eps'?"},
      {"rule = quantile-ci:90\n", "3:20: error: rule: p of rule quantile-ci must be above 0 and below 1"},
      {"rule = any(fixed:9, time:soon)\n",
       "3:26: error: rule: \"soon\" is not a duration; write a number with its unit, ns us ms s min or h, as in 5ms"},
      {"max-time = 5\n",
       "3:12: error: max-time: '5' is not a duration; write a number with its unit, ns us ms s min or "
       "h, as in 5ms"},
      {"max-time = 0\n", "3:12: error: max-time: it must be above 0"},
      {"batches = 0\n", "3:11: error: batches: '0' is out of range; it lies between 1 and 10^9"},
      {"batches = 5000000000\n", "3:11: error: batches: '5000000000' is out of range; it lies between 1 and 10^9"},
      {"floor = 0\n", "3:9: error: floor: it must be above 0; remove the line for no floor"},
      {"incarnations = 9\nmax-incarnations = 4\n",
       "4:20: error: incarnations is above max-incarnations; 9 and 4; raise one or lower the other"},
      {"max-timings = 60\n",
       "3:15: error: max-timings is less than the least visits take; 64 timings (min-visits times "
       "batches) and 60; raise max-timings, or lower min-visits or batches"},
      {"min-timings = 1\n",
       "3:15: error: min-timings = 1 with rule median-ci; the rule needs a spread, and one timing "
       "has none; write 2 or more, or a rule that counts, as fixed:100"},
      {"noisy = 1.5\n",
       "3:9: error: noisy: '1.5' is out of range; it must be above 0 and at most 1; write for "
       "instance 0.02 or 2%"},
  };
  for (const ErrorCase& one : cases) EXPECT_EQ(problem(one.lines), std::string("test.ini:") + one.problem);
}

TEST_F(ConfigErrors, OfARuleStandAtTheKeyTheyAreAbout) {
  EXPECT_TRUE(problem("rule = fixed\n").starts_with("test.ini:3:8: error: rule: count of rule fixed"));
  EXPECT_TRUE(problem("rule = fixed:9\nmax-timings = 5\n").starts_with("test.ini:4:15: error: max-timings of "));
  EXPECT_TRUE(problem("max-timings = 90\nmin-timings = 100\n").starts_with("test.ini:3:15: error: max-timings of "));
  EXPECT_TRUE(problem("alpha = 0.7\n").starts_with("test.ini:3:9: error: alpha: "));
}

TEST_F(ConfigErrors, AKeyThatTheSharedRuleOverridesIsNotIgnoredInSilence) {
  const std::string shared = "[precision]\nrule = median-ci(eps=1%)\n[series.one]\nmeasurement = demo/pair\n";
  EXPECT_EQ(problems(shared + "eps = 5%\n"),
            std::vector<std::string>{"test.ini:5:7: error: eps has no effect here; the rule of [precision] brings its "
                                     "own; write it into a rule of this section"});
  for (const char* harmless : {"eps = 1%\n", "max-time = 9s\n", "rule = stddev\neps = 5%\n"})
    EXPECT_TRUE(problems(shared + harmless).empty()) << harmless;
}

TEST_F(ConfigErrors, RaisingIncarnationsRaisesTheirUnsetLimit) {
  EXPECT_EQ(series("incarnations = 20\n").precision.rule.max_incarnations, 20);
}

TEST_F(ConfigErrors, OfTheCampaign) {
  const ErrorCase cases[] = {
      {"seed = -1", "2:8: error: seed: '-1' is not a whole number from 0 to 2^64-1; write digits only"},
      {"clock = fast", "2:9: error: unknown clock 'fast'; it is one of monotonic, counter"},
      {"max-workers = 0", "2:15: error: max-workers: '0' is out of range; it lies between 1 and 10^9"},
      {"time-limit = 5",
       "2:14: error: time-limit: '5' is not a duration; write a number with its unit, ns us ms s min "
       "or h, as in 5ms"},
      {"durability = sometimes",
       "2:14: error: unknown durability 'sometimes'; write point, none, or how often to sync, as in 'interval 5s'"},
      {"schedule = interleavd", "2:12: error: unknown schedule 'interleavd'; did you mean 'interleaved'?"},
      {"max-failed = 120%",
       "2:14: error: max-failed: '120%' is out of range; it lies from 0 to 1; write for instance 0.02 or 2%"},
      {"sed = 1", "2:1: error: unknown key 'sed' in [campaign]; did you mean 'seed'?"},
  };
  for (const ErrorCase& one : cases) {
    const auto all = problems("[campaign]\n" + std::string(one.lines) + "\n[series.one]\nmeasurement = demo/solo\n");
    ASSERT_EQ(all.size(), 1U) << one.lines;
    EXPECT_EQ(all[0], std::string("test.ini:") + one.problem);
  }
}

TEST_F(ConfigErrors, OfSections) {
  EXPECT_EQ(problems("[seris.one]\n[series.two]\nmeasurement = demo/solo\n"),
            std::vector<std::string>{"test.ini:1:1: error: unknown section [seris.one]; did you mean [series.NAME]?"});
  EXPECT_EQ(
      problems("[series.a.b]\n[series.two]\nmeasurement = demo/solo\n"),
      std::vector<std::string>{"test.ini:1:1: error: unknown section [series.a.b]; the name of a series is made of "
                               "letters, digits, '-' and '_'"});
  EXPECT_EQ(problems("[output]\n[series.two]\nmeasurement = demo/solo\n"),
            std::vector<std::string>{"test.ini:1:1: error: unknown section [output]; sections are [campaign], "
                                     "[precision], [series.NAME] and [variant.NAME]"});
}

TEST_F(ConfigErrors, OfMeasurements) {
  EXPECT_EQ(problem("", "demo/piar"),
            "test.ini:2:15: error: unknown measurement 'demo/piar'; did you mean 'demo/pair'?");
  EXPECT_EQ(problem("", "nonsense"),
            "test.ini:2:15: error: unknown measurement 'nonsense'; 'assay list' shows the names");
  EXPECT_EQ(problems("[series.one]\n"),
            std::vector<std::string>{"test.ini:1:1: error: series 'one' has no measurement; write measurement = NAME; "
                                     "'assay list' shows the names"});
}

TEST_F(ConfigErrors, NothingToMeasureIsOne) {
  EXPECT_EQ(problems("[campaign]\ntitle = x\n"),
            std::vector<std::string>{"test.ini: error: nothing to measure; there is no section [series.NAME]; add one "
                                     "with a measurement; 'assay list' names them"});
}

TEST_F(ConfigErrors, OfRefinedFactors) {
  Description two = solo_measurement();
  two.name = "demo/two";
  two.factors.push_back(number_factor("bytes", Unit::bytes, 8));
  catalogue_.built_in.push_back(two);
  EXPECT_EQ(problem("wait = 1us..1ms refine 0.1\nbytes = 1..8 refine 0.1 of time\n", "demo/two"),
            "test.ini:4:9: error: factors of one series are refined for different quantities; 'wait' and 'bytes' share "
            "their points; name the same one");
  EXPECT_EQ(
      problems("[series.one]\nmeasurement = demo/two\nwait = 1us..1ms refine 0.1\nbytes = 1..8 refine 0.1\n").size(),
      0U)
      << "two of them make a surface";
  EXPECT_TRUE(
      problem("bytes = 1..64 refine 5% multipleof 0.5\n").starts_with("test.ini:3:36: error: bytes: levels are"));
}

TEST_F(ConfigErrors, OfTheQuantityToRefine) {
  EXPECT_EQ(problem("bytes = 1..64 refine 5% of tme\n"),
            "test.ini:3:28: error: unknown quantity 'tme' to refine; measurement 'demo/pair' does not yield it; did "
            "you mean 'time'?");
  EXPECT_TRUE(problem("bytes = 1..64 refine 5% of \n").starts_with("test.ini:3:25: error: bytes: "));
  EXPECT_TRUE(problem("bytes = 1..64 refine 5% of time, 9\n").starts_with("test.ini:3:32: error: bytes: "));
}

TEST_F(ConfigErrors, AFactorNamedLikeAnOption) {
  Description odd = solo_measurement();
  odd.name = "demo/odd";
  odd.factors.push_back(number_factor("batches", Unit::count, 8));
  catalogue_.built_in.push_back(odd);
  EXPECT_EQ(problem("", "demo/odd"),
            "test.ini:1:1: error: measurement 'demo/odd' has a factor 'batches'; this is the "
            "name of an option; the measurement has to rename it");
}

TEST_F(ConfigErrors, TooManyPoints) {
  EXPECT_EQ(problem("bytes = 1..5000 +1\nchannel = flag, futex, pipe\nvehicle = thread, process\n"
                    "placement = representative\n"),
            "test.ini:1:1: error: too many points: 150000; 3 channel x 5000 bytes x 2 vehicle x 5 placement; the most "
            "is 100000; ask for fewer levels, or add --allow-large");
}

TEST_F(ConfigErrors, ARefinedLineCountsWithItsMost) {
  EXPECT_EQ(problem("bytes = 1..5000 refine 0.1\nmax-points = 100001\nplacement = unbound\n"),
            "test.ini:1:1: error: too many points: 100001; 100001 bytes; the most is 100000; ask for fewer levels, or "
            "add --allow-large");
}

TEST_F(ConfigErrors, OfOverrides) {
  const ErrorCase cases[] = {
      {"eps=2%",
       "--set 'eps=2%': error: no series sets 'eps'; without a section it is meant for those that do; write "
       "section.key=value, for instance precision.eps=5%"},
      {"precision.eps",
       "--set 'precision.eps': error: not of the form section.key=value; write for instance "
       "precision.eps=5%"},
      {"precision.eps=",
       "--set 'precision.eps=': error: not of the form section.key=value; write for instance "
       "precision.eps=5%"},
      {"precision.esp=2%", "--set 'precision.esp=2%': error: unknown key 'esp' in [precision]; did you mean 'eps'?"},
      {"precison.eps=2%", "--set 'precison.eps=2%': error: unknown section 'precison'; did you mean [precision]?"},
      {"series.on.bytes=8", "--set 'series.on.bytes=8': error: no series is named 'on'; did you mean 'one'?"},
      {"series.one.bytes=x",
       "--set 'series.one.bytes=x': error: bytes: not a number: \"x\"; write digits, with '.' as the decimal point, "
       "and one of the suffixes Ki Mi Gi, k M G, ns us ms s"},
  };
  for (const ErrorCase& one : cases) {
    overrides_.set = {one.lines};
    const auto found = problem("");
    if (one.problem != nullptr) {
      EXPECT_EQ(found, one.problem);
    }
    EXPECT_TRUE(found.starts_with("--set '" + std::string(one.lines) + "': error: ")) << found;
  }
  overrides_.set = {"precision.eps=2%", "precision.eps=3%"};
  EXPECT_EQ(problem(""),
            "--set 'precision.eps=3%': error: this key is set twice; also by --set 'precision.eps=2%'; give "
            "it once");
}

TEST_F(ConfigErrors, OfTheEnvironment) {
  ::setenv("ASSAY_PRECISION_EPS", "many", 1);
  const auto found = problem("");
  ::unsetenv("ASSAY_PRECISION_EPS");
  EXPECT_TRUE(found.starts_with("ASSAY_PRECISION_EPS: error: eps: 'many'")) << found;
}

TEST_F(ConfigErrors, AFilterThatSelectsNothing) {
  overrides_.series = {"tow"};
  EXPECT_EQ(problems("[series.two]\nmeasurement = demo/solo\n"),
            std::vector<std::string>{"--series: error: no series is named 'tow'; did you mean 'two'?"});
}

TEST_F(ConfigErrors, OfFiles) {
  const auto missing = problems_of({(folder_ / "missing.ini").string()});
  ASSERT_GE(missing.size(), 1U);
  EXPECT_NE(missing[0].find("cannot read"), std::string::npos);
  EXPECT_NE(problems_of({folder_.string()}).at(0).find("cannot read"), std::string::npos) << "a folder";
  EXPECT_NE(problems(std::string(2 << 20, '#')).at(0).find("cannot read"), std::string::npos) << "larger than 1 MiB";
}

TEST_F(ConfigErrors, TheSameKeyInTwoFiles) {
  const auto a = write("a.ini", "[precision]\neps = 5%\n[series.one]\nmeasurement = demo/solo\n");
  const auto b = write("b.ini", "\n[precision]\neps = 6%\n[series.one]\nwait = 1us\n");
  const auto found = problems_of({a, b});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_TRUE(found[0].starts_with("b.ini:3:1: error: key 'eps' is set twice in [precision]; first on line 2 of "));
  EXPECT_TRUE(found[1].starts_with("b.ini:4:1: error: section [series.one] appears twice; first on line 3 of "));
}

std::vector<PluginReport> unusable(const std::vector<std::string>& plugins, Nanoseconds) {
  std::vector<PluginReport> reports;
  for (const std::string& plugin : plugins)
    reports.push_back({plugin, {}, Problem{{}, plugin + " cannot be used", "it is broken", "mend it", true}});
  return reports;
}

TEST_F(ConfigErrors, OfPluginsAreTheEnvironmentsAndAllTold) {
  catalogue_.describe_plugins = unusable;
  EXPECT_EQ(problems("[campaign]\nplugins = ./a.so, ./b.so\n[series.one]\nmeasurement = demo/solo\n"),
            (std::vector<std::string>{"test.ini:2:11: error: ./a.so cannot be used; it is broken; mend it",
                                      "test.ini:2:19: error: ./b.so cannot be used; it is broken; mend it"}));
  EXPECT_EQ(exit_code_, 3);
}

TEST_F(ConfigErrors, OfAVariantsPluginsAreTheEnvironments) {
  catalogue_.describe_plugins = unusable;
  EXPECT_EQ(problems("[variant.other]\nplugins = ./a.so\n[series.one]\nmeasurement = demo/solo\n"),
            std::vector<std::string>{"test.ini:1:1: error: ./a.so cannot be used; it is broken; mend it"});
  EXPECT_EQ(exit_code_, 3);
}

TEST_F(ConfigErrors, AMeasurementMayBeThatOfAPluginThatCannotBeUsed) {
  catalogue_.describe_plugins = unusable;
  EXPECT_EQ(problems("[campaign]\nplugins = ./a.so\n[series.one]\nmeasurement = mine/own\n").size(), 1U);
  EXPECT_EQ(exit_code_, 3);
}

TEST_F(ConfigErrors, AreAllReportedInOneRunByPosition) {
  const auto found = problems(
      "[campaign]\nsed = 1\n[precision]\neps = 3\n[series.one]\nmeasurement = demo/pair\nbytes = x\nchanel = a\n"
      "[series.two]\nmeasurement = demo/non\n[other]\nbad line\n");
  ASSERT_EQ(found.size(), 7U);
  const char* places[] = {":2:1:", ":4:7:", ":7:9:", ":8:1:", ":10:15:", ":11:1:", ":12:1:"};
  for (std::size_t i = 0; i < 7; ++i)
    EXPECT_TRUE(found[i].starts_with(std::string("test.ini") + places[i])) << found[i];
}

}  // namespace
}  // namespace assay::test
