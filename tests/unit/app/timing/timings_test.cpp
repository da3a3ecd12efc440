// SPDX-License-Identifier: Apache-2.0
// What is known before each run, and whether the time left is what it takes then.
#include "app/timing/timings.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "app/timing/time_report.hpp"
#include "base/rng.hpp"
#include "unit/app/timing/fake_commands.hpp"

namespace assay::test {
namespace {

struct Watched {
  Timings timings;
  std::vector<TimeProgress> reports;

  Nanoseconds spent() const {
    Nanoseconds sum{};
    for (const CommandTimes& times : timings.commands) sum += times.spent;
    return sum;
  }
};

Watched watched(const TimeRequest& request, FakeCommands& commands) {
  Watched found;
  found.timings = take_timings(
      request, commands.maker(), [] { return false; },
      [&](const std::function<TimeProgress()>& progress) { found.reports.push_back(progress()); });
  return found;
}

FakeCommands::Behaviour noisy(double ms, double spread) {
  return [ms, spread, rng = Rng(1)](int) mutable { return took(ms * std::exp(spread * rng.normal())); };
}

TEST(TimeProgress, IsToldBeforeEachRunWithItsCommandAndRounds) {
  FakeCommands commands;
  commands.set("a", 100);
  commands.set("b", 50);
  TimeRequest request = request_for({"a", "b"}, 4);
  request.warmup = 1;
  const Watched found = watched(request, commands);
  ASSERT_EQ(found.reports.size(), commands.log().size());
  for (std::size_t i = 0; i < found.reports.size(); ++i) {
    const TimeProgress& now = found.reports[i];
    EXPECT_EQ(now.command, commands.log()[i]);
    EXPECT_EQ(now.warmup, i < 2 ? 1 : 0);
    EXPECT_EQ(now.warmups, 1);
    if (i < 2) continue;
    EXPECT_EQ(now.rounds, static_cast<int>(i - 2) / 2);
    EXPECT_EQ(now.most_rounds, 4);
    if (i < 4) continue;
    EXPECT_NEAR((now.spent + now.left).count, found.spent().count, 1);
    ASSERT_TRUE(now.median);
    EXPECT_DOUBLE_EQ(now.median->value, now.command == "a" ? 100 : 50);
  }
  EXPECT_GT(found.reports.back().share(), 0.8);
}

TEST(TimeProgress, TheTimeLeftIsUpToTheLeastNumberAndTime) {
  FakeCommands commands;
  commands.set("long", 1000);
  commands.set("short", 100);
  const Watched found = watched(request_for({"long", "short"}), commands);
  for (const TimeProgress& now : found.reports) {
    if (now.rounds == 0) continue;
    EXPECT_NEAR((now.spent + now.left) / found.spent(), 1, 0.01);
  }
}

TEST(TimeProgress, WithALimitItIsUpToConvergenceAndNeverBeyond) {
  FakeCommands commands;
  commands.set("noisy", noisy(20, 0.2));
  TimeRequest request = request_for({"noisy"});
  request.time_limit = seconds(1000);
  const Watched found = watched(request, commands);
  ASSERT_EQ(found.timings.commands[0].verdict.outcome, Outcome::converged);
  ASSERT_GT(found.spent(), seconds(6)) << "more than the least time";
  int near = 0;
  int all = 0;
  for (const TimeProgress& now : found.reports) {
    EXPECT_LE(now.spent + now.left, *request.time_limit);
    if (now.spent < found.spent() * 0.2) continue;
    ++all;
    // The width at one interim analysis says so much of the next ones, and no more.
    const double ratio = (now.spent + now.left) / found.spent();
    near += ratio > 0.5 && ratio < 2 ? 1 : 0;
  }
  EXPECT_GT(near, all * 4 / 5);
}

TEST(TimeProgress, ItsLineHasTheCommandLastSinceThatMayBeCut) {
  TimeProgress now{"gzip \x1b[2J", 0, 0, 12, 20, seconds(2), seconds(3)};
  now.median = Estimate{"median", 1.98, {1.95, 2.02, 0.95}, "visits"};
  const std::string text = to_text(now);
  std::size_t from = 0;
  for (const char* part : {"12/20", "3 s", "1.980 ms", "2.02 %", "gzip \\x1b[2J"}) {
    const std::size_t at = text.find(part, from);
    ASSERT_NE(at, std::string::npos) << text << " lacks " << part;
    from = at + 1;
  }
  EXPECT_DOUBLE_EQ(now.share(), 0.4);
  EXPECT_EQ(TimeProgress{}.share(), 0);
}

}  // namespace
}  // namespace assay::test
