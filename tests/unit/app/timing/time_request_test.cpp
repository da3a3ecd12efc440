// SPDX-License-Identifier: Apache-2.0
// Command lines of `assay time` as requests.
#include "app/timing/time_request.hpp"

#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

namespace assay::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TimeRequest request(const std::vector<std::string>& arguments) {
  return time_request(parse_command_line("assay time", time_options(), arguments));
}

std::vector<std::string> commands_in(const TimeRequest& request) {
  std::vector<std::string> all;
  for (const CommandToTime& one : request.commands) all.push_back(one.command);
  return all;
}

TEST(TimeRequest, DefaultsAreThoseOfHyperfine) {
  const TimeRequest found = request({"a b", "c"});
  EXPECT_THAT(commands_in(found), ElementsAre("a b", "c"));
  EXPECT_THAT(found.shell, ElementsAre("sh", "-c"));
  EXPECT_EQ(found.least_runs, 10);
  EXPECT_EQ(found.warmup, 0);
  EXPECT_EQ(found.output, "/dev/null");
  EXPECT_FALSE(found.most_runs || found.is_exact || found.ignores_failures || found.time_limit);
  EXPECT_TRUE(found.is_interleaved());
  EXPECT_EQ(found.seed, request({"a b", "c"}).seed);
  EXPECT_NE(found.seed, request({"a b", "d"}).seed);
}

TEST(TimeRequest, ShortFormsAreThoseOfHyperfine) {
  const TimeRequest found = request({"-N", "-w", "3", "-r7", "-p", "x", "-s", "y", "-c", "z", "-n", "name", "-i", "a"});
  EXPECT_THAT(found.shell, IsEmpty());
  EXPECT_EQ(found.warmup, 3);
  EXPECT_TRUE(found.is_exact);
  EXPECT_EQ(found.least_runs, 7);
  EXPECT_EQ(found.most_runs, 7);
  EXPECT_TRUE(found.ignores_failures);
  ASSERT_EQ(found.commands.size(), 1U);
  EXPECT_EQ(found.commands[0].name, "name");
  EXPECT_EQ(found.commands[0].prepare, "x");
  EXPECT_EQ(found.commands[0].setup, "y");
  EXPECT_EQ(found.commands[0].cleanup, "z");
}

TEST(TimeRequest, TheNumberOfRunsHasLimits) {
  EXPECT_EQ(request({"-m", "3", "-M", "5", "a"}).least_runs, 3);
  EXPECT_EQ(request({"-M", "5", "a"}).least_runs, 5) << "fewer than the usual ten";
  EXPECT_EQ(request({"-M", "50", "a"}).least_runs, 10);
  EXPECT_EQ(request({"--time-limit", "2s", "a"}).time_limit, seconds(2));
}

TEST(TimeRequest, AParameterTakesTwoWordsAndEveryValueIsMeasured) {
  const TimeRequest found = request(
      {"-L", "n", "1,2", "--parameter-list", "m", "x,y", "-p", "drop {m}", "-n", "by {n}", "a {n} {m}", "b {n}"});
  EXPECT_THAT(commands_in(found), ElementsAre("a 1 x", "b 1", "a 2 x", "b 2", "a 1 y", "b 1", "a 2 y", "b 2"));
  EXPECT_EQ(found.commands[2].name, "by 2");
  EXPECT_EQ(found.commands[3].name, "b 2") << "a command without a name has its own";
  EXPECT_EQ(found.commands[4].prepare, "drop y");
  EXPECT_THAT(found.commands[4].parameters, ElementsAre(std::pair<std::string, std::string>("n", "1"),
                                                        std::pair<std::string, std::string>("m", "y")));
}

TEST(TimeRequest, ASetupWithAParameterEndsInterleaving) {
  EXPECT_FALSE(request({"-L", "n", "1,2", "-s", "make {n}", "a"}).is_interleaved());
  EXPECT_TRUE(request({"-L", "n", "1,2", "-s", "make", "a {n}"}).is_interleaved());
}

TEST(TimeRequest, FilesAndShellsAreAsNamed) {
  const TimeRequest found = request({"--input", "in", "--output", "out", "-S", "bash --norc", "a"});
  EXPECT_EQ(found.input, "in");
  EXPECT_EQ(found.output, "out");
  EXPECT_FALSE(found.shows_output);
  EXPECT_THAT(found.shell, ElementsAre("bash", "--norc", "-c"));
  EXPECT_THAT(request({"--shell", "none", "a"}).shell, IsEmpty());
  EXPECT_TRUE(request({"--output", "inherit", "a"}).shows_output);
  EXPECT_EQ(request({"--output", "null", "a"}).output, "/dev/null");
}

TEST(TimeRequest, WordsAreKeptTogetherByQuotes) {
  EXPECT_THAT(words_of_command("awk '{print $1}'  a\\ \"b c\""), ElementsAre("awk", "{print $1}", "a\\", "b c"));
  EXPECT_THROW(words_of_command("a 'b"), ConfigError);
}

TEST(TimeRequest, WrongUseIsRefused) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"-r", "0", "a"},
                                             {"-r", "5", "-m", "3", "a"},
                                             {"-m", "5", "-M", "3", "a"},
                                             {"-N", "-S", "bash", "a"},
                                             {"-L", "n", "1,2", "a"},
                                             {"-L", "n", "1", "-L", "n", "2", "a {n}"},
                                             {"-L", "n"},
                                             {"-n", "x", "-n", "y", "a"},
                                             {"-p", "x", "-p", "y", "a", "b", "c"},
                                             {"--time-limit", "0s", "a"}})
    EXPECT_THROW(request(arguments), ConfigError) << testing::PrintToString(arguments);
}

}  // namespace
}  // namespace assay::test
