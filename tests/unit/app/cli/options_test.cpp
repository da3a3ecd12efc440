// SPDX-License-Identifier: Apache-2.0
// Precedence of settings, unknown keys, the environment, and the arguments of sub-commands.
#include "app/cli/options.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "app/config/precision.hpp"

namespace assay {
namespace {

Given given(const std::string& key, const std::string& value, const std::string& file, int line = 0) {
  return {"precision", key, {file, line, 1}, {value, {file, line, 7}}};
}

SectionSchema precision_schema() { return {"precision", options_of("precision"), "see the list"}; }

/// A variable of the environment for one test.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  ~Variable() { ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

TEST(Options, TheFirstSourceWinsAndKeepsItsPosition) {
  std::vector<Problem> problems;
  const auto settings =
      merge(precision_schema(),
            {{given("alpha", "0.1", "--set")},
             {given("alpha", "0.2", "ENV"), given("batches", "4", "ENV")},
             {given("alpha", "0.3", "f", 3), given("batches", "5", "f", 4), given("eps", "2%", "f", 5)}},
            problems);
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(settings.at("precision.alpha").value, "0.1");
  EXPECT_EQ(settings.at("precision.alpha").at.file, "--set");
  EXPECT_EQ(settings.at("precision.batches").value, "4");
  EXPECT_EQ(settings.at("precision.eps").value, "2%");
  EXPECT_EQ(settings.at("precision.eps").at.line, 5);
  EXPECT_EQ(settings.at("precision.eps").at.column, 7);
}

TEST(Options, DefaultsStandInAndHaveNoPosition) {
  std::vector<Problem> problems;
  const auto settings = merge(precision_schema(), {}, problems);
  EXPECT_EQ(settings.at("precision.rule").value, "median-ci");
  EXPECT_TRUE(settings.at("precision.rule").at.file.empty());
  EXPECT_EQ(settings.count("precision.eps"), 0U) << "what has no default is not there";
  EXPECT_EQ(settings.at("precision.warm-up").as<Nanoseconds>(), milliseconds(5));
  EXPECT_EQ(settings.at("precision.incarnations").as<std::int64_t>(), 5);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(*settings.at("precision.batches").typed)) << "auto";
}

TEST(Options, EveryDefaultOfTheTableIsOfItsType) {
  for (const OptionInfo& option : option_table()) {
    if (option.standard.empty()) continue;
    EXPECT_NO_THROW(option.type.read(option.name, option.standard)) << option.name;
  }
}

TEST(Options, ValuesAreReadByTheirTypesAndAllThatAreWrongAreTold) {
  std::vector<Problem> problems;
  const auto settings =
      merge(precision_schema(),
            {{given("eps", "2%", "--set")},
             {given("eps", "much", "f", 3), given("max-time", "5", "f", 4), given("batches", "0", "f", 5)}},
            problems);
  EXPECT_EQ(settings.at("precision.eps").as<double>(), 0.02) << "what is overridden is not read";
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_TRUE(to_text(problems[0]).starts_with("f:4:7: error: max-time: '5' is not a duration"))
      << to_text(problems[0]);
  EXPECT_EQ(to_text(problems[1]), "f:5:7: error: batches: '0' is out of range; it lies between 1 and 10^9");
  EXPECT_TRUE(has_refused(settings));
  EXPECT_FALSE(settings.at("precision.max-time").as<Nanoseconds>());
}

TEST(Options, EachUnknownKeyIsNamedWithTheNearest) {
  std::vector<Problem> problems;
  merge(precision_schema(), {{given("bathces", "4", "f", 3), given("colour", "4", "f", 4)}}, problems);
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_EQ(problems[0].where.line, 3);
  EXPECT_NE(problems[0].remedy.find("'batches'"), std::string::npos) << problems[0].remedy;
  EXPECT_EQ(problems[1].where.line, 4);
  EXPECT_EQ(problems[1].remedy, "see the list") << "what the schema says where nothing is near";
}

TEST(Options, OtherSectionsAreLeftAlone) {
  std::vector<Problem> problems;
  merge({"campaign", options_of("campaign"), ""}, {{given("nonsense", "4", "f", 3)}}, problems);
  EXPECT_TRUE(problems.empty());
}

TEST(Options, ValuesOfAnyLookSurvive) {
  std::vector<Problem> problems;
  for (const char* value : {"-1", "--set", "a b, c", "\"x # y\"", "1..4 *2"}) {
    const auto settings = merge(precision_schema(), {{given("rule", value, "f", 1)}}, problems);
    EXPECT_EQ(settings.at("precision.rule").value, value);
  }
}

TEST(Options, TheEnvironmentNamesSectionAndKey) {
  const Variable limit("ASSAY_CAMPAIGN_TIME_LIMIT", "30s");
  const Variable eps("ASSAY_PRECISION_EPS", "5%");
  const Variable other("ASSAY_PAD", "xxx");
  const auto found = environment_settings();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].section, "campaign");
  EXPECT_EQ(found[0].key, "time-limit");
  EXPECT_EQ(found[0].setting.value, "30s");
  EXPECT_EQ(found[0].setting.at.file, "ASSAY_CAMPAIGN_TIME_LIMIT");
  EXPECT_EQ(found[1].key, "eps");
}

