// SPDX-License-Identifier: Apache-2.0
// Foreign text: characters of UTF-8 and what a terminal may see of it.
#include <gtest/gtest.h>

#include "text/printable.hpp"
#include "text/utf8.hpp"
#include "unit/record/random_records.hpp"

namespace assay {
namespace {

TEST(Utf8, DecodesCharacters) {
  EXPECT_EQ(character_at("a", 0).code, U'a');
  EXPECT_EQ(character_at("x\xc3\xa9", 1).code, U'\u00e9');
  EXPECT_EQ(character_at("\xe2\x82\xac", 0).code, U'\u20ac');
  EXPECT_EQ(character_at("\xf0\x9f\x98\x80", 0).code, U'\U0001f600');
  EXPECT_EQ(character_at("\xf4\x8f\xbf\xbf", 0).size, 4U);
}

TEST(Utf8, RefusesWhatIsNotWellFormed) {
  for (const char* text : {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf",
                           "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\xc3", "\xc3(", "\xe2\x82"})
    EXPECT_EQ(character_at(text, 0).size, 0U) << text;
}

TEST(Utf8, CountsCharacters) {
  EXPECT_EQ(character_count(""), 0U);
  EXPECT_EQ(character_count("gr\xc3\xb6\xc3\x9f"), 4U);
  EXPECT_EQ(character_count("a\xff\xff"), 3U);
}

TEST(Utf8, PadsByCharacters) {
  EXPECT_EQ(to_left("gr\xc3\xbcn", 6), "gr\xc3\xbcn  ");
  EXPECT_EQ(to_right("gr\xc3\xbcn", 6), "  gr\xc3\xbcn");
  EXPECT_EQ(to_left("wider", 3), "wider");
  EXPECT_EQ(to_right("wider", 3), "wider");
}

TEST(HangingIndent, LinesAreBrokenBetweenWordsAndGoOnBehindTheirLabel) {
  EXPECT_EQ(with_hanging_indent("note: one two three\nshort\n", 13), "note: one two\n      three\nshort\n");
  EXPECT_EQ(with_hanging_indent("!  one two three\n", 10), "!  one two\n   three\n");
  EXPECT_EQ(with_hanging_indent("  one two three\n", 9), "  one two\n    three\n") << "two more than the line itself";
  EXPECT_EQ(with_hanging_indent("one two three four\n", 10), "one two\n  three\n  four\n");
  EXPECT_EQ(with_hanging_indent("unbreakableword\n", 5), "unbreakableword\n");
  EXPECT_EQ(with_hanging_indent("note: one two three\n", 0), "note: one two three\n") << "as long as it is";
  EXPECT_EQ(with_hanging_indent("a\n\nb\n", 5), "a\n\nb\n");
}

TEST(Printable, LeavesOrdinaryTextAlone) {
  for (const char* text : {"", "plain",
                           "gr\xc3\xb6\xc3\x9f"
                           "e",
                           "\xe6\x97\xa5\xe6\x9c\xac", "a\\b \"c\""})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, ShowsWhatSteersATerminal) {
  EXPECT_EQ(printable("\x1b[31mred"), "\\x1b[31mred");
  EXPECT_EQ(printable(std::string_view("\0\r\n\t\x7f", 5)), "\\x00\\x0d\\x0a\\x09\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\xc2\\x9b2J");  // one-byte escape of the upper half
  EXPECT_EQ(printable("\xe2\x80\xae"
                      "x"),
            "\\xe2\\x80\\xaex");                            // right-to-left override
  EXPECT_EQ(printable("\xe2\x80\x8b"), "\\xe2\\x80\\x8b");  // zero-width space
  EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");
}

TEST(Printable, NeverLetsAControlThrough) {
  test::RandomRecords random(5);
  for (int i = 0; i < 2000; ++i)
    for (const char letter : printable(random.text()))
      ASSERT_TRUE(static_cast<unsigned char>(letter) >= 0x20 && letter != 0x7f);
}

}  // namespace
}  // namespace assay
