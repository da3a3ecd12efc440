// SPDX-License-Identifier: Apache-2.0
// Whether levels were measured in turn, by the order of their visits.
#include "record/compare/turns.hpp"

#include <gtest/gtest.h>

#include "unit/record/results.hpp"

namespace assay::test {
namespace {

/// Visits of two incarnations of `a` and three of `b`, in turn from the first to the last.
double share_of_pools(int rounds) {
  Turns turns("variant");
  VisitRecord visit;
  visit.series = "s";
  for (int round = 0; round < rounds; ++round)
    for (const char* level : {"a", "b"}) {
      visit.point = point_of({{"n", std::int64_t{1}}, {"variant", std::string(level)}});
      visit.incarnation = round % (*level == 'a' ? 2 : 3);
      ++visit.visit;
      turns.add(visit);
    }
  return turns.share("s", point_of({{"n", std::int64_t{1}}}), "a", "b");
}

/// Visits in the order of a word: 'a' and 'b' at these levels, '|' where the next incarnation begins, '/' where the
/// next session does.
double share_of(const std::string& order) {
  Turns turns("variant");
  VisitRecord visit;
  visit.series = "s";
  for (const char letter : order) {
    ++visit.visit;
    if (letter == '|' || letter == '/') {
      ++visit.incarnation;
      visit.session += letter == '/' ? 1 : 0;
      continue;
    }
    visit.point = point_of({{"n", std::int64_t{1}}});
    visit.point.set("variant", std::string(1, letter));
    turns.add(visit);
  }
  return turns.share("s", point_of({{"n", std::int64_t{1}}}), "a", "b");
}

TEST(Turns, RoundsAreInTurnWhateverTheirOrder) {
  EXPECT_EQ(share_of("abababab"), 1);
  EXPECT_EQ(share_of("abbaabba"), 1);
  EXPECT_EQ(share_of("aabababab|bababab"), 1) << "one more warms up";
  EXPECT_EQ(share_of("aab|aab|aab|aab"), 1) << "each incarnation for itself";
}

TEST(Turns, IncarnationsNeedNotBeOfTheSameNumber) { EXPECT_EQ(share_of_pools(60), 1); }

TEST(Turns, WhatGoesOnAloneIsNot) {
  EXPECT_DOUBLE_EQ(share_of("ababababbbbbbb"), 10.0 / 14);
  EXPECT_DOUBLE_EQ(share_of("abab|abab|bbbbbb"), 10.0 / 14) << "an incarnation of one of them";
}

TEST(Turns, OneAfterTheOtherIsNot) { EXPECT_DOUBLE_EQ(share_of("aaaaaaaabbbbbbbb"), 5.0 / 16); }

TEST(Turns, ALevelThatASessionDidNotVisitIsNotHoweverFewVisitsEachProcessMade) {
  EXPECT_EQ(share_of("a|a|a/b|b|b"), 0) << "a kernel was booted in between";
  EXPECT_EQ(share_of("a|b/a|b"), 1);
  EXPECT_DOUBLE_EQ(share_of("a|b/b|b"), 0.5);
}

TEST(Turns, WithoutVisitsNothingIsHeldAgainstThem) {
  EXPECT_EQ(share_of(""), 1);
  Turns turns("variant");
  turns.add(VisitRecord{});
  EXPECT_EQ(turns.share("s", {}, "a", "b"), 1) << "a visit without the factor";
}

}  // namespace
}  // namespace assay::test
