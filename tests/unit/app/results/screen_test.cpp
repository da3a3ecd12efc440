// SPDX-License-Identifier: Apache-2.0
// Colours and characters by the environment, and the line that is rewritten: how often, how long, and how it is
// removed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "app/results/screen.hpp"
#include "base/error.hpp"
#include "support/machines/fake_clock.hpp"

namespace assay::test {
namespace {

class Screens : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"NO_COLOR", "LC_ALL", "LC_CTYPE", "LANG"}) ::unsetenv(name);
    ::setenv("TERM", "xterm", 1);
  }
  void TearDown() override { SetUp(); }
};

TEST_F(Screens, ColoursAreForTerminalsThatWantThem) {
  EXPECT_TRUE(text_style(ColourChoice::automatic, true).colour);
  EXPECT_FALSE(text_style(ColourChoice::automatic, false).colour);
  EXPECT_FALSE(text_style(ColourChoice::never, true).colour);
  EXPECT_TRUE(text_style(ColourChoice::always, false).colour);
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(text_style(ColourChoice::automatic, true).colour);
  EXPECT_TRUE(text_style(ColourChoice::always, true).colour);
  ::unsetenv("NO_COLOR");
  ::setenv("TERM", "dumb", 1);
  EXPECT_FALSE(text_style(ColourChoice::automatic, true).colour);
}

TEST_F(Screens, BlockElementsAreForUtf8) {
  EXPECT_FALSE(text_style(ColourChoice::never, true).unicode);
  ::setenv("LANG", "de_DE.UTF-8", 1);
  EXPECT_TRUE(text_style(ColourChoice::never, true).unicode);
  ::setenv("LC_ALL", "C", 1);
  EXPECT_FALSE(text_style(ColourChoice::never, true).unicode) << "what goes before LANG decides";
  ::setenv("LC_ALL", "C.utf8", 1);
  EXPECT_TRUE(text_style(ColourChoice::never, true).unicode);
  ::setenv("TERM", "dumb", 1);
  EXPECT_FALSE(text_style(ColourChoice::never, true).unicode);
}

TEST_F(Screens, OtherChoicesAreRefused) {
  const auto choice = [](const std::string& word) {
    return colour_choice(parse_command_line("test", {colour_option()}, {"--color", word}));
  };
  EXPECT_EQ(choice("always"), ColourChoice::always);
  EXPECT_EQ(choice("never"), ColourChoice::never);
  EXPECT_EQ(colour_choice({}), ColourChoice::automatic);
  EXPECT_THROW(choice("alwyas"), ConfigError);
}

std::function<LiveText()> saying(const std::string& text) {
  return [text] { return LiveText{text, 0.5}; };
}

TEST(LiveLine, WritesALineEveryFiveSecondsWhereNothingCanBeRewritten) {
  std::ostringstream out;
  FakeClock clock;
  LiveLine line(out, {false, 80}, clock);
  line.show(saying("one"));
  clock.advance(milliseconds(4999));
  line.show([]() -> LiveText {
    ADD_FAILURE() << "asked though no line is due";
    return {};
  });
  clock.advance(milliseconds(1));
  line.show(saying("three"));
  line.clear();
  EXPECT_EQ(out.str(), "one\nthree\n");
}

TEST(LiveLine, RewritesItsLineAndBlanksTheRest) {
  std::ostringstream out;
  FakeClock clock;
  LiveLine line(out, {true, 200}, clock);
  line.show(saying("first and long"));
  clock.advance(milliseconds(249));
  line.show(saying("too early"));
  clock.advance(milliseconds(1));
  line.show(saying("second"));
  const std::string first = live_line_text({"first and long", 0.5}, 197);
  const std::string second = live_line_text({"second", 0.5}, 197);
  EXPECT_TRUE(first.ends_with("] first and long"));
  EXPECT_EQ(out.str(), "\r" + first + "\r" + second + std::string(first.size() - second.size(), ' '));
}

