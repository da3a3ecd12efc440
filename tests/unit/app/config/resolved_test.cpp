// SPDX-License-Identifier: Apache-2.0
// The resolved configuration: complete, canonical, and read back to the same plan.
#include "app/config/resolved.hpp"

#include "app/config/precision.hpp"
#include "unit/app/plan_fixture.hpp"

namespace assay::test {
namespace {

using ResolvedTest = PlanTest;

void expect_same(const SeriesPlan& a, const SeriesPlan& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.measurement.name, b.measurement.name);
  ASSERT_EQ(a.factors.size(), b.factors.size());
  for (std::size_t i = 0; i < a.factors.size(); ++i) {
    EXPECT_EQ(a.factors[i].name, b.factors[i].name);
    EXPECT_EQ(a.factors[i].domain.levels, b.factors[i].domain.levels) << a.factors[i].name;
    EXPECT_EQ(a.factors[i].domain.refine, b.factors[i].domain.refine);
    EXPECT_EQ(a.factors[i].domain.open_range, b.factors[i].domain.open_range);
    EXPECT_EQ(a.factors[i].domain.quantity, b.factors[i].domain.quantity);
  }
  EXPECT_EQ(a.placements, b.placements);
  EXPECT_EQ(precision_text(a.precision), precision_text(b.precision));
  EXPECT_EQ(make_rule(a.precision.rule)->text(), make_rule(b.precision.rule)->text());
  ASSERT_EQ(a.derived.size(), b.derived.size());
  for (std::size_t i = 0; i < a.derived.size(); ++i) {
    EXPECT_EQ(a.derived[i].name, b.derived[i].name);
    EXPECT_EQ(a.derived[i].kind, b.derived[i].kind);
    EXPECT_EQ(a.derived[i].factor, b.derived[i].factor);
    EXPECT_EQ(a.derived[i].first, b.derived[i].first);
    EXPECT_EQ(a.derived[i].second, b.derived[i].second);
    EXPECT_EQ(a.derived[i].text, b.derived[i].text);
  }
}

TEST_F(ResolvedTest, ReadsBackToTheSamePlan) {
  overrides_.set = {"series.curve.alpha=0.1"};
  const auto plan = load(
      "[campaign]\ntitle = \"say \\\"x\\\" # y\"\ntime-limit = 90s\nclock = counter\nmax-workers = 9\ndurability = "
      "interval 5s\n"
      "[precision]\neps = 3%\nmin-span = 1.5s\n"
      "[series.curve]\nmeasurement = demo/pair\nbytes = 1..64Ki refine 0.05 of time\nchannel = pipe, flag\n"
      "placement = 0+1, representative\nvehicle = process\nderive.per-byte = slope bytes\nfloor = 5ns\n"
      "[series.many]\nmeasurement = demo/team\nmembers = 1..9 +1\nrule = stddev\nmax-time = 0.3s\n"
      "[series.alone]\nmeasurement = demo/solo\nwait = 1us, 1.5ns\nbystander = none, present\nrule = fixed:50\n"
      "placement = bound, 3\n"
      "[series.both]\nmeasurement = demo/solo\nmax-time = 9s\n"
      "rule = all(quantile-ci:0.25(eps=1%), any(fixed:50, time:1.5s, alpha=0.2), max-timings=900)\n");
  overrides_ = {};
  const auto again = load(plan.configuration);
  EXPECT_EQ(again.title, plan.title);
  EXPECT_EQ(again.seed, plan.seed);
  EXPECT_EQ(again.time_limit, plan.time_limit);
  EXPECT_EQ(again.counter_clock, plan.counter_clock);
  EXPECT_EQ(again.max_workers, plan.max_workers);
  EXPECT_EQ(again.plugins, plan.plugins);
  EXPECT_EQ(to_text(plan.durability), "interval 5s");
  EXPECT_EQ(to_text(again.durability), "interval 5s");
  ASSERT_EQ(again.series.size(), plan.series.size());
  for (std::size_t i = 0; i < plan.series.size(); ++i) expect_same(plan.series[i], again.series[i]);
  const auto without_remarks = [](std::string text) {
    for (auto at = text.find("# this"); at != text.npos; at = text.find("# this"))
      text.erase(at, text.find('\n', at) - at + 1);
    return text;
  };
  EXPECT_EQ(without_remarks(again.configuration), without_remarks(plan.configuration));
}

TEST_F(ResolvedTest, KeepsPlugins) {
  plugin_measurements_ = {};
  const auto plan = load("[campaign]\nplugins = ./a.so,./b.so\n[series.one]\nmeasurement = demo/solo\n");
  EXPECT_EQ(load(plan.configuration).plugins, plan.plugins);
}

TEST_F(ResolvedTest, NamesEveryKeyThatHasAValue) {
  const auto text = load_series("").configuration;
  for (const char* line : {"[campaign]\n",
                           "title = test\n",
                           "seed = ",
                           "clock = monotonic\n",
                           "max-workers = 256\n",
                           "[series.one]\n",
                           "measurement = demo/pair\n",
                           "channel = flag\n",
                           "bytes = 8\n",
                           "vehicle = thread\n",
                           "members = 2\n",
                           "placement = unbound, same-pu, smt",
                           "rule = median-ci\n",
                           "alpha = 0.05\n",
                           "spare-time = no\n",
                           "reps = auto\n",
                           "batches = auto\n",
                           "incarnations = 5\n",
                           "max-incarnations = 10\n",
                           "warm-up = 5ms\n",
                           "min-span = 10s\n",
                           "deadline = 10s\n",
                           "max-points = 64\n",
                           "noisy = 0.05\n"
                           "too-noisy = 0.2\n",
                           "# rule in full: median-ci("})
    EXPECT_NE(text.find(line), text.npos) << line << " is missing in\n" << text;
}

TEST_F(ResolvedTest, LeavesOutWhereResultsGo) {
  overrides_.output = "/some/where";
  EXPECT_EQ(load_series("").configuration.find("where"), std::string::npos);
}

}  // namespace
}  // namespace assay::test
