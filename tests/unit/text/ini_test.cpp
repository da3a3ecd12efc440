// SPDX-License-Identifier: Apache-2.0
// The notation of campaign files: what is read, and where what is wrong.
#include "text/ini.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

std::string first_problem(const std::string& text) {
  const auto file = parse_ini(text, "f");
  return file.problems.empty() ? "none" : to_text(file.problems.front());
}

TEST(Ini, ReadsSectionsKeysAndPositions) {
  const auto file = parse_ini("# note\n[campaign]\n  title =  a b  # rest\n\n[series.x]\nbytes=8\n", "f.ini");
  ASSERT_TRUE(file.problems.empty());
  ASSERT_EQ(file.sections.size(), 2U);
  EXPECT_EQ(file.sections[1].name, "series.x");
  EXPECT_EQ(file.sections[1].at.line, 5);
  ASSERT_EQ(file.entries.size(), 2U);
  EXPECT_EQ(file.entries[0].section, "campaign");
  EXPECT_EQ(file.entries[0].key, "title");
  EXPECT_EQ(file.entries[0].value, "a b");
  EXPECT_EQ(file.entries[0].key_at.column, 3);
  EXPECT_EQ(file.entries[0].value_at.line, 3);
  EXPECT_EQ(file.entries[0].value_at.column, 12);
  EXPECT_EQ(file.entries[1].value_at.column, 7);
  EXPECT_EQ(file.entries[1].value_at.file, "f.ini");
}

TEST(Ini, ABracketAloneIsAMalformedSection) {
  for (const char* text : {"[", "[]", " [ # x", "]"}) {
    const auto file = parse_ini(text, "f.ini");
    EXPECT_EQ(file.problems.size(), 1U) << text;
    EXPECT_TRUE(file.sections.empty()) << text;
  }
}

TEST(Ini, ACommentNeedsSpaceBeforeItAndNoQuotesAround) {
  const auto file = parse_ini("[a]\nx = b#c # d\ny = \"p # q\" # r\nz = \"a \\\" # b\"\n#k = 1\n  # l = 2", "f");
  ASSERT_TRUE(file.problems.empty());
  ASSERT_EQ(file.entries.size(), 3U);
  EXPECT_EQ(file.entries[0].value, "b#c");
  EXPECT_EQ(file.entries[1].value, "\"p # q\"");
  EXPECT_EQ(plain_text(file.entries[1].value), "p # q");
  EXPECT_EQ(plain_text(file.entries[2].value), "a \" # b");
}

TEST(Ini, AcceptsCrLfAndAByteOrderMark) {
  const auto file = parse_ini("\xef\xbb\xbf[a]\r\nx = 1\r\n", "f");
  ASSERT_TRUE(file.problems.empty());
  ASSERT_EQ(file.entries.size(), 1U);
  EXPECT_EQ(file.entries[0].value, "1");
  EXPECT_EQ(file.sections[0].at.column, 1);
}

TEST(Ini, AValueMayContainEqualsSigns) { EXPECT_EQ(parse_ini("[a]\nx = b=c", "f").entries.at(0).value, "b=c"); }

TEST(Ini, NamesEachMalformedLine) {
  struct Case {
    const char* text;
    const char* problem;
  };
  const Case cases[] = {
      {"[a",
       "f:1:1: error: malformed section: '[a'; "
       "names are made of letters, digits, '.', '-' and '_', without blanks; write [campaign], [precision], "
       "[series.NAME] or [variant.NAME]"},
      {"[]",
       "f:1:1: error: malformed section: '[]'; "
       "names are made of letters, digits, '.', '-' and '_', without blanks; write [campaign], [precision], "
       "[series.NAME] or [variant.NAME]"},
      {" [a b]",
       "f:1:2: error: malformed section: '[a b]'; "
       "names are made of letters, digits, '.', '-' and '_', without blanks; write [campaign], [precision], "
       "[series.NAME] or [variant.NAME]"},
      {"[a]\n word",
       "f:2:2: error: neither a section nor a setting: 'word'; write [section], key = value, or # before "
       "a comment"},
      {"[a]\nx =", "f:2:1: error: key 'x' has no value; give one, or remove the line to get the default"},
      {"[a]\n= 1", "f:2:1: error: malformed key: ''; keys are made of letters, digits, '-', '_' and '.'"},
      {"[a]\nx y = 1", "f:2:1: error: malformed key: 'x y'; keys are made of letters, digits, '-', '_' and '.'"},
      {"x = 1",
       "f:1:1: error: setting before the first section: 'x'; put it below [campaign], [precision] or "
       "[series.NAME]"},
      {"[a]\nx = \"b", "f:2:5: error: a double quote is not closed; close it on the same line"},
      {"[a]\nx = 1\x1b[31m", "f:2:6: error: a control character: '\\x1b'; remove it"},
      {"[a]\nx = 1\n[a]\n",
       "f:3:1: error: section [a] appears twice; first on line 1 of f; merge the two, or rename "
       "one"},
      {"[a]\nx = 1\n\n x = 2\n", "f:4:2: error: key 'x' is set twice in [a]; first on line 2 of f; remove one"},
  };
  for (const Case& one : cases) EXPECT_EQ(first_problem(one.text), one.problem) << one.text;
}

TEST(Ini, ReportsEveryProblemAndReadsOn) {
  const auto file = parse_ini("[a]\nbad\nx = 1\nworse\n[b\ny = 2\n[c]\nz = 3", "f");
  EXPECT_EQ(file.problems.size(), 3U);
  ASSERT_EQ(file.entries.size(), 2U) << "what stands below a malformed section belongs to none";
  EXPECT_EQ(file.entries[1].key, "z");
}

TEST(Ini, SaysWhereTextStopsBeingText) {
  EXPECT_EQ(
      first_problem("[a]\nx = \xff"),
      "f:2:5: error: a byte that is not UTF-8: '\\xff'; at offset 8; nothing after it was read; a campaign file is "
      "text in UTF-8");
  const auto file = parse_ini(std::string("[a]\nx = 1\ny = \0\nz = 3", 20), "f");
  ASSERT_EQ(file.problems.size(), 1U);
  EXPECT_EQ(file.problems[0].what, "a NUL byte");
  EXPECT_EQ(file.problems[0].where.line, 3);
  EXPECT_EQ(file.problems[0].where.column, 5);
  EXPECT_EQ(file.entries.size(), 1U);
}

TEST(Ini, RefusesEndlessLines) {
  const auto text = "[a]\nx = " + std::string(70000, 'y') + "\nz = 1";
  const auto file = parse_ini(text, "f");
  ASSERT_EQ(file.problems.size(), 1U);
  EXPECT_EQ(file.problems[0].where.line, 2);
  EXPECT_EQ(file.entries.size(), 1U);
}

TEST(Ini, ValueTextIsReadBackAsItWas) {
  for (const std::string text : {"plain", "two words", " edge ", "a # b", "say \"x\"", "tab\there", "\xc3\xa4", "",
                                 "back\\slash", "[x]", "a=b"}) {
    const auto file = parse_ini("[a]\nx = " + value_text(text), "f");
    ASSERT_TRUE(file.problems.empty()) << text;
    EXPECT_EQ(plain_text(file.entries.at(0).value), text);
  }
}

}  // namespace
}  // namespace assay
