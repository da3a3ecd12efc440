// SPDX-License-Identifier: Apache-2.0
// Completions: nothing of the tables is missing in them, and what the program offers is what there is.
#include "app/shell/completion.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "app/shell/guide.hpp"
#include "unit/app/plan_fixture.hpp"

namespace assay::test {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Completion, HasEveryCommandAndOption) {
  for (const CommandInfo& command : completed_commands())
    for (const CommandOption& option : command.options) {
      const auto what = command.name + " --" + option.name;
      const bool takes_value = !option.argument.name.empty();
      EXPECT_TRUE(has(bash_completion(), "--" + option.name)) << what;
      EXPECT_EQ(has(bash_completion(), "'" + what + "'"), takes_value) << what;
      EXPECT_TRUE(has(zsh_completion(), "--" + option.name + (takes_value ? "=[" : "}")) ||
                  has(zsh_completion(), "--" + option.name + "["))
          << what;
      EXPECT_TRUE(has(fish_completion(), "__assay_is " + command.name + "'")) << what;
      EXPECT_TRUE(has(fish_completion(), " -l " + option.name + " ")) << what;
      EXPECT_EQ(has(fish_completion(), "'" + what + "'"), takes_value) << what;
    }
}

TEST(Completion, HasEveryOperand) {
  for (const CommandInfo& command : completed_commands()) {
    EXPECT_EQ(command.operands.empty(), command.most_operands == 0) << command.name;
    if (command.operands.empty()) continue;
    EXPECT_TRUE(has(bash_completion(), "'" + command.name + " ")) << command.name;
    EXPECT_TRUE(has(fish_completion(), "__assay_operand " + command.name + " 1")) << command.name;
  }
}

// What stands for operands in the table is what the synopsis has.
TEST(Completion, OperandsAreThoseOfTheSynopsis) {
  for (const CommandInfo& command : shown_commands())
    for (const Argument& operand : command.operands) {
      const auto& wanted = operand.words.empty() ? std::vector<std::string>{operand.name} : operand.words;
      for (const std::string& word : wanted)
        if (word != "NAME" && command.name != "compare") {
          EXPECT_TRUE(has(command.synopsis, word)) << command.name << ": " << word;
        }
    }
}

TEST(Completion, FixedWordsAreOffered) {
  EXPECT_TRUE(has(bash_completion(), "'compare --format') kind='words:table csv json'"));
  EXPECT_TRUE(has(zsh_completion(), ":FORMAT:(table csv json)"));
  EXPECT_TRUE(has(fish_completion(), "-l format -r -f -a 'table csv json'"));
}

TEST(Completion, EveryKindHasAWordOfItsOwn) {
  std::set<std::string_view> words;
  for (int kind = 0; kind <= static_cast<int>(ValueKind::page); ++kind)
    EXPECT_TRUE(words.insert(word_of(static_cast<ValueKind>(kind))).second);
  EXPECT_EQ(word_of(ValueKind::page), "page");
}

TEST(Completion, QuotesForShells) { EXPECT_EQ(shell_quoted("a's"), "'a'\\''s'"); }

class CandidateTest : public PlanTest {
 protected:
  std::vector<std::string> offered(ValueKind kind, const std::vector<std::string>& line = {}) {
    Registry registry;
    for (const Description& description : catalogue_.built_in) registry.add(description, Factory());
    std::vector<std::string> texts;
    for (const Candidate& candidate : candidates(kind, line, registry)) texts.push_back(candidate.text);
    return texts;
  }
  std::string file(const std::string& text) {
    const auto path = folder_ / "some.ini";
    std::ofstream(path) << text;
    return path.string();
  }
};

constexpr const char* campaign =
    "[series.pair]\nmeasurement = demo/pair\nchannel = flag, futex\nbytes = 1..64 *2\n[series.solo]\nmeasurement = "
    "demo/solo\n[variant.other]\nprogram = /x\n";

TEST_F(CandidateTest, WhatTheProgramHas) {
  EXPECT_THAT(offered(ValueKind::layout), Contains("logp"));
  EXPECT_THAT(offered(ValueKind::format), Contains("csv"));
  EXPECT_THAT(offered(ValueKind::topic), testing::IsSupersetOf({"demo/pair", "median-ci", "precision"}));
  EXPECT_THAT(offered(ValueKind::campaign), Contains("demo/pair"));
  EXPECT_THAT(offered(ValueKind::command), Contains("resume"));
  EXPECT_THAT(offered(ValueKind::command), Not(Contains("worker")));
  EXPECT_THAT(offered(ValueKind::page), testing::IsSupersetOf({"assay", "assay-run", "assay-campaign"}));
  EXPECT_THAT(offered(ValueKind::column), testing::IsSupersetOf({"median", "placement"}));
  EXPECT_THAT(offered(ValueKind::text), IsEmpty());
}

TEST_F(CandidateTest, WhatACampaignOnTheLineHas) {
  const std::vector<std::string> line{"run", "--set", file(campaign)};
  EXPECT_THAT(offered(ValueKind::series, line), testing::ElementsAre("pair", "solo"));
  EXPECT_THAT(offered(ValueKind::setting, line),
              testing::IsSupersetOf({"precision.eps=", "campaign.reserve=", "series.pair.bytes=", "series.solo.wait=",
                                     "series.solo.max-time=", "bytes=", "variant.other.program="}));
  EXPECT_THAT(offered(ValueKind::filter, line),
              testing::IsSupersetOf({"series=pair", "channel=flag", "channel=", "measurement=demo/solo"}));
  EXPECT_THAT(offered(ValueKind::filter, line), Not(Contains("bytes=1..64*2")));
  EXPECT_THAT(offered(ValueKind::factor, line), testing::IsSupersetOf({"channel", "variant"}));
  EXPECT_THAT(offered(ValueKind::level, line), testing::IsSupersetOf({"futex", "other"}));
  EXPECT_THAT(offered(ValueKind::quantity, line), Not(IsEmpty()));
}

TEST_F(CandidateTest, NothingOfWhatCannotBeRead) {
  EXPECT_THAT(offered(ValueKind::series, {"/nowhere.ini", "/dev/zero", "/", file(std::string(2'000'000, 'x'))}),
              IsEmpty());
  std::ofstream(folder_ / "journal.jsonl") << "{\"v\":1,\"seq\":0,\"type\":\"campaign\"}\n";
  EXPECT_THAT(offered(ValueKind::series, {folder_.string()}), IsEmpty());
}

// A name in an untrusted file must not become a part of a command.
TEST_F(CandidateTest, NoLettersThatShellsGiveAMeaning) {
  const auto path = file("[series.a]\nmeasurement = $(touch /tmp/x)\nchannel = a;b, `c`, d\n");
  for (const ValueKind kind : {ValueKind::filter, ValueKind::level, ValueKind::setting})
    for (const std::string& text : offered(kind, {path})) EXPECT_EQ(text.find_first_of("$;`(){}<>&|'\"\\ "), text.npos);
}

}  // namespace
}  // namespace assay::test
