// SPDX-License-Identifier: Apache-2.0
// Help texts taken apart: what is literal, what is a variable, how to call a sub-command.
#include "app/shell/prose.hpp"

#include <gtest/gtest.h>

#include "text/utf8.hpp"

namespace assay::test {
namespace {

std::string marked(std::string_view text) {
  std::string result;
  for (const Span& span : spans_of(text)) result += span.is_literal ? "<" + span.text + ">" : span.text;
  return result;
}

TEST(Prose, WhatStandsInQuotesIsLiteral) {
  EXPECT_EQ(marked("'assay list' names them"), "<assay list> names them");
  EXPECT_EQ(marked("({n} of them: 'mpirun -np {n}')"), "({n} of them: <mpirun -np {n}>)");
  EXPECT_EQ(marked("a, or '-': down"), "a, or <->: down");
}

TEST(Prose, AnApostropheQuotesNothing) {
  EXPECT_EQ(marked("each series' primary one; as root: USER's rights"),
            "each series' primary one; as root: USER's rights");
  EXPECT_EQ(marked("a tick: ' alone"), "a tick: ' alone");
}

TEST(Prose, OptionsAreLiteral) {
  EXPECT_EQ(marked("as --set campaign.every=T; --color=always, -- and a--b"),
            "as <--set campaign.every=T>; <--color=always>, -- and a--b");
}

TEST(Prose, TokensOfASynopsis) {
  std::string text;
  for (const Token& token : tokens_of("show DIR... [--layout NAME|FILE.xml]"))
    text += token.kind == Token::Kind::word       ? "w:" + token.text + " "
            : token.kind == Token::Kind::variable ? "v:" + token.text + " "
                                                  : "";
  EXPECT_EQ(text, "w:show v:DIR w:--layout v:NAME v:FILE w:xml ");
}

TEST(Prose, EveryWayToCallHasTheName) {
  CommandInfo command;
  command.name = "history";
  command.synopsis = "history add DIR... | list | history check DIR";
  EXPECT_EQ(ways_to_call(command),
            (std::vector<std::string>{"history add DIR...", "history list", "history check DIR"}));
  command.name = "list";
  command.synopsis = "list [a|b]";
  EXPECT_EQ(ways_to_call(command), (std::vector<std::string>{"list [a|b]"}));
}

TEST(Prose, LinesAreBrokenBetweenWords) {
  EXPECT_EQ(wrapped("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrapped("incomprehensible to me", 5), (std::vector<std::string>{"incomprehensible", "to me"}));
  EXPECT_EQ(wrapped("", 5), (std::vector<std::string>{""}));
}

TEST(Prose, Sentences) {
  EXPECT_EQ(as_sentence("no remarks"), "No remarks.");
  EXPECT_EQ(as_sentence("Done."), "Done.");
  EXPECT_EQ(ended("auto or never"), "auto or never.");
  EXPECT_EQ(on_one_line("one\ntwo\n"), "one two");
}

}  // namespace
}  // namespace assay::test
