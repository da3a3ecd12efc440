// SPDX-License-Identifier: Apache-2.0
// From campaign texts to plans: what is taken, from where, and in which order it wins.
#include "app/config/config.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/rng.hpp"
#include "unit/app/plan_fixture.hpp"

namespace assay::test {
namespace {

using ConfigTest = PlanTest;

std::vector<std::string> factor_names(const SeriesPlan& series) {
  std::vector<std::string> names;
  for (const FactorDomain& factor : series.factors) names.push_back(factor.name);
  return names;
}

const Domain& domain(const SeriesPlan& series, const std::string& name) {
  for (const FactorDomain& factor : series.factors)
    if (factor.name == name) return factor.domain;
  throw std::out_of_range(name);
}

TEST_F(ConfigTest, ReadsACampaign) {
  const auto plan = load(
      "[campaign]\ntitle = \"a # b\"\nseed = 18446744073709551615\noutput = out\ntime-limit = 10 min\nclock = counter\n"
      "max-workers = 12\n[series.one]\nmeasurement = demo/solo\n");
  EXPECT_EQ(plan.title, "a # b");
  EXPECT_EQ(plan.seed, 18446744073709551615ULL);
  EXPECT_EQ(plan.output, "out");
  EXPECT_EQ(plan.time_limit->count, 600e9);
  EXPECT_TRUE(plan.counter_clock);
  EXPECT_EQ(plan.max_workers, 12);
  ASSERT_EQ(plan.series.size(), 1U);
  EXPECT_EQ(plan.series[0].name, "one");
  EXPECT_EQ(plan.series[0].measurement.name, "demo/solo");
}

TEST_F(ConfigTest, WorksOutWhatACampaignDoesNotSay) {
  const auto plan = load_files({write("some name.ini", "[series.one]\nmeasurement = demo/solo\n")});
  EXPECT_EQ(plan.title, "some name");
  EXPECT_EQ(plan.seed, stable_hash("some name"));
  EXPECT_FALSE(plan.time_limit);
  EXPECT_FALSE(plan.counter_clock);
  EXPECT_EQ(plan.max_workers, 256);
  EXPECT_TRUE(plan.output.starts_with("assay-some-name-2"));
  EXPECT_EQ(plan.output.size(), std::string("assay-some-name-20260131-120000").size());
}

TEST_F(ConfigTest, SpareTimeIsUsedWhereItIsAskedFor) {
  const auto plan = load(
      "[precision]\nspare-time = yes\n[series.one]\nmeasurement = demo/solo\n"
      "[series.two]\nmeasurement = demo/solo\nspare-time = no\n");
  ASSERT_EQ(plan.series.size(), 2U);
  EXPECT_TRUE(plan.series[0].precision.spare_time);
  EXPECT_FALSE(plan.series[1].precision.spare_time);
  EXPECT_NE(plan.configuration.find("spare-time = yes\n"), std::string::npos);
}

TEST_F(ConfigTest, CompletesASeries) {
  const auto plan = series("");
  EXPECT_EQ(factor_names(plan), (std::vector<std::string>{"channel", "bytes", "vehicle", "members", "placement"}));
  EXPECT_EQ(domain(plan, "channel").levels, std::vector<Value>{"flag"});
  EXPECT_EQ(domain(plan, "bytes").levels, std::vector<Value>{std::int64_t{8}});
  EXPECT_EQ(domain(plan, "vehicle").levels, std::vector<Value>{"thread"});
  EXPECT_EQ(domain(plan, "members").levels, std::vector<Value>{std::int64_t{2}});
  EXPECT_EQ(plan.precision.rule.name, "median-ci");
}

TEST_F(ConfigTest, TakesDomainsInTheOrderWritten) {
  const auto plan = series("bytes = 8..64 *2\nchannel = pipe, flag\nvehicle = process, thread\n");
  EXPECT_EQ(domain(plan, "bytes").levels.size(), 4U);
  EXPECT_EQ(domain(plan, "channel").levels, (std::vector<Value>{"pipe", "flag"}));
  EXPECT_EQ(domain(plan, "vehicle").levels, (std::vector<Value>{"process", "thread"}));
}

TEST_F(ConfigTest, AllStandsForEveryWordOfAFactor) {
  EXPECT_EQ(domain(series("channel = all\n"), "channel").levels, (std::vector<Value>{"flag", "futex", "pipe"}));
}

TEST_F(ConfigTest, ThePolicyIsAFactorOfThoseWhoNameIt) {
  EXPECT_EQ(domain(series("policy = fifo, inherited\n"), "policy").levels, (std::vector<Value>{"fifo", "inherited"}));
  const auto factors = series("").factors;
  EXPECT_TRUE(std::ranges::none_of(factors, [](const FactorDomain& factor) { return factor.name == "policy"; }));
}

TEST_F(ConfigTest, RefinesOneFactor) {
  const auto plan = series("bytes = 8..64Ki refine 0.05\nmax-points = 20\n");
  EXPECT_EQ(domain(plan, "bytes").refine, 0.05);
  EXPECT_TRUE(domain(plan, "bytes").open_range);
  EXPECT_EQ(plan.precision.max_points, 20U);
}

TEST_F(ConfigTest, OnlySingleMembersHaveABystander) {
  const auto plan = load("[series.one]\nmeasurement = demo/solo\nbystander = none, present\n");
  EXPECT_EQ(domain(plan.series[0], "bystander").levels, (std::vector<Value>{"none", "present"}));
  EXPECT_EQ(domain(load("[series.one]\nmeasurement = demo/solo\n").series[0], "bystander").levels,
            std::vector<Value>{"none"});
  EXPECT_EQ(problem("bystander = present\n"),
            "test.ini:3:13: error: a bystander beside several members; it is for teams of one member; remove the line");
}

TEST_F(ConfigTest, ASeriesOverridesThePrecisionOfAll) {
  const auto plan = load(
      "[precision]\neps = 5%\nwarm-up = 1ms\nrule = stddev\n"
      "[series.one]\nmeasurement = demo/solo\neps = 0.01\n[series.two]\nmeasurement = demo/solo\n");
  EXPECT_EQ(plan.series[0].precision.rule.eps, 0.01);
  EXPECT_EQ(plan.series[1].precision.rule.eps, 0.05);
  EXPECT_EQ(plan.series[0].precision.rule.name, "stddev");
  EXPECT_EQ(plan.series[0].precision.warm_up.count, 1e6);
}

TEST_F(ConfigTest, RulesTakeParametersPartsAndTheKeysBesideThem) {
  overrides_.set = {"precision.rule = all(median-ci(eps=1%), time:2s, max-time=9s)"};
  const auto plan = load(
      "[precision]\neps = 5%\nfloor = 2ns\n[series.one]\nmeasurement = demo/solo\n"
      "[series.two]\nmeasurement = demo/solo\nrule = quantile-ci:0.25\neps = 3%\n");
  const RuleSpec& both = plan.series[0].precision.rule;
  ASSERT_EQ(both.parts.size(), 2U);
  EXPECT_EQ(both.parts[0].eps, 0.01);
  EXPECT_EQ(both.parts[0].floor, 2);
  EXPECT_EQ(both.budget.max_time, seconds(9));
  const RuleSpec& quantile = plan.series[1].precision.rule;
  EXPECT_EQ(quantile.argument, 0.25);
  EXPECT_EQ(quantile.eps, 0.03);
  EXPECT_FALSE(quantile.budget.max_time.has_value());
}

TEST_F(ConfigTest, TheCommandLineWinsOverEnvironmentAndFile) {
  const std::string text =
      "[precision]\neps = 5%\nbatches = 5\nreps = 8\nalpha = 0.1\n[series.one]\nmeasurement = demo/solo\n";
  ::setenv("ASSAY_PRECISION_EPS", "6%", 1);
  ::setenv("ASSAY_PRECISION_BATCHES", "6", 1);
  overrides_.set = {"precision.eps=7%"};
  const auto plan = load(text);
  ::unsetenv("ASSAY_PRECISION_EPS");
  ::unsetenv("ASSAY_PRECISION_BATCHES");
  EXPECT_EQ(plan.series[0].precision.rule.eps, 0.07);
  EXPECT_EQ(plan.series[0].precision.batches, 6);
  EXPECT_EQ(plan.series[0].precision.reps, 8U);
  EXPECT_EQ(plan.series[0].precision.rule.alpha, 0.1);
}

TEST_F(ConfigTest, AnOverrideWithoutASectionReachesTheSeriesThatSetTheKey) {
  overrides_.set = {"bytes = 48", "series.two.bytes=96"};
  const auto plan = load(
      "[series.one]\nmeasurement = demo/pair\nbytes = 16\n[series.two]\nmeasurement = demo/pair\nbytes = 16\n"
      "[series.three]\nmeasurement = demo/pair\n");
  EXPECT_EQ(domain(plan.series[0], "bytes").levels, std::vector<Value>{std::int64_t{48}});
  EXPECT_EQ(domain(plan.series[1], "bytes").levels, std::vector<Value>{std::int64_t{96}});
  EXPECT_EQ(domain(plan.series[2], "bytes").levels, std::vector<Value>{std::int64_t{8}});
}

TEST_F(ConfigTest, OverridesReachSeriesAndTheirFactors) {
  overrides_.set = {"series.one.bytes = 8..32 *2", "series.one.measurement=demo/pair", "campaign.title=other"};
  overrides_.output = "elsewhere";
  const auto plan = load("[campaign]\noutput = here\n[series.one]\nmeasurement = demo/solo\n");
  EXPECT_EQ(plan.series[0].measurement.name, "demo/pair");
  EXPECT_EQ(domain(plan.series[0], "bytes").levels.size(), 3U);
  EXPECT_EQ(plan.title, "other");
  EXPECT_EQ(plan.output, "elsewhere");
}

TEST_F(ConfigTest, SelectsSeries) {
  overrides_.series = {"two"};
  const auto plan = load("[series.one]\nmeasurement = demo/nonsense\n[series.two]\nmeasurement = demo/solo\n");
  ASSERT_EQ(plan.series.size(), 1U);
  EXPECT_EQ(plan.series[0].name, "two");
}

TEST_F(ConfigTest, ReadsSeveralFilesAsOne) {
  const auto common = write("common.ini", "[precision]\neps = 5%\n");
  const auto plan = load_files({common, write("b.ini", "[series.one]\nmeasurement = demo/solo\n"),
                                write("c.ini", "[series.two]\nmeasurement = demo/pair\n")});
  EXPECT_EQ(plan.title, "common");
  ASSERT_EQ(plan.series.size(), 2U);
  EXPECT_EQ(plan.series[1].precision.rule.eps, 0.05);
}

TEST_F(ConfigTest, AsksPluginsForTheirMeasurements) {
  Description further = solo_measurement();
  further.name = "mine/own";
  plugin_measurements_ = {further};
  const auto plan = load("[campaign]\nplugins = ./a.so, /b/c.so\n[series.one]\nmeasurement = mine/own\n");
  EXPECT_EQ(plan.plugins, (std::vector<std::string>{"./a.so", "/b/c.so"}));
  EXPECT_EQ(plugins_asked_, plan.plugins);
  EXPECT_EQ(plan.series.at(0).measurement.name, "mine/own");
}

TEST_F(ConfigTest, ABareNameIsAnInstalledPlugin) {
  const auto plan =
      load("[campaign]\nplugins = own\n[variant.other]\nplugins = own\n[series.one]\nmeasurement = demo/solo\n");
  ASSERT_EQ(plan.plugins.size(), 1U);
  EXPECT_TRUE(plan.plugins[0].starts_with("/") && plan.plugins[0].ends_with("/assay/plugins/own.so"));
  EXPECT_EQ(plan.variants.at(0).plugins, plan.plugins);
}

TEST_F(ConfigTest, PluginsAreLeftAloneWhenNoneIsNamed) {
  load_series("");
  EXPECT_TRUE(plugins_asked_.empty());
}

TEST_F(ConfigTest, ReadsDerivedValues) {
  const auto plan = series(
      "bytes = 8, 16, 4Ki\nchannel = flag, pipe\nvehicle = process\nderive.per-byte = slope bytes\n"
      "derive.gain = ratio channel pipe flag\nderive.more = difference bytes 4096 8\n"
      "derive.named = slope bytes of time\nderive.levels = plateaus bytes\nderive.far = tail 0.99 0.999 of time\n");
  ASSERT_EQ(plan.derived.size(), 6U);
  EXPECT_EQ(plan.derived[5].kind, DerivedSpec::Kind::tail);
  EXPECT_EQ(plan.derived[5].probabilities, (std::vector<double>{0.99, 0.999}));
  EXPECT_EQ(plan.derived[5].quantity, "time");
  EXPECT_EQ(plan.derived[4].kind, DerivedSpec::Kind::plateaus);
  EXPECT_EQ(plan.derived[4].factor, "bytes");
  EXPECT_EQ(plan.derived[0].name, "per-byte");
  EXPECT_EQ(plan.derived[0].kind, DerivedSpec::Kind::slope);
  EXPECT_EQ(plan.derived[0].factor, "bytes");
  EXPECT_EQ(plan.derived[1].kind, DerivedSpec::Kind::ratio);
  EXPECT_EQ(plan.derived[1].first, "pipe");
  EXPECT_EQ(plan.derived[1].second, "flag");
  EXPECT_EQ(plan.derived[2].first, "4096");
  EXPECT_EQ(plan.derived[2].text, "difference bytes 4096 8");
  EXPECT_EQ(plan.derived[2].quantity, "");
  EXPECT_EQ(plan.derived[3].factor, "bytes");
  EXPECT_EQ(plan.derived[3].quantity, "time");
}

}  // namespace
}  // namespace assay::test
