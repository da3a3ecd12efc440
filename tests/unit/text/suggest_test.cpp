// SPDX-License-Identifier: Apache-2.0
// Suggestions for misspelt names, and foreign text on a terminal.
#include "text/suggest.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

const std::vector<std::string> keys = {"eps", "alpha", "max-time", "max-timings", "min-visits"};

TEST(Suggest, FindsTheNearestName) {
  EXPECT_EQ(nearest("max-tme", keys), "max-time");
  EXPECT_EQ(nearest("max-timing", keys), "max-timings");
  EXPECT_EQ(nearest("esp", keys), "eps") << "a swap of neighbours is one edit";
  EXPECT_EQ(nearest("eps", keys), "eps");
}

TEST(Suggest, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(nearest("bytes", keys), "");
  EXPECT_EQ(nearest("xyz", keys), "");
  EXPECT_EQ(nearest("", keys), "");
  EXPECT_EQ(nearest("x", {"y"}), "") << "a name of which nothing is left is not near";
  EXPECT_EQ(nearest("eps", {}), "");
}

TEST(Suggest, AtMostAThirdOfTheNameDiffers) {
  EXPECT_EQ(nearest("abcdefxyz", {"abcdefghi"}), "abcdefghi");
  EXPECT_EQ(nearest("abcdewxyz", {"abcdefghi"}), "");
}

TEST(Suggest, ListsFewNames) {
  EXPECT_EQ(suggestion("esp", keys), "did you mean 'eps'?");
  EXPECT_EQ(suggestion("bytes", {"a", "b"}), "it is one of a, b");
  EXPECT_EQ(suggestion("bytes", {"a"}), "it can be a");
  EXPECT_EQ(suggestion("bytes", std::vector<std::string>(13, "a")), "");
  EXPECT_EQ(suggestion("bytes", {}), "");
}

TEST(Suggest, ShowsForeignTextSafely) {
  EXPECT_EQ(shown("abc"), "'abc'");
  EXPECT_EQ(shown(""), "''");
  EXPECT_EQ(shown("a\x1b[31m\n"), "'a\\x1b[31m\\x0a'");
  EXPECT_EQ(shown("\xe2\x80\xae"), "'\\xe2\\x80\\xae'") << "right-to-left override";
  EXPECT_EQ(shown("\xff"), "'\\xff'");
  EXPECT_EQ(shown("\xc3\xa4"), "'\xc3\xa4'");
}

TEST(Suggest, CutsLongTextBetweenCharacters) {
  EXPECT_EQ(shown(std::string(80, 'x')), "'" + std::string(80, 'x') + "'");
  EXPECT_EQ(shown(std::string(81, 'x')), "'" + std::string(80, 'x') + "...'");
  std::string umlauts;
  for (int i = 0; i < 81; ++i) umlauts += "\xc3\xa4";
  EXPECT_EQ(shown(umlauts), "'" + umlauts.substr(0, 160) + "...'");
}

TEST(Suggest, PathsAreShownWhole) {
  const std::string path = std::string(200, 'x') + "/ro-crate-metadata.json";
  EXPECT_EQ(shown_path(path), "'" + path + "'");
  EXPECT_EQ(shown_path("a\x1b[31m/b"), "'a\\x1b[31m/b'");
}

}  // namespace
}  // namespace assay
