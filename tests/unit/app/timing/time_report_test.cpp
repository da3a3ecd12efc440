// SPDX-License-Identifier: Apache-2.0
// Figures, ratios and exports of times that a test made up.
#include "app/timing/time_report.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.hpp"
#include "text/json.hpp"
#include "unit/app/timing/fake_commands.hpp"

namespace assay::test {
namespace {

/// Times of 100 ms by a factor, 5 % noise of each run, and a machine that becomes half as fast in the meantime.
FakeCommands::Behaviour drifting(double factor, std::uint64_t seed) {
  return [factor, rng = Rng(seed)](int run) mutable {
    return took(100 * factor * (1 + run / 60.0) * std::exp(0.05 * rng.normal()));
  };
}

TimeReport report_on(FakeCommands& commands, const TimeRequest& request) {
  return report_of(request, timings_of(request, commands));
}

TEST(TimeReport, ADifferenceIsFoundThoughTheMachineDrifts) {
  FakeCommands commands;
  commands.set("a", drifting(1.1, 1));
  commands.set("b", drifting(1, 2));
  const TimeReport report = report_on(commands, request_for({"a", "b"}, 60));
  EXPECT_EQ(report.fastest, 1U);
  ASSERT_EQ(report.ratios.size(), 1U);
  const CommandRatio& found = report.ratios[0];
  EXPECT_EQ(found.command, 0U);
  EXPECT_EQ(found.pairs, 60U);
  EXPECT_TRUE(found.differs());
  EXPECT_NEAR(found.ratio->value, 1.1, 0.03);
  EXPECT_TRUE(found.ratio->interval.contains(1.1));
  EXPECT_LT(found.ratio->interval.high - found.ratio->interval.low, 0.1) << "pairs are of the same moment";
}

TEST(TimeReport, TheSameTwiceHardlyEverDiffers) {
  int differing = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    FakeCommands commands;
    commands.set("a", drifting(1, 2 * seed));
    commands.set("b", drifting(1, 2 * seed + 1));
    differing += report_on(commands, request_for({"a", "b"}, 40)).ratios[0].differs() ? 1 : 0;
  }
  EXPECT_LE(differing, 9);
}

TEST(TimeReport, OnlyRoundsOfBothAreCompared) {
  FakeCommands commands;
  commands.set("long", 1000);
  commands.set("short", 100);
  const TimeReport report = report_on(commands, request_for({"long", "short"}));
  EXPECT_EQ(report.ratios[0].pairs, 10U);
  EXPECT_DOUBLE_EQ(report.ratios[0].ratio->value, 10);
}

TEST(TimeReport, ARatioIsOfRunsOfTheSameRound) {
  FakeCommands commands;
  const auto with_the_round = [](double ms) { return [ms](int run) { return took(ms * (1 + run % 5)); }; };
  commands.set("a", with_the_round(12));
  commands.set("b", with_the_round(10));
  const TimeReport report = report_on(commands, request_for({"a", "b"}, 20));
  EXPECT_NEAR(report.ratios[0].ratio->value, 1.2, 1e-6);
  EXPECT_NEAR(report.ratios[0].ratio->interval.low, 1.2, 1e-6);
  EXPECT_NEAR(report.ratios[0].ratio->interval.high, 1.2, 1e-6);
}

TEST(TimeReport, FewRoundsHaveNoRatio) {
  FakeCommands commands;
  commands.set("a", 1);
  commands.set("b", 2);
  const TimeReport report = report_on(commands, request_for({"a", "b"}, 3));
  EXPECT_FALSE(report.ratios[0].ratio);
  EXPECT_FALSE(report.ratios[0].differs());
  EXPECT_FALSE(report.commands[0].median.interval.available());
}

TEST(TimeReport, FiguresAreOfAllRuns) {
  FakeCommands commands;
  commands.set("a", [](int run) { return took(run == 0 ? 100 : 10 + run % 3); });
  const TimeReport report = report_on(commands, request_for({"a"}, 13));
  const CommandFigures& a = report.commands[0];
  EXPECT_EQ(a.wall.n, 13U);
  EXPECT_DOUBLE_EQ(a.wall.min, 10);
  EXPECT_DOUBLE_EQ(a.wall.max, 100);
  EXPECT_DOUBLE_EQ(a.user, a.wall.mean / 2);
  EXPECT_DOUBLE_EQ(a.system, a.wall.mean / 4);
  EXPECT_EQ(a.memory, 1 << 20);
  EXPECT_TRUE(a.has_slow_start);
  EXPECT_EQ(a.outliers, 1U);
  EXPECT_NEAR(a.first, 100.0 / 11, 1);
}

TEST(TimeReport, OutliersAreFarFromTheMedian) {
  EXPECT_EQ(are_outliers({10, 11, 12, 13, 14, 100}), (std::vector<bool>{false, false, false, false, false, true}));
  EXPECT_EQ(are_outliers({10, 10, 10, 100}), std::vector<bool>(4, false)) << "no spread to be judged by";
  EXPECT_TRUE(are_outliers({}).empty());
}

TEST(TimeReport, ACommandWithoutARunIsLeftOut) {
  FakeCommands commands;
  commands.set("a", 1);
  commands.set("b", 1);
  const TimeRequest request = request_for({"a", "b"});
  const std::function<bool()> at_once = [] { return true; };
  const TimeReport report = report_of(request, take_timings(request, commands.maker(), at_once));
  EXPECT_TRUE(report.commands.empty());
  EXPECT_TRUE(report.ratios.empty());
  EXPECT_EQ(times_as_markdown(report), "");
}

/// A shell whose starts scatter, and what commands of one value take within it.
TimeReport in_scattering_shell(const std::vector<double>& times, bool scatters) {
  FakeCommands commands;
  commands.set_shell([scatters](int run) { return took(scatters ? 1 + 0.04 * (run * 7919 % 11 - 5) : 1); });
  std::vector<std::string> names;
  for (const double time : times) {
    names.push_back("c" + std::to_string(names.size()));
    commands.set(names.back(), 1 + time);
  }
  TimeRequest request = request_for(names, 20);
  request.shell = {"sh", "-c"};
  return report_on(commands, request);
}

TEST(TimeReport, TheIntervalHasTheUncertaintyOfTheShellsStart) {
  const TimeReport known = in_scattering_shell({2}, false);
  const TimeReport scattering = in_scattering_shell({2}, true);
  const Interval& shell = scattering.timings.shell->wall.interval;
  ASSERT_GT(shell.high, shell.low);
  EXPECT_NEAR(known.commands[0].median.interval.low, known.commands[0].median.interval.high, 1e-9);
  const Interval& wide = scattering.commands[0].median.interval;
  EXPECT_NEAR(wide.high - wide.low, shell.high - shell.low, 1e-9) << "runs that are all alike add nothing";
  EXPECT_GE(scattering.commands[0].of_shell, (shell.high - shell.low) / 2 / 2);
  EXPECT_LE(scattering.commands[0].of_shell, (shell.high - shell.low) / 2) << "its median is 2";
  EXPECT_EQ(known.commands[0].of_shell, 0);
}

TEST(TimeReport, ARatioHasItAsFarAsTheCommandsDiffer) {
  const TimeReport report = in_scattering_shell({2, 2, 6}, true);
  ASSERT_EQ(report.ratios.size(), 2U);
  const auto width = [&](std::size_t i) {
    const Interval& interval = report.ratios[i].ratio->interval;
    return interval.high - interval.low;
  };
  EXPECT_NEAR(width(0), 0, 1e-9) << "in both alike";
  EXPECT_GT(width(1), 0.01);
}

TEST(TimeReport, ACommandThatIsShorterThanTheShellsStartIsKnown) {
  const TimeReport report = in_scattering_shell({0.5, 2}, true);
  EXPECT_TRUE(report.commands[0].is_shorter_than_shell);
  EXPECT_FALSE(report.commands[1].is_shorter_than_shell);
}

TEST(TimeExports, JsonHasTheFieldsOfHyperfine) {
  FakeCommands commands;
  commands.set("a", [](int run) { return run == 1 ? ended_with(4) : took(10); });
  TimeRequest request = request_for({"a"}, 6);
  request.ignores_failures = true;
  request.commands[0].parameters = {{"n", "1"}};
  const Json all = parse_json(times_as_json(report_on(commands, request)));
  const Json& result = all.at("results").array().at(0);
  EXPECT_EQ(result.at("command").string(), "a");
  for (const char* field : {"mean", "stddev", "median", "user", "system", "min", "max"})
    EXPECT_GE(result.at(field).number(), 0) << field;
  EXPECT_DOUBLE_EQ(result.at("median").number(), 0.01);
  EXPECT_DOUBLE_EQ(result.at("max").number(), 0.01);
  EXPECT_EQ(result.at("times").array().size(), 6U);
  EXPECT_EQ(result.at("exit_codes").array().at(1).integer(), 4);
  EXPECT_EQ(result.at("memory_usage_byte").array().at(0).integer(), 1 << 20);
  EXPECT_EQ(result.at("parameters").at("n").string(), "1");
  EXPECT_EQ(result.at("runs").integer(), 6);
}

TEST(TimeExports, ABoundOfMemoryIsNoValue) {
  FakeCommands commands;
  commands.set("a", [](int) {
    auto end = took(10);
    end.is_upper_bound = true;
    return end;
  });
  const TimeReport report = report_on(commands, request_for({"a"}, 3));
  const Json all = parse_json(times_as_json(report));
  EXPECT_TRUE(all.at("results").array().at(0).at("memory_usage_byte").array().at(0).is_null());
  EXPECT_TRUE(times_as_csv(report).ends_with(",3,\n"));
}

TEST(TimeExports, CellsKeepTheirPlace) {
  FakeCommands commands;
  commands.set("a, b | c", 10);
  TimeRequest request = request_for({"a, b | c"}, 6);
  request.commands[0].parameters = {{"n", "1"}};
  const TimeReport report = report_on(commands, request);
  const std::string csv = times_as_csv(report);
  EXPECT_TRUE(csv.starts_with("command,mean,stddev,median,user,system,min,max,")) << csv;
  EXPECT_NE(csv.find("\n\"a, b | c\",0.01,0"), std::string::npos) << csv;
  EXPECT_NE(csv.find(",parameter_n\n"), std::string::npos) << csv;
  EXPECT_NE(times_as_markdown(report).find("| `a, b \\| c` |"), std::string::npos) << times_as_markdown(report);
}

TEST(TimeText, AHistogramShowsWhereValuesLie) {
  const Scale scale{1e6, "ms"};
  std::vector<double> values(99, 10);
  values.push_back(20);
  const std::string bars = histogram(values, scale, {});
  EXPECT_NE(bars.find("|#"), std::string::npos) << bars;
  EXPECT_NE(bars.find(".|"), std::string::npos) << bars;
  EXPECT_EQ(histogram({1, 2, 3}, scale, {}), "") << "too few";
  EXPECT_EQ(histogram(std::vector<double>(20, 5), scale, {}), "") << "all the same";
}

}  // namespace
}  // namespace assay::test
