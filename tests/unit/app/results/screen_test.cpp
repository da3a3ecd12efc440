// SPDX-License-Identifier: Apache-2.0
// Colours and characters by the environment.
#include "app/results/screen.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/error.hpp"

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

}  // namespace
}  // namespace assay::test
