// SPDX-License-Identifier: Apache-2.0
// Quoting keeps every byte, and refuses what it did not define.
#include "base/escape.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

std::string every_byte() {
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>(byte);
  return bytes;
}

TEST(Quotes, EscapeWhatIsNotPrintableAscii) {
  EXPECT_EQ(in_quotes("a b"), R"("a b")");
  EXPECT_EQ(in_quotes("\"\\\n\t"), R"("\"\\\n\t")");
  EXPECT_EQ(in_quotes(std::string_view("\0\x1b\x7f", 3)), R"("\x00\x1b\x7f")");
  EXPECT_EQ(in_quotes("\xc3\xa9"), R"("\xc3\xa9")");
}

TEST(Quotes, KeepEveryByte) {
  const auto back = unquoted(in_quotes(every_byte()));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->content, every_byte());
  EXPECT_EQ(back->length, in_quotes(every_byte()).size());
}

TEST(Quotes, StopAtTheClosingQuote) {
  const auto first = unquoted(R"("a", "b")");
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->content, "a");
  EXPECT_EQ(first->length, 3U);
}

TEST(Quotes, TakeBytesThatNeedNoEscapeAsTheyAre) { EXPECT_EQ(unquoted("\"\xc3\xa9\"").value().content, "\xc3\xa9"); }

TEST(Quotes, RefuseMalformedText) {
  for (const char* text : {"", "a", "a\"", "\"", "\"a", "\"a\\", "\"a\\\"", R"("\q")", R"("\x")", R"("\x1")",
                           R"("\xg0")", R"("\x0G")", R"("\x0A")"}) {
    EXPECT_FALSE(unquoted(text).has_value()) << text;
  }
}

TEST(Excerpt, CutsLongText) {
  EXPECT_EQ(excerpt("abc", 3), R"("abc")");
  EXPECT_EQ(excerpt("abcd", 3), R"("abc"...)");
  EXPECT_EQ(excerpt(std::string(100, 'x')).size(), 45U);
}

}  // namespace
}  // namespace assay
