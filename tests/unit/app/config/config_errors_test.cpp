// SPDX-License-Identifier: Apache-2.0
// Everything that can be wrong with a campaign file is one problem, told where it stands, before anything is done.
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>

#include "unit/app/plan_fixture.hpp"

namespace assay::test {
namespace {

using ConfigErrors = PlanTest;

TEST_F(ConfigErrors, OfASeries) { expect_places(series_mistakes); }

TEST_F(ConfigErrors, OfNumbersAndRanges) { expect_places(number_mistakes); }

TEST_F(ConfigErrors, OfDerivedValues) { expect_places(derived_mistakes); }

TEST_F(ConfigErrors, OfPrecision) { expect_places(precision_mistakes); }

TEST_F(ConfigErrors, OfRefinedFactors) {
  expect_places(refine_mistakes);
  EXPECT_EQ(place(Mistake{"wait = 1us..1ms refine 0.1\nbytes = 1..8 refine 0.1\n", "", "demo/two"}), "")
      << "two of them make a surface";
}

TEST_F(ConfigErrors, NothingFollowsFromWhatCannotBeRead) {
  EXPECT_EQ(problems("[series.a b]\nmeasurement = demo/solo\n").size(), 1U);
  EXPECT_EQ(problems("[series.a]\nmeasurement demo/solo\n").size(), 1U);
  EXPECT_EQ(problems("[series.a]\n[series.b]\nmeasurement demo/solo\n").size(), 2U) << "the line is not that of a";
}

TEST_F(ConfigErrors, QuotedWordsOfAShellAreArguments) {
  EXPECT_EQ(place(Mistake{"command = sh -c 'ls | wc'\n", "", "demo/task"}), "");
  EXPECT_EQ(place(Mistake{"command = printf '|' \n", "", "demo/task"}), "");
}

TEST_F(ConfigErrors, OptionsOfTheirOwnAreNamedAsTheyWereGiven) {
  const Where at{"--time-limit '5'"};
  overrides_.options = {{"campaign", "time-limit", at, {"5", at}}};
  EXPECT_EQ(place("[series.one]\nmeasurement = demo/solo\n"), "--time-limit '5'");
  overrides_.set = {"campaign.time-limit=5s"};
  EXPECT_EQ(problems("[series.one]\nmeasurement = demo/solo\n").size(), 1U) << "set twice";
}

TEST_F(ConfigErrors, OfPatternsOfASeries) { expect_places(pattern_mistakes); }

TEST_F(ConfigErrors, OfSectionsAndTheCampaign) { expect_places(file_mistakes); }

TEST_F(ConfigErrors, NothingIsExpandedOrIncluded) {
  expect_places(expansion_mistakes);
  for (const char* meant : {"title = \"costs $HOME\"", "title = 5 $ a piece", "# include the large ones", "#included"})
    EXPECT_EQ(place("[campaign]\n" + std::string(meant) + "\n[series.a]\nmeasurement = demo/solo\n"), "") << meant;
}

TEST_F(ConfigErrors, AKeyThatARuleOverridesIsNotIgnoredInSilence) {
  const std::string shared = "[precision]\nrule = median-ci(eps=1%)\n[series.one]\nmeasurement = demo/pair\n";
  for (const char* harmless : {"eps = 1%\n", "max-time = 9s\n", "rule = stddev\neps = 5%\n"})
    EXPECT_EQ(place(shared + harmless), "") << harmless;
  EXPECT_EQ(place("[precision]\nrule = stddev\neps = 7%\n[series.one]\nmeasurement = demo/pair\n"), "");
  overrides_.set = {"precision.eps=5%"};
  EXPECT_EQ(place(Mistake{"rule = stddev(eps=1%)\n", ""}), "--set 'precision.eps=5%'");
  EXPECT_EQ(problems(shared).size(), 1U) << "once, although [precision] and the series both read it";
  overrides_.set = {"precision.eps=1%"};
  EXPECT_EQ(place(shared), "") << "the same value contradicts nothing";
}

TEST_F(ConfigErrors, RaisingIncarnationsRaisesTheirUnsetLimit) {
  EXPECT_EQ(series("incarnations = 20\n").precision.rule.max_incarnations, 20);
}

TEST_F(ConfigErrors, AFactorNamedLikeAnOption) {
  Description odd = solo_measurement();
  odd.name = "demo/odd";
  odd.factors.push_back(number_factor("batches", Unit::count, 8));
  catalogue_.built_in.push_back(odd);
  EXPECT_EQ(place(Mistake{"", "", "demo/odd"}), "1:1");
}

TEST_F(ConfigErrors, LargeCampaignsAreAskedForOnPurpose) {
  const Mistake levels{"bytes = 1..150000 +1\nplacement = unbound\n", "3:9"};
  const Mistake product{"bytes = 1..60000 +1\nvehicle = thread, process\nplacement = unbound\n", "1:1"};
  expect_places(std::vector{levels, product});
  overrides_.allow_large = true;
  EXPECT_EQ(place(levels), "");
  EXPECT_EQ(place(product), "");
  EXPECT_EQ(place(Mistake{"bytes = 1..20000000 +1\n", ""}), "3:9");
}

TEST_F(ConfigErrors, WholeNumbersAreKeptExactly) {
  const auto found = series("bytes = 9007199254740993\n");
  const auto bytes = std::ranges::find(found.factors, "bytes", &FactorDomain::name);
  ASSERT_NE(bytes, found.factors.end());
  EXPECT_EQ(bytes->domain.levels, std::vector<Value>{std::int64_t{9007199254740993}});
}

TEST_F(ConfigErrors, ARuleMayNestOnlySoDeep) {
  std::string rule;
  for (int i = 0; i < 10000; ++i) rule += "all(";
  const auto found = problem("rule = " + rule + "\n");
  EXPECT_TRUE(found.starts_with("test.ini:3:")) << found.substr(0, 200);
}

TEST_F(ConfigErrors, CrLfMeansTheSame) {
  const std::string text = "[precision]\neps = 5%\n[series.one]\nmeasurement = demo/pair\nbytes = 8, 16\n";
  std::string with_returns;
  for (const char letter : text) with_returns += letter == '\n' ? "\r\n" : std::string(1, letter);
  EXPECT_EQ(load(with_returns).configuration, load(text).configuration);
}

TEST_F(ConfigErrors, OfOverridesStandWhereTheyWereGiven) {
  for (const char* set : override_mistakes) {
    overrides_.set = {set};
    EXPECT_EQ(place(Mistake{"", ""}), "--set '" + std::string(set) + "'");
  }
  overrides_.set = {"precision.eps=2%", "precision.eps=3%"};
  EXPECT_EQ(place(Mistake{"", ""}), "--set 'precision.eps=3%'");
}

TEST_F(ConfigErrors, OfTheEnvironment) {
  ::setenv("ASSAY_PRECISION_EPS", "many", 1);
  EXPECT_EQ(place(Mistake{"", ""}), "ASSAY_PRECISION_EPS");
  ::unsetenv("ASSAY_PRECISION_EPS");
}

TEST_F(ConfigErrors, AFilterThatSelectsNothing) {
  overrides_.series = {"tow"};
  EXPECT_EQ(place("[series.two]\nmeasurement = demo/solo\n"), "--series");
}

TEST_F(ConfigErrors, OfFilesThatAreNone) {
  const auto pipe = (folder_ / "pipe.ini").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path :
       {std::string("/nonexistent/missing.ini"), std::string("/"), pipe, std::string("/dev/zero")}) {
    const auto found = problems_of({path});
    ASSERT_FALSE(found.empty()) << path;
    EXPECT_NE(found[0].find(std::filesystem::path(path).filename().string()), std::string::npos) << found[0];
  }
  EXPECT_FALSE(problems(std::string(2 << 20, '#')).empty()) << "larger than 1 MiB";
  EXPECT_EQ(problems("").size(), 1U) << "an empty file";
  EXPECT_EQ(problems("# nothing\n\n# more of it\n").size(), 1U) << "only comments";
}

TEST_F(ConfigErrors, TheSameKeyInTwoFiles) {
  const auto a = write("a.ini", "[precision]\neps = 5%\n[series.one]\nmeasurement = demo/solo\n");
  const auto b = write("b.ini", "\n[precision]\neps = 6%\n[series.one]\nwait = 1us\n");
  EXPECT_EQ(place(problems_of({a, b})), "b.ini:3:1 b.ini:4:1");
}

std::vector<PluginReport> unusable(const std::vector<std::string>& plugins, Nanoseconds) {
  std::vector<PluginReport> reports;
  for (const std::string& plugin : plugins)
    reports.push_back({plugin, {}, Problem{{}, plugin + " cannot be used", "it is broken", "mend it", true}});
  return reports;
}

TEST_F(ConfigErrors, OfPluginsAreTheEnvironmentsAndAllTold) {
  catalogue_.describe_plugins = unusable;
  EXPECT_EQ(place("[campaign]\nplugins = ./a.so, ./b.so\n[series.one]\nmeasurement = demo/solo\n"), "2:11 2:19");
  EXPECT_EQ(exit_code_, 3);
}

TEST_F(ConfigErrors, OfAVariantsPluginsAreTheEnvironments) {
  catalogue_.describe_plugins = unusable;
  EXPECT_EQ(place("[variant.other]\nplugins = ./a.so\n[series.one]\nmeasurement = demo/solo\n"), "1:1");
  EXPECT_EQ(exit_code_, 3);
}

TEST_F(ConfigErrors, AMeasurementMayBeThatOfAPluginThatCannotBeUsed) {
  catalogue_.describe_plugins = unusable;
  EXPECT_EQ(problems("[campaign]\nplugins = ./a.so\n[series.one]\nmeasurement = mine/own\n").size(), 1U);
  EXPECT_EQ(exit_code_, 3);
}

TEST_F(ConfigErrors, AreAllReportedInOneRunByPosition) {
  EXPECT_EQ(
      place("[campaign]\nsed = 1\n[precision]\neps = 3\n[series.one]\nmeasurement = demo/pair\nbytes = x\nchanel = a\n"
            "[series.two]\nmeasurement = demo/non\n[other]\nbad line\n"),
      "2:1 4:7 7:9 8:1 10:15 11:1 12:1");
}

}  // namespace
}  // namespace assay::test
