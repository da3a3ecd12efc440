// SPDX-License-Identifier: Apache-2.0
// What `assay time` prints, says and exports of made-up commands, byte by byte.
#include <cmath>
#include <sstream>

#include "app/timing/time_report.hpp"
#include "base/rng.hpp"
#include "support/environment/golden.hpp"
#include "unit/app/timing/fake_commands.hpp"

namespace assay::test {
namespace {

FakeCommands::Behaviour noisy(double ms, std::uint64_t seed) {
  return [ms, rng = Rng(seed)](int) mutable { return took(ms * std::exp(0.03 * rng.normal())); };
}

TimeReport report_on(FakeCommands& commands, const TimeRequest& request) {
  return report_of(request, timings_of(request, commands));
}

std::string printed(const TimeReport& report, const TextStyle& style = {}) {
  std::ostringstream out;
  print_times(out, report, style);
  return out.str() + "----\n";
}

std::string failure_of(FakeCommands& commands, const TimeRequest& request) {
  try {
    timings_of(request, commands);
  } catch (const CommandFailed& failed) {
    return std::string(failed.what()) + "\n----\n";
  } catch (const ConfigError& error) {
    return std::string(error.what()) + "\n----\n";
  }
  return "nothing failed\n";
}

TEST(TimeGolden, Printed) {
  FakeCommands commands;
  commands.set("grep -c x file", noisy(20, 1));
  commands.set("rg -c x file", noisy(10, 2));
  commands.set("ag -c x file", noisy(10, 3));
  TimeRequest three = request_for({"grep -c x file", "rg -c x file", "ag -c x file"});
  three.shell = {"sh", "-c"};
  std::string all = printed(report_on(commands, three));
  commands.set("cold", [](int run) { return took(run == 0 ? 90 : 2 + run % 3 * 0.1); });
  commands.set("two ways", [](int run) { return took(run % 2 == 0 ? 100 : 300); });
  all += printed(report_on(commands, request_for({"cold"}, 20)), {.unicode = true});
  all += printed(report_on(commands, request_for({"two ways"})), {.unicode = true, .width = 80});
  all += printed(report_on(commands, request_for({"cold", "two ways"}, 2)));
  TimeRequest apart = request_for({"rg -c x file", "ag -c x file"}, 12);
  apart.commands[0].setup = "rg -c x file";
  all += printed(report_on(commands, apart));
  EXPECT_TRUE(matches_golden(all, "program/time_printed.txt"));
}

TEST(TimeGolden, Failures) {
  FakeCommands commands;
  commands.set("good", 1);
  commands.set("bad", [](int run) { return run == 1 ? ended_with(2) : took(1); });
  TimeRequest prepared = request_for({"good"}, 3);
  prepared.commands[0].prepare = "bad";
  TimeRequest in_shell = request_for({"nowhere --option"}, 3);
  in_shell.shell = {"sh", "-c"};
  std::string all;
  for (const TimeRequest& request : {request_for({"good", "bad"}, 3), in_shell, request_for({"nowhere --option"}, 3)})
    all += failure_of(commands, request);
  FakeCommands fresh;
  fresh.set("good", 1);
  fresh.set("bad", [](int) { return ended_with(2); });
  all += failure_of(fresh, prepared);
  EXPECT_TRUE(matches_golden(all, "program/time_failures.txt"));
}

TEST(TimeGolden, Exports) {
  FakeCommands commands;
  commands.set("a", noisy(20, 1));
  commands.set("b", noisy(10, 2));
  TimeRequest request = request_for({"a", "b"}, 6);
  for (CommandToTime& one : request.commands) one.parameters = {{"n", "1"}};
  const TimeReport report = report_on(commands, request);
  EXPECT_TRUE(matches_golden(times_as_json(report) + times_as_csv(report) + times_as_markdown(report),
                             "program/time_exports.txt"));
}

}  // namespace
}  // namespace assay::test
