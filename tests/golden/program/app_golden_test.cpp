// SPDX-License-Identifier: Apache-2.0
// Help texts, and the report on a file that is full of mistakes, byte by byte.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "app/cli/command.hpp"
#include "app/cli/problems.hpp"
#include "app/config/config.hpp"
#include "support/environment/golden.hpp"
#include "support/environment/paths.hpp"
#include "unit/app/plan_fixture.hpp"

namespace assay::test {
namespace {

class AppGolden : public PlanTest {
 protected:
  static std::string output(const std::vector<std::string>& arguments) {
    std::ostringstream out;
    AppContext context{out, out};
    run_program(
        arguments, [](Registry&, std::string_view) {}, context);
    return out.str();
  }
  /// What is said where the demo measurements are known, and the exit code.
  std::string told(const std::vector<std::string>& arguments) const {
    std::ostringstream out;
    AppContext context{out, out};
    const int code = run_program(
        arguments,
        [&](Registry& registry, std::string_view) {
          for (const Description& description : catalogue_.built_in) registry.add(description, Factory());
        },
        context);
    std::string all = "$ assay";
    for (const std::string& argument : arguments) all += " " + argument;
    return all + "\n" + out.str() + "exit code " + std::to_string(code) + "\n";
  }
};

TEST_F(AppGolden, Help) { EXPECT_TRUE(matches_golden(output({"--help"}), "program/app_help.txt")); }

TEST_F(AppGolden, HelpOfEachCommand) {
  std::string all;
  for (const CommandEntry& command : commands()) all += output({std::string(command.name), "--help"}) + "----\n";
  EXPECT_TRUE(matches_golden(all, "program/app_command_help.txt"));
}

TEST_F(AppGolden, Sections) {
  EXPECT_TRUE(matches_golden(output({"describe", "campaign"}) + "----\n" + output({"describe", "series"}),
                             "program/app_sections.txt"));
}

TEST_F(AppGolden, Rules) { EXPECT_TRUE(matches_golden(output({"list", "rules"}), "program/app_rules.txt")); }

TEST_F(AppGolden, WrongUse) {
  std::string all;
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"shwo"},
           {"show"},
           {"show", "x", "--unit", "hours"},
           {"show", "x", "--layout", "logp", "--unit", "cycles"},
           {"export", "x", "--unit", "hours"},
           {"export", "x", "--format", "junit", "--unit", "cycles"},
           {"resume", "a", "b"},
           {"run", "--outptu", "x"},
           {"run", "--outp", "x"},
           {"run", "--output"},
           {"run", "--output="},
           {"run", "--output", ""},
           {"run", "--quiet=1"},
           {"run", "--output", "x", "--output", "y"},
           {"run", "--output", "--quiet"},
           {"run", ""},
           {"history", "ad", "x"},
           {"history", "add"},
           {"history", "list", "x"},
           {"history", "list", "--strict"},
           {"history", "check", "x", "--accepted", "a", "--file", "b"},
           {"history", "accept", "x"},
           {"list", "placement"},
           {"describe", "demo/piar"},
           {"placements", "--members", "7"},
           {"placements", "--topology", "socks:2"},
           {"placements", "--roles", "a,b,c"},
           {"placements", "-k", "6", "--topology", "pack:2 numa:4 l3:2 core:8 pu:2", "--memory"}})
    all += told(arguments);
  EXPECT_TRUE(matches_golden(all, "program/app_wrong_use.txt"));
}

TEST_F(AppGolden, WhatIsThereAndWhatIsPlanned) {
  const auto file =
      write("demo.ini",
            "[campaign]\nseed = 1\n[series.one]\nmeasurement = demo/pair\nplacement = unbound\nvehicle = process\n"
            "channel = futex, pipe\nbytes = 8, 512\n");
  std::string all = told({"list"}) + told({"describe", "demo/pair"}) + told({"describe", "quantile-ci"}) +
                    told({"placements", "-k", "3", "--roles", "main+equal", "--topology", "pack:2 l3:8 core:8 pu:2"});
  std::string plan = told({"plan", file});
  for (auto at = plan.find(file); at != plan.npos; at = plan.find(file)) plan.replace(at, file.size(), "demo.ini");
  EXPECT_TRUE(matches_golden(all + plan, "program/app_listed.txt"));
}

TEST_F(AppGolden, EveryMistakeOfAFileInOneRun) {
  const std::string source = source_directory() + "/tests/golden/program/app_errors.ini";
  std::ifstream file(source, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::ostringstream report;
  try {
    load(text);
  } catch (const ConfigError& error) {
    auto problems = error.problems();
    for (Problem& problem : problems) problem.where.file = "app_errors.ini";
    print(report, problems);
    report << "exit code " << error.exit_code() << "\n";
  }
  auto told = report.str();
  const auto path = (folder_ / "test.ini").string();
  for (auto at = told.find(path); at != told.npos; at = told.find(path))
    told.replace(at, path.size(), "app_errors.ini");
  EXPECT_TRUE(matches_golden(told, "program/app_errors.txt"));
}

}  // namespace
}  // namespace assay::test