TEST(Options, TheShortNameOfTheLauncherGoesBeforeTheLongOne) {
  const Variable brief("ASSAY_LAUNCHER", "srun");
  const Variable full("ASSAY_CAMPAIGN_LAUNCHER", "mpirun");
  std::vector<Problem> problems;
  const auto settings = merge({"campaign", options_of("campaign"), ""}, {environment_settings()}, problems);
  EXPECT_EQ(settings.at("campaign.launcher").as<std::string>(), "srun");
  EXPECT_EQ(settings.at("campaign.launcher").at.file, "ASSAY_LAUNCHER");
}

TEST(Options, AMisspeltVariableIsAProblem) {
  const Variable wrong("ASSAY_PRECISION_EPSS", "5%");
  std::vector<Problem> problems;
  merge(precision_schema(), {environment_settings()}, problems);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].where.file, "ASSAY_PRECISION_EPSS");
}

TEST(Options, TheTableNamesEachKeyOnceAndExplainsIt) {
  std::set<std::string> seen;
  for (const OptionInfo& option : option_table()) {
    EXPECT_TRUE(seen.insert(option.section + "." + option.name).second) << option.name;
    EXPECT_FALSE(option.help.empty()) << option.name;
    EXPECT_FALSE(option.type.name.empty()) << option.name;
  }
  EXPECT_EQ(options_of("campaign").size() + options_of("precision").size() + options_of("series").size() +
                options_of("variant").size(),
            option_table().size());
}

TEST(Options, DefaultsOfTheTableAreThoseOfThePlan) {
  std::vector<Problem> unused;
  Problems problems;
  const auto read = read_precision(merge(precision_schema(), {}, unused), "precision", problems);
  EXPECT_TRUE(problems.list().empty());
  EXPECT_EQ(precision_text(read), precision_text(Precision{}));
}

const std::vector<CommandOption> options = {{"output", "DIR", "folder"},
                                            {"set", "K=V", "override", true},
                                            {"seconds", {"S", count_value(0, 60)}, "how long"},
                                            {"share", {"SHARE", share_value(Ends::zero)}, "how much"},
                                            {"unit", {"UNIT", word_value({"ns", "cycles"})}, "of times"},
                                            {"quiet", "", "be quiet"},
                                            {"help", "", "help", false, 'h'}};

std::string refusal(const std::vector<std::string>& arguments) {
  try {
    parse_command_line("assay run", options, arguments);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(CommandLine, TakesOptionsAndOperandsApart) {
  const std::vector<std::string> arguments = {"a", "--output=x", "b", "--set", "p=1", "--set", "q=-2", "--quiet", "-"};
  const auto line = parse_command_line("assay run", options, arguments);
  EXPECT_EQ(line.operands, (std::vector<std::string>{"a", "b", "-"}));
  EXPECT_EQ(line.values("output"), std::vector<std::string>{"x"});
  EXPECT_EQ(line.values("set"), (std::vector<std::string>{"p=1", "q=-2"}));
  EXPECT_TRUE(line.has("quiet"));
  EXPECT_FALSE(line.has("help"));
  EXPECT_EQ(line.arguments, arguments);
}

TEST(CommandLine, EndsOptionsAtTwoDashes) {
  const auto line = parse_command_line("assay run", options, {"--", "--quiet", "-h", "--"});
  EXPECT_EQ(line.operands, (std::vector<std::string>{"--quiet", "-h", "--"}));
  EXPECT_FALSE(line.has("quiet"));
}

TEST(CommandLine, ShortHelpAndEmptyArguments) {
  EXPECT_TRUE(parse_command_line("assay run", options, {"-h"}).has("help"));
  EXPECT_NE(refusal({""}), "accepted");
  EXPECT_NE(refusal({"--output", ""}), "accepted");
}

TEST(CommandLine, WhatIsWrongIsNamed) {
  const std::vector<std::pair<std::vector<std::string>, const char*>> cases = {
      {{"--outptu", "x"}, "'--output'"},
      {{"--output"}, "'--output'"},
      {{"--output="}, "'--output'"},
      {{"--quiet=1"}, "'--quiet'"},
      {{"--output", "x", "--output", "y"}, "'--output'"},
      {{"--output", "--quiet"}, "'--quiet'"}};
  for (const auto& [arguments, named] : cases)
    EXPECT_NE(refusal(arguments).find(named), std::string::npos) << refusal(arguments);
  EXPECT_NE(refusal({"--outp", "x"}), "accepted") << "names are not abbreviated";
  EXPECT_NE(refusal({"-x"}), "accepted");
}

TEST(CommandLine, ValuesAreReadByTheirTypes) {
  const auto line =
      parse_command_line("assay run", options, {"x", "--seconds", "7", "--unit=ns", "--quiet", "--quiet"});
  EXPECT_EQ(line.value<std::int64_t>("seconds"), 7);
  EXPECT_EQ(line.value<std::string>("unit"), "ns");
  EXPECT_FALSE(line.value<double>("share"));
  EXPECT_EQ(refusal({"--seconds", "61"}),
            "assay run: error: --seconds: '61' is out of range; it lies between 0 and 60");
  EXPECT_EQ(refusal({"--unit", "cylces"}), "assay run: error: unknown unit 'cylces'; did you mean 'cycles'?");
  EXPECT_EQ(refusal({"--share", "1"}),
            "assay run: error: --share: '1' is out of range; it lies from 0 to below 1; write for instance 0.02 or 2%");
}

TEST(CommandLine, HelpNamesEachOption) {
  const auto text = help_text(options);
  for (const char* part : {"--output DIR", "--set K=V", "--quiet", "be quiet", "-h [ --help ]"})
    EXPECT_NE(text.find(part), text.npos) << part;
}

}  // namespace
}  // namespace assay
