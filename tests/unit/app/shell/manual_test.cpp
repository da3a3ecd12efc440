// SPDX-License-Identifier: Apache-2.0
// Pages of the manual: nothing of the tables is missing in them, and no text is taken for a request.
#include "app/shell/manual.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "app/shell/guide.hpp"
#include "record/provenance.hpp"
#include "support/environment/paths.hpp"

namespace assay::test {
namespace {

bool has_line(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string page(const std::string& name) {
  for (const Page& one : manual("2026-11-23"))
    if (one.name == name) return one.text;
  return {};
}

TEST(Roff, TextStaysWhatItIs) {
  EXPECT_EQ(roff_escaped("a-b 'c' \"d\" `e` ~/f ^ \\n"),
            "a\\-b \\(aqc\\(aq \\(dqd\\(dq \\(gae\\(ga \\(ti/f \\(ha \\en");
  EXPECT_EQ(roff_prose("say 'a-b' or --set"), "say \\fBa\\-b\\fR or \\fB\\-\\-set\\fR");
}

TEST(Roff, NoTextIsARequest) {
  ManPage page({"T", 1, "", "", ""});
  page.section("A");
  page.paragraph(".SH is how a section begins");
  page.lines({".TP", "'x"});
  page.item(".dot", "...");
  EXPECT_TRUE(has_line(page.text(), "\n\\&.SH is how"));
  EXPECT_TRUE(has_line(page.text(), "\n\\&.TP\n\\(aqx\n"));
  EXPECT_TRUE(has_line(page.text(), "\n.TP\n\\&.dot\n\\&...\n"));
}

TEST(Manual, HasAPageForEachCommandForPeople) {
  std::set<std::string> names;
  for (const Page& one : manual("2026-11-23")) names.insert(one.file());
  std::set<std::string> expected{"man1/assay.1", "man5/assay-campaign.5"};
  for (const CommandEntry& entry : commands())
    if (!entry.make().hidden) expected.insert("man1/assay-" + std::string(entry.name) + ".1");
  EXPECT_EQ(names, expected);
}

TEST(Manual, EveryOptionIsInThePageOfItsCommand) {
  for (const CommandInfo& command : shown_commands()) {
    const auto text = page("assay-" + command.name);
    for (const CommandOption& option : command.options) {
      EXPECT_TRUE(has_line(text, roff_bold("--" + option.name))) << command.name << " --" << option.name;
      if (!option.argument.name.empty()) {
        EXPECT_TRUE(has_line(text, roff_bold("--" + option.name) + " " + roff_variable(option.argument.name)))
            << command.name << " --" << option.name;
      }
    }
    for (const Example& example : command.examples) EXPECT_TRUE(has_line(text, roff_escaped(example.command)));
    for (const ExitMeaning& exit : exit_meanings(command))
      EXPECT_TRUE(has_line(text, "\n" + roff_bold(std::to_string(static_cast<int>(exit.code))) + "\n")) << command.name;
    EXPECT_FALSE(command.examples.empty()) << command.name;
  }
}

TEST(Manual, EveryKeyIsInThePageOfCampaigns) {
  const auto text = page("assay-campaign");
  for (const OptionInfo& option : option_table())
    EXPECT_TRUE(has_line(text, roff_bold(option.name) + " = ")) << option.section << "." << option.name;
}

TEST(Manual, IsDated) {
  EXPECT_TRUE(has_line(page("assay"), ".TH ASSAY 1 \"2026-11-23\" \"assay 0"));
  EXPECT_TRUE(std::regex_match(source_date(), std::regex("20\\d\\d-\\d\\d-\\d\\d")));
}

// Variables that one process of the program leaves to another are not documented.
TEST(Guide, KnowsEveryVariableOfTheSources) {
  const std::set<std::string> internal{"ASSAY_RUN", "ASSAY_PAD", "ASSAY_DROP_TO"};
  std::set<std::string> known;
  for (const EnvironmentVariable& variable : environment_variables()) known.insert(variable.name);
  const std::regex name(
      "\"(ASSAY_(?!CAMPAIGN|PRECISION)[A-Z_]*[A-Z]|NO_COLOR|XDG_[A-Z_]+|SLURM_JOB_(?:ID|END_TIME))\"");
  int found = 0;
  const std::string root = source_directory() + "/framework";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".cpp") continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (std::sregex_iterator at(text.begin(), text.end(), name), end; at != end; ++at, ++found)
      EXPECT_TRUE(known.contains((*at)[1]) || internal.contains((*at)[1])) << (*at)[1] << " in " << entry.path();
  }
  EXPECT_GT(found, 5);
}

TEST(Guide, CommandsOfVariablesExist) {
  for (const EnvironmentVariable& variable : environment_variables())
    for (const std::string& name : variable.commands)
      EXPECT_EQ(std::ranges::count(shown_commands(), name, &CommandInfo::name), 1) << variable.name << ": " << name;
}

}  // namespace
}  // namespace assay::test
