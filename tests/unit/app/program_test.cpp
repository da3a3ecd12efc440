// SPDX-License-Identifier: Apache-2.0
// The program as its user meets it: commands, help, exit codes, and what exceptions become.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/cli/command.hpp"
#include "base/error.hpp"
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
    EXPECT_NE(err_.str().find("unknown unit 'hours'"), std::string::npos) << err_.str();
    EXPECT_NE(err_.str().find("it is one of ns, cycles"), std::string::npos) << err_.str();
  }
  EXPECT_EQ(call({"export", "x", "--format", "junit", "--unit", "cycles"}), ExitCode::usage);
  EXPECT_NE(err_.str().find("csv, csv-long or json"), std::string::npos) << err_.str();
  EXPECT_EQ(call({"show", "x", "--layout", "logp", "--unit", "cycles"}), ExitCode::usage);
  EXPECT_NE(err_.str().find("--unit is for plain tables"), std::string::npos) << err_.str();
}

TEST_F(ProgramTest, PlacementsOfAnyMachine) {
  EXPECT_EQ(call({"placements"}), 0) << err_.str();
  EXPECT_EQ(call({"placements", "-k", "3", "--roles", "main+equal", "--representatives=2", "--topology",
                  "pack:2 l3:8 core:8 pu:2"}),
            0);
  EXPECT_NE(out_.str().find("2 packages, 16 L3, 128 cores, 256 PUs; 256 usable\n"
                            "3 members, roles main+equal: 23 classes of 16777216 placements\n"),
            std::string::npos)
      << out_.str();
  EXPECT_EQ(call({"placements", "--memory", "--topology", "pack:2 [numa] core:1 pu:1"}), 0);
  EXPECT_NE(out_.str().find("cross-package@memory=local/cross-package"), std::string::npos);
}

TEST_F(ProgramTest, PlacementsThatCannotBeListed) {
  const auto told = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "placements");
    EXPECT_EQ(call(arguments), 2);
    EXPECT_TRUE(err_.str().starts_with("assay placements: error: ")) << err_.str();
    return err_.str().substr(25);
  };
  EXPECT_EQ(told({"--members", "7"}), "--members: '7' is out of range; it lies between 1 and 6\n");
  EXPECT_TRUE(told({"--topology", "socks:2"}).starts_with("synthetic machine 'socks:2' cannot be read"));
  EXPECT_TRUE(told({"--topology", "missing.xml"}).starts_with("machine file 'missing.xml' cannot be read"));
  EXPECT_EQ(told({"--roles", "a,b,c"}),
            "roles 'a,b,c' cannot be used; there are 3 words for 2 members; write ordered, equal, main+equal, or a "
            "word for each member such as a,b,b\n");
  EXPECT_EQ(told({"-k", "6", "--topology", "pack:2 numa:4 l3:2 core:8 pu:2", "--memory"}),
            "there are more than 100000 classes; ask for fewer members, or for --roles equal\n");
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
  EXPECT_EQ(err_.str(),
            "assay: error: unknown command 'shwo'; and there is no program assay-shwo on the path; did you "
            "mean 'show'?\n");
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
  EXPECT_EQ(err_.str(),
            "assay show: error: something is missing; usage: assay show DIR... [--layout NAME|FILE] [--average] "
            "[--explain] [options]; "
            "'assay help show' says more\n");
  EXPECT_EQ(call({"resume", "a", "b"}), 2);
  EXPECT_EQ(err_.str(),
            "assay resume: error: unexpected 'b'; usage: assay resume DIR [options]; "
            "'assay help resume' says more\n");
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
  EXPECT_EQ(err_.str(), "assay: error: standard output cannot be written\n");
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
  EXPECT_EQ(err_.str(), "assay list: error: unknown kind of thing 'placement'; did you mean 'placements'?\n");
}

TEST_F(ProgramTest, DescribesMeasurementsAndSections) {
  EXPECT_EQ(call({"describe", "demo/pair"}), 0);
  for (const char* part :
       {"one exchange", "channel", "flag, futex, pipe", "bytes", "By channel:", "measurement = demo/pair"})
    EXPECT_NE(out_.str().find(part), std::string::npos) << part;
  EXPECT_EQ(out_.str().find("bystander"), std::string::npos) << "not for two members";
  EXPECT_EQ(call({"describe", "precision"}), 0);
  for (const OptionInfo& option : options_of("precision"))
    EXPECT_NE(out_.str().find(option.help), std::string::npos) << option.name;
  for (const std::string& rule : rule_names()) EXPECT_NE(out_.str().find("\n" + rule), std::string::npos) << rule;
  EXPECT_EQ(call({"describe", "quantile-ci"}), 0);
  EXPECT_TRUE(out_.str().starts_with("quantile-ci: the p-quantile"));
  EXPECT_NE(out_.str().find("\n  stops when  As median-ci"), std::string::npos);
  EXPECT_NE(
      out_.str().find("\n  defaults    p 0.1, eps 2 %, at least 8 visits and 5 timings, at most 4000 timings and 5 s."),
      std::string::npos);
  EXPECT_EQ(call({"describe", "quantile"}), 2);
  EXPECT_EQ(call({"describe", "campaign"}), 0);
  EXPECT_EQ(call({"describe", "series"}), 0);
  EXPECT_EQ(call({"describe", "demo/piar"}), 2);
  EXPECT_EQ(err_.str(), "assay describe: error: nothing is named 'demo/piar'; did you mean 'demo/pair'?\n");
}

TEST_F(ProgramTest, APlanShowsEveryPointAndCreatesNothing) {
  const auto file =
      write("demo.ini", "[campaign]\noutput = " + folder_.string() +
                            "/out\n[series.one]\nmeasurement = demo/pair\n"
                            "placement = unbound\nvehicle = process\nchannel = futex, pipe\nbytes = 8, 512\n");
  EXPECT_EQ(call({"plan", file}), 0) << err_.str();
  EXPECT_TRUE(out_.str().starts_with("Campaign demo, seed ")) << out_.str();
  EXPECT_NE(out_.str().find("4 points (2 not applicable), 10 incarnations"), std::string::npos) << out_.str();
  EXPECT_NE(out_.str().find("Series one: demo/pair, 4 points, 5 incarnations each, median-ci("), std::string::npos);
  EXPECT_NE(out_.str().find("unsupported: vehicle process"), std::string::npos);
  EXPECT_NE(out_.str().find("To compare: a change of one of 2 points needs 4 incarnations"), std::string::npos);
  EXPECT_EQ(call({"plan", file, "--set", "series.one.channel=pipe", "--series", "one"}), 0);
  EXPECT_NE(out_.str().find("2 points, 10 incarnations"), std::string::npos) << out_.str();
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

TEST_F(ProgramTest, AWrongFileMeasuresAndCreatesNothing) {
  const auto file = write("demo.ini", "[series.one]\nmeasurement = demo/nonsense\n");
  EXPECT_EQ(call({"run", file, "--output", (folder_ / "out").string()}), 2);
  EXPECT_NE(err_.str().find("unknown measurement"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

TEST_F(ProgramTest, TheTimeLimitIsAnOverride) {
  const auto file = write("demo.ini", "[series.one]\nmeasurement = demo/solo\n");
  EXPECT_EQ(call({"plan", file, "--time-limit", "soon"}), 2);
  EXPECT_TRUE(err_.str().starts_with("--set 'campaign.time-limit=soon': error: time-limit: 'soon' is not a duration"));
}

}  // namespace
}  // namespace assay::test
