// SPDX-License-Identifier: Apache-2.0
// Texts joined and trimmed.
#include "text/words.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(Words, AreJoinedWithASeparatorBetweenThem) {
  EXPECT_EQ(joined({}), "");
  EXPECT_EQ(joined({"one"}), "one");
  EXPECT_EQ(joined({"one", "two", "three"}), "one, two, three");
  EXPECT_EQ(joined({"", "two"}, "/"), "/two");
}

TEST(Words, BehindTheFirstFewAreCounted) {
  EXPECT_EQ(joined({"one", "two"}, "; ", 2), "one; two");
  EXPECT_EQ(joined({"one", "two", "three", "four"}, "; ", 2), "one; two; and 2 more");
}

TEST(Words, LoseTheBlanksAroundThem) {
  EXPECT_EQ(trimmed(" \ttwo words\t "), "two words");
  EXPECT_EQ(trimmed(" \t "), "");
  EXPECT_EQ(trimmed(""), "");
  EXPECT_EQ(trimmed(" line\n", "\n"), " line");
}

}  // namespace
}  // namespace assay