TEST(LiveLine, ABarIsAsLongAsThereIsRoom) {
  const auto full = [](const std::string& text) { return std::ranges::count(text, '#'); };
  EXPECT_EQ(live_line_text({"text", 0.75}, 200).find("] "), 25U);
  EXPECT_EQ(full(live_line_text({"text", 0.75}, 200)), 18) << "three quarters of 24";
  EXPECT_EQ(full(live_line_text({"text", 0}, 200)), 0);
  EXPECT_EQ(full(live_line_text({"text", 1.5}, 200)), 24);
  EXPECT_EQ(live_line_text({"text", 0.75}, 50).find("] "), 7U) << "shorter on a narrow screen";
  EXPECT_EQ(live_line_text({"text", 0.75}, 49), "text") << "and none on a narrower one";
}

TEST(LiveLine, FitsWhateverTheWidthIs) {
  const std::string text = "1/40 points, 30 s, about 10 s left: a-series-with-a-long-name bytes=1234567 mode=x";
  for (std::size_t columns = 0; columns < 150; ++columns) {
    const std::string line = live_line_text({text, 0.75}, columns);
    EXPECT_LE(line.size(), columns);
    EXPECT_TRUE(columns <= 2 || line.ends_with("mode=x") || line.ends_with("..")) << line;
  }
}

TEST(LiveLine, KeepsRoomForTheEchoOfAnInterruptAndClearsItToo) {
  std::ostringstream out;
  FakeClock clock;
  LiveLine line(out, {true, 20}, clock);
  line.show(saying("a text of twenty-seven bytes"));
  EXPECT_EQ(out.str(), "\ra text of twent..");
  line.clear();
  EXPECT_TRUE(out.str().ends_with("\r" + std::string(19, ' ') + "\r"));
  const auto length = out.str().size();
  line.clear();
  EXPECT_EQ(out.str().size(), length) << "there is nothing left to remove";
}

TEST(LiveLine, FollowsTheWidthAndCutsNoCharacter) {
  std::ostringstream out;
  FakeClock clock;
  std::size_t width = 100;
  LiveLine line(out, {true, 80, [&] { return width; }}, clock);
  const std::string text = "1/2 points, 1 s: \xe6\xb8\xac\xe6\xb8\xac";  // at the end two characters of two columns
  line.show(saying(text));
  EXPECT_TRUE(out.str().ends_with("] " + text)) << out.str();
  const std::size_t before = out.str().size();
  clock.advance(seconds(1));
  width = 23;  // 17 columns of text, half of a character for which there is no room, and the dots
  line.show(saying(text));
  EXPECT_TRUE(out.str().substr(before).starts_with("\r1/2 points, 1 s: .. ")) << out.str();
  width = 1;
  clock.advance(seconds(1));
  line.show(saying(text));
  EXPECT_TRUE(out.str().ends_with("\r")) << "nothing fits";
}

TEST(LiveLine, ALineThatStaysRemovesTheOneThatIsRewritten) {
  std::ostringstream out;
  FakeClock clock;
  LiveLine line(out, {true, 20}, clock);
  line.show(saying("a text of twenty-seven bytes"));
  line.log("done");
  EXPECT_TRUE(out.str().ends_with("\r" + std::string(19, ' ') + "\rdone\n"));
}

TEST(LiveLine, IsRemovedWhenItEnds) {
  std::ostringstream out;
  FakeClock clock;
  { LiveLine(out, {true, 20}, clock).show(saying("a text of twenty-seven bytes")); }
  EXPECT_TRUE(out.str().ends_with("\r" + std::string(19, ' ') + "\r"));
}

TEST(LineStyle, HonoursTermAndColumns) {
  ::setenv("TERM", "xterm", 1);
  ::setenv("COLUMNS", "132", 1);
  EXPECT_TRUE(line_style(true).rewrites);
  EXPECT_EQ(line_style(true).width, 132U);
  EXPECT_FALSE(line_style(false).rewrites);
  ::setenv("TERM", "dumb", 1);
  EXPECT_FALSE(line_style(true).rewrites);
  ::unsetenv("COLUMNS");
  EXPECT_GE(line_style(true).width, 1U);
}

}  // namespace
}  // namespace assay::test
