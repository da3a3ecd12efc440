// SPDX-License-Identifier: Apache-2.0
// The progress line: how often, how long, and how it is removed.
#include "app/progress.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "support/fake_clock.hpp"

namespace assay::test {
namespace {

Progress progress(int done, const std::string& current = "one bytes=8") {
  return {done, 40, seconds(35), seconds(125), current};
}

TEST(ProgressText, SaysWhatIsKnown) {
  EXPECT_EQ(to_text(progress(12)), "12/40 points, 35 s, about 2 min 5 s left: one bytes=8");
  EXPECT_EQ(to_text(Progress{0, 3, seconds(1), {}, {}}), "0/3 points, 1 s");
  EXPECT_EQ(to_text(progress(1, "a\x1b[2J")), "1/40 points, 35 s, about 2 min 5 s left: a\\x1b[2J");
}

TEST(ProgressDisplay, WritesALineEveryFiveSecondsWhereNothingCanBeRewritten) {
  std::ostringstream out;
  FakeClock clock;
  ProgressDisplay display(out, {false, 80}, clock);
  display.show(progress(1));
  clock.advance(milliseconds(4999));
  display.show(progress(2));
  clock.advance(milliseconds(1));
  display.show(progress(3));
  display.clear();
  EXPECT_EQ(out.str(), to_text(progress(1)) + "\n" + to_text(progress(3)) + "\n");
}

TEST(ProgressDisplay, RewritesItsLineAndBlanksTheRest) {
  std::ostringstream out;
  FakeClock clock;
  ProgressDisplay display(out, {true, 200}, clock);
  display.show(progress(1, "long"));
  clock.advance(milliseconds(50));
  display.show(progress(2, "too early"));
  clock.advance(milliseconds(50));
  display.show(progress(3, ""));
  const auto first = to_text(progress(1, "long"));
  const auto second = to_text(progress(3, ""));
  EXPECT_EQ(out.str(), "\r" + first + "\r" + second + std::string(first.size() - second.size(), ' '));
}

TEST(ProgressDisplay, KeepsTheLastColumnFreeAndClears) {
  std::ostringstream out;
  FakeClock clock;
  ProgressDisplay display(out, {true, 20}, clock);
  display.show(progress(1));
  EXPECT_EQ(out.str(), "\r" + to_text(progress(1)).substr(0, 19));
  display.clear();
  EXPECT_TRUE(out.str().ends_with("\r" + std::string(19, ' ') + "\r"));
  const auto length = out.str().size();
  display.clear();
  EXPECT_EQ(out.str().size(), length) << "there is nothing left to remove";
}

TEST(ProgressDisplay, ALineThatStaysRemovesTheOneThatIsRewritten) {
  std::ostringstream out;
  FakeClock clock;
  ProgressDisplay display(out, {true, 20}, clock);
  display.show(progress(1));
  display.log("done");
  EXPECT_TRUE(out.str().ends_with("\r" + std::string(19, ' ') + "\rdone\n"));
}

TEST(ProgressStyle, HonoursTermAndColumns) {
  ::setenv("TERM", "xterm", 1);
  ::setenv("COLUMNS", "132", 1);
  EXPECT_TRUE(progress_style(true).rewrites);
  EXPECT_EQ(progress_style(true).width, 132U);
  EXPECT_FALSE(progress_style(false).rewrites);
  ::setenv("TERM", "dumb", 1);
  EXPECT_FALSE(progress_style(true).rewrites);
  ::unsetenv("COLUMNS");
  EXPECT_GE(progress_style(true).width, 1U);
}

}  // namespace
}  // namespace assay::test
