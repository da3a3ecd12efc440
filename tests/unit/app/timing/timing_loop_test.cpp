// SPDX-License-Identifier: Apache-2.0
// Rounds of commands: their order, their end, and what goes wrong; on commands that take what the test says.
#include "app/timing/timings.hpp"

#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "unit/app/timing/fake_commands.hpp"

namespace assay::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> rounds_of_three(const std::vector<std::string>& log) {
  std::vector<std::string> rounds;
  for (std::size_t i = 0; i + 2 < log.size(); i += 3) rounds.push_back(log[i] + log[i + 1] + log[i + 2]);
  return rounds;
}

std::vector<std::string> log_by_seed(std::uint64_t seed) {
  FakeCommands commands;
  for (const char* one : {"a", "b", "c"}) commands.set(one, 1);
  TimeRequest request = request_for({"a", "b", "c"}, 40);
  request.seed = seed;
  timings_of(request, commands);
  return commands.log();
}

TEST(TimingLoop, EveryRoundHasEachCommandOnceInRandomOrder) {
  const auto log = log_by_seed(1);
  ASSERT_EQ(log.size(), 120U);
  std::set<std::string> orders;
  for (const std::string& round : rounds_of_three(log)) {
    std::string sorted = round;
    std::ranges::sort(sorted);
    EXPECT_EQ(sorted, "abc");
    orders.insert(round);
  }
  EXPECT_EQ(orders.size(), 6U) << "all orders occur";
  EXPECT_EQ(log, log_by_seed(1));
  EXPECT_NE(log, log_by_seed(2));
}

TEST(TimingLoop, TenRunsAndTheLeastTimeAreTheLeast) {
  FakeCommands commands;
  commands.set("long", 1000);
  commands.set("short", 100);
  const Timings timings = timings_of(request_for({"long", "short"}), commands);
  EXPECT_EQ(timings.commands[0].runs.size(), 10U);
  EXPECT_EQ(timings.commands[1].runs.size(), 24U) << "it goes on when the other has enough";
  for (const CommandTimes& times : timings.commands) EXPECT_EQ(times.verdict.outcome, Outcome::converged);
}

TEST(TimingLoop, WhatDoesNotConvergeEndsAfterItsTimeOrTheLimit) {
  for (const double limit : {0., 20.}) {
    FakeCommands commands;
    commands.set("noisy", [](int run) { return took(run % 2 == 0 ? 300 : 100); });
    TimeRequest request = request_for({"noisy"});
    if (limit > 0) request.time_limit = seconds(limit);
    const CommandTimes noisy = timings_of(request, commands).commands[0];
    EXPECT_NE(noisy.verdict.outcome, Outcome::converged);
    EXPECT_TRUE(noisy.verdict.stop());
    const Nanoseconds most = limit > 0 ? seconds(limit) : most_time_of_command;
    EXPECT_GE(noisy.spent, least_time_of_command);
    EXPECT_LE(noisy.spent, most + milliseconds(300));
  }
}

TEST(TimingLoop, WithALimitItGoesOnUntilItHasConverged) {
  const auto noisy = [](int run) { return took(20 + run * 7919 % 13); };
  const auto runs_within = [&](std::optional<Nanoseconds> limit) {
    FakeCommands commands;
    commands.set("noisy", noisy);
    TimeRequest request = request_for({"noisy"});
    request.time_limit = limit;
    return timings_of(request, commands).commands[0];
  };
  EXPECT_NE(runs_within({}).verdict.outcome, Outcome::converged);
  const CommandTimes longer = runs_within(seconds(100));
  EXPECT_EQ(longer.verdict.outcome, Outcome::converged);
  EXPECT_LT(longer.spent, seconds(50));
}

