// SPDX-License-Identifier: Apache-2.0
// The progress line: how often, how long, and how it is removed.
#include "app/campaign/progress.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "support/machines/fake_clock.hpp"

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
  clock.advance(milliseconds(249));
  display.show(progress(2, "too early"));
  clock.advance(milliseconds(1));
  display.show(progress(3, ""));
  const auto first = live_text(progress(1, "long"), 197);
  const auto second = live_text(progress(3, ""), 197);
  EXPECT_TRUE(first.ends_with("] " + to_text(progress(1, "long"))));
  EXPECT_EQ(out.str(), "\r" + first + "\r" + second + std::string(first.size() - second.size(), ' '));
}

TEST(ProgressText, ABarHasTheShareOfTheTimeElseOfThePoints) {
  const auto full = [](const std::string& text) { return std::ranges::count(text, '#'); };
  Progress now{1, 40, seconds(30), seconds(10), {}};
  EXPECT_EQ(live_text(now, 200).find("] "), 25U);
  EXPECT_EQ(full(live_text(now, 200)), 18) << "three quarters of 24";
  now.left = {};
  EXPECT_EQ(full(live_text(now, 200)), 0);
  now.done = 40;
  EXPECT_EQ(full(live_text(now, 200)), 24);
  EXPECT_EQ(live_text(now, 50).find("] "), 7U) << "shorter on a narrow screen";
  EXPECT_EQ(live_text(now, 49), to_text(now)) << "and none on a narrower one";
}

TEST(ProgressText, FitsWhateverTheWidthIs) {
  Progress now{1, 40, seconds(30), seconds(10), "a-series-with-a-long-name bytes=1234567 mode=x"};
  for (std::size_t columns = 0; columns < 150; ++columns) {
    const std::string text = live_text(now, columns);
    EXPECT_LE(text.size(), columns);
    EXPECT_TRUE(columns <= 2 || text.ends_with("mode=x") || text.ends_with("..")) << text;
  }
}

TEST(ProgressText, TellsTheValueBeforeTheNameThatMayBeCut) {
  Progress now = progress(12);
  now.value = {{"median", 112, {111.2, 112.8, 0.95}, "visits"}, Unit::nanoseconds, 0.012};
  EXPECT_EQ(to_text(now),
            "12/40 points, 35 s, about 2 min 5 s left, median 112.00 [111.20 .. 112.80] ns, 1.2 % disturbed: one "
            "bytes=8");
}

TEST(ProgressDisplay, KeepsRoomForTheEchoOfAnInterruptAndClearsItToo) {
  std::ostringstream out;
  FakeClock clock;
  ProgressDisplay display(out, {true, 20}, clock);
  display.show(progress(1));
  EXPECT_EQ(out.str(), "\r" + to_text(progress(1)).substr(0, 15) + "..");
  display.clear();
  EXPECT_TRUE(out.str().ends_with("\r" + std::string(19, ' ') + "\r"));
  const auto length = out.str().size();
  display.clear();
  EXPECT_EQ(out.str().size(), length) << "there is nothing left to remove";
}

TEST(ProgressDisplay, FollowsTheWidthAndCutsNoCharacter) {
  std::ostringstream out;
  FakeClock clock;
  std::size_t width = 100;
  ProgressDisplay display(out, {true, 80, [&] { return width; }}, clock);
  const std::string wide = "\xe6\xb8\xac\xe6\xb8\xac";  // two characters of two columns each
  display.show({1, 2, seconds(1), {}, wide});
  EXPECT_TRUE(out.str().ends_with("] 1/2 points, 1 s: " + wide)) << out.str();
  const std::size_t before = out.str().size();
  clock.advance(seconds(1));
  width = 23;  // 17 columns of text, half of a character for which there is no room, and the dots
  display.show({1, 2, seconds(1), {}, wide});
  EXPECT_TRUE(out.str().substr(before).starts_with("\r1/2 points, 1 s: .. ")) << out.str();
  width = 1;
  clock.advance(seconds(1));
  display.show(progress(1));
  EXPECT_TRUE(out.str().ends_with("\r")) << "nothing fits";
}

TEST(ProgressDisplay, ALineThatStaysRemovesTheOneThatIsRewritten) {
  std::ostringstream out;
  FakeClock clock;
  ProgressDisplay display(out, {true, 20}, clock);
  display.show(progress(1));
  display.log("done");
  EXPECT_TRUE(out.str().ends_with("\r" + std::string(19, ' ') + "\rdone\n"));
}

TEST(ProgressDisplay, RemovesItsLineWhenItEnds) {
  std::ostringstream out;
  FakeClock clock;
  { ProgressDisplay(out, {true, 20}, clock).show(progress(1)); }
  EXPECT_TRUE(out.str().ends_with("\r" + std::string(19, ' ') + "\r"));
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
