// SPDX-License-Identifier: Apache-2.0
// The program as its user meets it: commands, help, exit codes, and what exceptions become.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/cli/command.hpp"
#include "base/error.hpp"
#include "text/json.hpp"
#include "unit/app/plan_fixture.hpp"

namespace assay::test {
namespace {

class ProgramTest : public PlanTest {
 protected:
  int call(const std::vector<std::string>& arguments) {
    out_.str("");
    err_.str("");
    AppContext context{out_, err_};
    return run_program(arguments, fill_, context);
  }

  Fill fill_ = [this](Registry& registry, std::string_view) {
    for (const Description& description : catalogue_.built_in) registry.add(description, Factory());
  };
  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(ProgramTest, HelpAndVersionGoToStandardOutput) {
  for (const char* form : {"help", "--help", "-h"}) {
    EXPECT_EQ(call({form}), 0);
    EXPECT_NE(out_.str().find("assay run FILE..."), std::string::npos) << form;
    EXPECT_EQ(err_.str(), "");
  }
  EXPECT_EQ(call({"--version"}), 0);
  EXPECT_TRUE(out_.str().starts_with("assay "));
  EXPECT_NE(out_.str().find("\nMPI: "), std::string::npos);
}

TEST_F(ProgramTest, TheVersionHasThreeForms) {
  for (const char* form : {"version", "-V", "--version"}) {
    EXPECT_EQ(call({form}), 0) << form;
    EXPECT_TRUE(out_.str().starts_with("assay ")) << form;
  }
  for (const char* option : {"-v", "--verbose"}) {
    EXPECT_EQ(call({option}), 2);
    EXPECT_NE(err_.str().find("--help"), std::string::npos) << option;
  }
}

TEST_F(ProgramTest, TheReportSaysWhatInstallsIt) {
  const char* before = std::getenv("PATH");
  const std::string path = before == nullptr ? "" : before;
  ::setenv("PATH", "/nowhere", 1);
  EXPECT_EQ(call({"report", "x"}), 3);
  ::setenv("PATH", path.c_str(), 1);
  for (const char* way : {"pip install", "tools/report/wheel", "tools/report/setup"})
    EXPECT_NE(err_.str().find(way), std::string::npos) << way;
  EXPECT_EQ(call({"help"}), 0);
  EXPECT_NE(out_.str().find("assay report"), std::string::npos);
}

TEST_F(ProgramTest, EveryCommandHasItsOwnHelp) {
  for (const CommandEntry& entry : commands()) {
    const CommandInfo command = entry.make();
    EXPECT_EQ(command.name, entry.name);
    EXPECT_EQ(call({command.name, "--help"}), 0);
    const auto own = out_.str();
    EXPECT_NE(own.find(command.summary), std::string::npos);
    EXPECT_EQ(call({"help", command.name}), 0);
    EXPECT_EQ(out_.str(), own);
  }
}

TEST_F(ProgramTest, UnitsAreThoseThatAreKnown) {
  for (const std::vector<std::string>& line :
       {std::vector<std::string>{"show", "x"}, {"export", "x", "--format", "csv"}}) {
    auto arguments = line;
    arguments.insert(arguments.end(), {"--unit", "hours"});
    EXPECT_EQ(call(arguments), ExitCode::usage);
  }
  EXPECT_EQ(call({"export", "x", "--format", "junit", "--unit", "cycles"}), ExitCode::usage);
  EXPECT_EQ(call({"show", "x", "--layout", "logp", "--unit", "cycles"}), ExitCode::usage);
}

TEST_F(ProgramTest, PlacementsOfAnyMachine) {
  EXPECT_EQ(call({"placements"}), 0) << err_.str();
  EXPECT_EQ(call({"placements", "-k", "3", "--roles", "main+equal", "--representatives=2", "--topology",
                  "pack:2 l3:8 core:8 pu:2"}),
            0);
  for (const char* part : {"256", "main+equal", "23", "16777216"})
    EXPECT_NE(out_.str().find(part), std::string::npos) << part << out_.str();
  EXPECT_EQ(call({"placements", "--memory", "--topology", "pack:2 [numa] core:1 pu:1"}), 0);
  EXPECT_NE(out_.str().find("cross-package@memory=local/cross-package"), std::string::npos);
}

TEST_F(ProgramTest, PlacementsThatCannotBeListed) {
  const std::vector<std::vector<std::string>> bad = {
      {"--members", "7"},
      {"--topology", "socks:2"},
      {"--topology", "missing.xml"},
      {"--roles", "a,b,c"},
      {"-k", "6", "--topology", "pack:2 numa:4 l3:2 core:8 pu:2", "--memory"}};
  for (std::vector<std::string> arguments : bad) {
    const std::string last = arguments.back();
    arguments.insert(arguments.begin(), "placements");
    EXPECT_EQ(call(arguments), 2) << last;
    EXPECT_EQ(out_.str(), "") << last;
    EXPECT_NE(err_.str(), "") << last;
  }
}

TEST_F(ProgramTest, HiddenCommandsAreNotListed) {
  call({"help"});
  EXPECT_EQ(out_.str().find("worker"), std::string::npos);
}

TEST_F(ProgramTest, NoCommandIsAMistakeButGetsTheHelp) {
  EXPECT_EQ(call({}), 2);
  EXPECT_EQ(out_.str(), "");
  EXPECT_NE(err_.str().find("Usage:"), std::string::npos);
}

TEST_F(ProgramTest, UnknownCommandsAreRefusedWithTheNearest) {
  EXPECT_EQ(call({"shwo"}), 2);
  EXPECT_NE(err_.str().find("'show'"), std::string::npos) << err_.str();
  EXPECT_EQ(call({"--frobnicate"}), 2);
  EXPECT_EQ(call({""}), 2);
  EXPECT_EQ(call({"../x"}), 2);
  EXPECT_EQ(call({"help", "shwo"}), 2);
}

TEST_F(ProgramTest, OtherCommandsAreProgramsOnThePath) {
  const auto script = write("assay-hello", "#!/bin/sh\n[ \"$*\" = 'a b --help' ] && exit 7\nexit 8\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", (folder_.string() + ":" + path).c_str(), 1);
  EXPECT_EXIT(call({"hello", "a", "b", "--help"}), ::testing::ExitedWithCode(7), "");
  ::setenv("PATH", path.c_str(), 1);
}

TEST_F(ProgramTest, OperandsAreCounted) {
  EXPECT_EQ(call({"show"}), 2);
  EXPECT_EQ(call({"resume", "a", "b"}), 2);
  EXPECT_NE(err_.str().find("'b'"), std::string::npos) << err_.str();
  EXPECT_EQ(call({"run"}), 2);
  EXPECT_EQ(call({"plan"}), 2);
}

TEST_F(ProgramTest, ExceptionsHaveExitCodes) {
  struct Case {
    Fill fill;
    int code;
    const char* message;
  };
  const Case cases[] = {
      {[](Registry&, std::string_view) {
         throw ConfigError(Problem{{"f", 1, 2}, "wrong", {}, {}});
       },
       2, "f:1:2: error: wrong\n"},
      {[](Registry&, std::string_view) {
         throw ConfigError(Problem{{"f"}, "no CPU", {}, {}, true});
       },
       3, "f: error: no CPU\n"},
      {[](Registry&, std::string_view) { throw PluginError("bad plugin"); }, 3, "assay: error: bad plugin\n"},
      {[](Registry&, std::string_view) { throw StorageError("disk", 0); }, 4, "assay: error: disk\n"},
      {[](Registry&, std::string_view) { throw ResultError("corrupt"); }, 5, "assay: error: corrupt\n"},
      {[](Registry&, std::string_view) { throw std::logic_error("oops"); }, 70,
       "assay: error: internal: oops; please report it with the output of 'assay --version'\n"},
      {[](Registry&, std::string_view) { throw 5; }, 70,
       "assay: error: internal: something that is not a std::exception was thrown\n"},
  };
  for (const Case& one : cases) {
    fill_ = one.fill;
    EXPECT_EQ(call({"list"}), one.code);
    EXPECT_EQ(err_.str(), one.message);
  }
}

TEST_F(ProgramTest, OutputThatCannotBeWrittenIsAFailure) {
  std::ofstream full("/dev/full");
  AppContext context{full, err_};
  EXPECT_EQ(run_program({"help"}, fill_, context), 4);
}

TEST_F(ProgramTest, ListsWhatExists) {
  EXPECT_EQ(call({"list"}), 0);
  for (const char* part : {"demo/pair", "thread, process", "1 or more", "one barrier"})
    EXPECT_NE(out_.str().find(part), std::string::npos) << part;
  EXPECT_EQ(call({"list", "formats"}), 0);
  EXPECT_NE(out_.str().find("csv"), std::string::npos);
  EXPECT_EQ(call({"list", "rules"}), 0);
  for (const std::string& rule : rule_names()) EXPECT_NE(out_.str().find(rule), std::string::npos) << rule;
  EXPECT_EQ(call({"list", "placements"}), 0);
  EXPECT_NE(out_.str().find("same-pu"), std::string::npos);
  EXPECT_EQ(call({"list", "placement"}), 2);
  EXPECT_NE(err_.str().find("'placements'"), std::string::npos) << err_.str();
}

TEST_F(ProgramTest, DescribesMeasurementsAndSections) {
  EXPECT_EQ(call({"describe", "demo/pair"}), 0);
  for (const char* part :
       {"one exchange", "channel", "flag, futex, pipe", "bytes", "By channel:", "measurement = demo/pair"})
    EXPECT_NE(out_.str().find(part), std::string::npos) << part;
  EXPECT_EQ(out_.str().find("bystander"), std::string::npos) << "not for two members";
  EXPECT_EQ(call({"describe", "precision"}), 0);
  for (const OptionInfo& option : options_of("precision"))
    EXPECT_NE(out_.str().find("\n" + option.name + " "), std::string::npos) << option.name;
  for (const std::string& rule : rule_names()) EXPECT_NE(out_.str().find("\n" + rule), std::string::npos) << rule;
  EXPECT_EQ(call({"describe", "quantile-ci"}), 0);
  EXPECT_TRUE(out_.str().starts_with("quantile-ci:"));
  EXPECT_EQ(call({"describe", "quantile"}), 0);
  EXPECT_NE(out_.str().find("quantile-ci (rule)"), std::string::npos) << out_.str();
  EXPECT_EQ(call({"describe", "add-session"}), 0);
  EXPECT_NE(out_.str().find("--add-session (option of resume)"), std::string::npos) << "as outputs advise it";
  EXPECT_EQ(call({"describe", "quartile"}), 2);
  EXPECT_EQ(call({"describe", "campaign"}), 0);
  EXPECT_EQ(call({"describe", "series"}), 0);
  EXPECT_EQ(call({"describe", "demo/piar"}), 2);
  EXPECT_NE(err_.str().find("'demo/pair'"), std::string::npos) << err_.str();
}

TEST_F(ProgramTest, ListingsAreWrittenForPrograms) {
  const auto file = write("demo.ini", "[series.one]\nmeasurement = demo/pair\nchannel = futex, pipe\n");
  const std::vector<std::vector<std::string>> all{{"list"},
                                                  {"list", "rules"},
                                                  {"list", "placements"},
                                                  {"list", "formats"},
                                                  {"list", "layouts"},
                                                  {"describe", "pair"},
                                                  {"describe", "precision"},
                                                  {"plan", file},
                                                  {"placements"},
                                                  {"doctor", "--seconds", "0"}};
  for (auto arguments : all) {
    arguments.insert(arguments.end(), {"--format", "json"});
    EXPECT_EQ(call(arguments), 0) << arguments.front() << err_.str();
    const Json read = parse_json(out_.str());
    EXPECT_EQ(read.at("format").string(), "assay-listing");
    EXPECT_FALSE(read.at("rows").array().empty()) << arguments.front();
    arguments.back() = "csv";
    EXPECT_EQ(call(arguments), 0) << arguments.front() << err_.str();
    EXPECT_NE(out_.str().find("\r\n"), std::string::npos);
    arguments.back() = "xml";
    EXPECT_EQ(call(arguments), 2) << arguments.front();
  }
}

TEST_F(ProgramTest, APlanIsForAnotherMachine) {
  const auto file = write("demo.ini", "[series.one]\nmeasurement = demo/pair\nplacement = representative\n");
  EXPECT_EQ(call({"plan", file, "--topology", "pack:2 core:2 pu:2", "--format", "json"}), 0) << err_.str();
  std::string placements;
  const Json planned = parse_json(out_.str());
  for (const Json& row : planned.at("rows").array()) placements += row.at("placement").string() + " ";
  EXPECT_NE(placements.find("cross-package"), std::string::npos) << placements;
  EXPECT_EQ(call({"plan", file, "--topology", "pack:2 core:2 pu:2"}), 0);
  EXPECT_NE(out_.str().find("cross-package"), std::string::npos);
  for (const char* bad : {"nosuch.xml", "pack:x", "nonsense"}) {
    EXPECT_EQ(call({"plan", file, "--topology", bad}), 2) << bad;
    EXPECT_TRUE(err_.str().starts_with("assay plan --topology '" + std::string(bad) + "': error")) << err_.str();
    EXPECT_EQ(call({"placements", "--topology", bad}), 2) << bad;
  }
}

TEST_F(ProgramTest, APlanShowsEveryPointAndCreatesNothing) {
  const auto file =
      write("demo.ini", "[campaign]\noutput = " + folder_.string() +
                            "/out\n[series.one]\nmeasurement = demo/pair\n"
                            "placement = unbound\nvehicle = process\nchannel = futex, pipe\nbytes = 8, 512\n");
  EXPECT_EQ(call({"plan", file}), 0) << err_.str();
  for (const char* part : {"demo/pair", "512", "futex", "unsupported"})
    EXPECT_NE(out_.str().find(part), std::string::npos) << part << out_.str();
  EXPECT_EQ(call({"plan", file, "--set", "series.one.channel=pipe", "--series", "one"}), 0);
  EXPECT_EQ(out_.str().find("unsupported"), std::string::npos) << out_.str();
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

TEST_F(ProgramTest, AWrongFileMeasuresAndCreatesNothing) {
  const auto file = write("demo.ini", "[series.one]\nmeasurement = demo/nonsense\n");
  EXPECT_EQ(call({"run", file, "--output", (folder_ / "out").string()}), 2);
  EXPECT_NE(err_.str().find("demo.ini:2:15"), std::string::npos) << err_.str();
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

TEST_F(ProgramTest, TheTimeLimitIsAnOverride) {
  const auto file = write("demo.ini", "[series.one]\nmeasurement = demo/solo\n");
  EXPECT_EQ(call({"plan", file, "--time-limit", "soon"}), 2);
  EXPECT_TRUE(err_.str().starts_with("--time-limit 'soon'")) << err_.str();
}

}  // namespace
}  // namespace assay::test