TEST(TimingLoop, TheTimeLimitIsForAllCommandsTogether) {
  FakeCommands commands;
  commands.set("a", 100);
  commands.set("b", 100);
  TimeRequest request = request_for({"a", "b"});
  request.time_limit = seconds(1);
  const Timings timings = timings_of(request, commands);
  for (const CommandTimes& times : timings.commands) {
    EXPECT_EQ(times.runs.size(), 5U);
    EXPECT_TRUE(times.verdict.stop());
  }
}

TEST(TimingLoop, TheStartOfTheShellIsSubtracted) {
  FakeCommands commands;
  commands.set("a", 5);
  TimeRequest request = request_for({"a"}, 7);
  request.shell = {"sh", "-c"};
  const Timings timings = timings_of(request, commands);
  ASSERT_TRUE(timings.shell);
  EXPECT_EQ(timings.shell->wall.value, 1);
  EXPECT_GE(commands.shell_starts(), 10);
  for (const TimedRun& run : timings.commands[0].runs) {
    EXPECT_DOUBLE_EQ(run.wall.count, 4e6);
    EXPECT_DOUBLE_EQ(run.user.count, 2e6);
  }
  EXPECT_FALSE(timings_of(request_for({"a"}, 7), commands).shell) << "there is none";
}

TEST(TimingLoop, TheShellIsStartedInTurnWithTheCommands) {
  FakeCommands commands;
  commands.set("a", 5);
  std::vector<std::size_t> runs_before;
  commands.set_shell([&](int start) {
    runs_before.push_back(commands.log().size());
    return took(start < 3 ? 4 : 1);
  });
  TimeRequest request = request_for({"a"}, 30);
  request.shell = {"sh", "-c"};
  const Timings timings = timings_of(request, commands);
  ASSERT_EQ(runs_before.size(), 31U) << "one that shows whether it works, then one after each run";
  for (std::size_t start = 0; start < runs_before.size(); ++start) EXPECT_EQ(runs_before[start], start);
  for (const TimedRun& run : timings.commands[0].runs)
    EXPECT_DOUBLE_EQ(run.wall.count, 4e6) << "less the start as it is known in the end";
  EXPECT_EQ(timings.commands[0].walls.observations().back().value, 4);
}

TEST(TimingLoop, RunsOfAnInterruptedFirstRoundAreLessTheShellToo) {
  FakeCommands commands;
  commands.set("a", 5);
  TimeRequest request = request_for({"a"}, 30);
  request.shell = {"sh", "-c"};
  int questions = 0;
  const auto is_interrupted = [&] { return !commands.log().empty() && ++questions > 1; };
  const Timings timings = take_timings(request, commands.maker(), is_interrupted);
  ASSERT_EQ(timings.commands[0].runs.size(), 1U);
  ASSERT_TRUE(timings.shell);
  EXPECT_DOUBLE_EQ(timings.commands[0].runs[0].wall.count, 4e6);
}

TEST(TimingLoop, FewRunsHaveTenStartsOfTheShellAllTheSame) {
  FakeCommands commands;
  commands.set("a", 5);
  TimeRequest request = request_for({"a"}, 2);
  request.shell = {"sh", "-c"};
  ASSERT_TRUE(timings_of(request, commands).shell);
  EXPECT_EQ(commands.shell_starts(), 10);
}

TEST(TimingLoop, WarmUpRunsDoNotCount) {
  FakeCommands commands;
  commands.set("a", [](int run) { return took(run < 2 ? 50 : 10); });
  TimeRequest request = request_for({"a"}, 6);
  request.warmup = 2;
  const Timings timings = timings_of(request, commands);
  EXPECT_EQ(commands.log().size(), 8U);
  for (const TimedRun& run : timings.commands[0].runs) EXPECT_EQ(run.wall, milliseconds(10));
}

TEST(TimingLoop, WhatIsRunAroundCommandsIsRunInItsPlace) {
  FakeCommands commands;
  for (const char* one : {"a", "make", "drop", "clean"}) commands.set(one, 1);
  TimeRequest request = request_for({"a"}, 2);
  request.commands[0].setup = "make";
  request.commands[0].prepare = "drop";
  request.commands[0].cleanup = "clean";
  timings_of(request, commands);
  EXPECT_THAT(commands.log(), ElementsAre("make", "drop", "a", "drop", "a", "clean"));
}

TEST(TimingLoop, CommandsWithSetupsOfTheirOwnRunOneAfterTheOther) {
  FakeCommands commands;
  for (const char* one : {"a", "b", "make a", "make b"}) commands.set(one, 1);
  TimeRequest request = request_for({"a", "b"}, 2);
  request.commands[0].setup = "make a";
  request.commands[1].setup = "make b";
  EXPECT_FALSE(request.is_interleaved());
  timings_of(request, commands);
  EXPECT_THAT(commands.log(), ElementsAre("make a", "a", "a", "make b", "b", "b"));
}

TEST(TimingLoop, ACommandThatFailsEndsEverything) {
  FakeCommands commands;
  commands.set("a", 1);
  commands.set("clean", 1);
  commands.set("grep x", [](int run) { return run == 3 ? ended_with(2) : took(1); });
  TimeRequest request = request_for({"a", "grep x"}, 10);
  for (CommandToTime& one : request.commands) one.cleanup = "clean";
  try {
    timings_of(request, commands);
    FAIL() << "it was measured";
  } catch (const CommandFailed& failed) {
    for (const char* part : {"'grep x'", "exited 2", "run 4", "no such pattern", "-i"})
      EXPECT_NE(std::string(failed.what()).find(part), std::string::npos) << part << " in " << failed.what();
  }
  EXPECT_EQ(commands.log().back(), "clean");
}

TEST(TimingLoop, FailuresCountWhereTheyAreIgnored) {
  FakeCommands commands;
  commands.set("false", [](int) { return ended_with(1); });
  TimeRequest request = request_for({"false"}, 3);
  request.ignores_failures = true;
  const Timings timings = timings_of(request, commands);
  ASSERT_EQ(timings.commands[0].runs.size(), 3U);
  EXPECT_EQ(timings.commands[0].runs[2].exit_code, 1);
}

TEST(TimingLoop, APreparationThatFailsIsNeverIgnored) {
  FakeCommands commands;
  commands.set("a", 1);
  commands.set("drop", [](int) { return ended_with(1); });
  TimeRequest request = request_for({"a"}, 3);
  request.commands[0].prepare = "drop";
  request.ignores_failures = true;
  EXPECT_THROW(timings_of(request, commands), CommandFailed);
  EXPECT_THAT(commands.log(), ElementsAre("drop"));
}

TEST(TimingLoop, AMissingProgramIsToldBeforeAnythingIsMeasured) {
  for (const bool in_shell : {false, true}) {
    FakeCommands commands;
    commands.set("a", 1);
    TimeRequest request = request_for({"a", "b --option"}, 3);
    if (in_shell) request.shell = {"sh", "-c"};
    try {
      timings_of(request, commands);
      FAIL() << "it was measured";
    } catch (const ConfigError& error) {
      EXPECT_EQ(error.exit_code(), 3);
      EXPECT_NE(error.problems().front().what.find("'b --option'"), std::string::npos) << error.what();
    }
    EXPECT_THAT(commands.log(), IsEmpty());
  }
}

TEST(TimingLoop, WhatWasMeasuredUntilASignalIsKept) {
  FakeCommands commands;
  commands.set("a", [](int run) { return took(1 + run); });
  const std::function<bool()> after_five = [&] { return commands.log().size() >= 6; };
  const Timings timings = take_timings(request_for({"a"}), commands.maker(), after_five);
  EXPECT_TRUE(timings.was_interrupted);
  EXPECT_EQ(timings.commands[0].runs.size(), 5U) << "the signal may have ended the sixth";
  EXPECT_EQ(timings.commands[0].verdict.outcome, Outcome::aborted);
}

}  // namespace
}  // namespace assay::test
