// SPDX-License-Identifier: Apache-2.0
// Turns from gaps, and their upper mode.
#include "thread/turns.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

const Stopwatch watch;

TEST(Turns, EndWhereThePartnerRanAndBeginWhereItStopped) {
  TurnRecord record;
  record.add({1000, 5000, true, true}, watch);
  EXPECT_EQ(record.size(), 0U) << "what was going on before is not complete";
  record.add({9000, 13000, true, true}, watch);
  record.add({16000, 20000, true, true}, watch);
  ASSERT_EQ(record.size(), 2U);
  EXPECT_EQ(record.turn(0), Nanoseconds{4000});
  EXPECT_EQ(record.turn(1), Nanoseconds{3000});
}

TEST(Turns, ForeignTimeIsTakenOffAndCounted) {
  TurnRecord record;
  record.add({0, 1000, true, true}, watch);
  record.add({2000, 2700, false, true}, watch);
  record.add({9000, 13000, true, true}, watch);
  ASSERT_EQ(record.size(), 1U);
  EXPECT_EQ(record.turn(0), Nanoseconds{8000 - 700});
  EXPECT_EQ(record.foreign(), 1);
  EXPECT_EQ(record.interrupts(), 0);
}

TEST(Turns, WhatSwitchesNobodyOutBelongsToTheTurn) {
  TurnRecord record;
  record.add({0, 1000, true, true}, watch);
  record.add({2000, 4500, false, false}, watch);
  record.add({9000, 13000, true, true}, watch);
  ASSERT_EQ(record.size(), 1U);
  EXPECT_EQ(record.turn(0), Nanoseconds{8000});
  EXPECT_EQ(record.foreign(), 0);
  EXPECT_EQ(record.interrupts(), 1);
}

TEST(Turns, AreKeptUpToABoundAndForgotten) {
  TurnRecord record;
  for (std::size_t i = 0; i < most_turns + 10; ++i) {
    const auto at = static_cast<std::int64_t>(i) * 1000;
    record.add({at, at + 500, true, true}, watch);
  }
  EXPECT_EQ(record.size(), most_turns);
  record.clear();
  EXPECT_EQ(record.size(), 0U);
}

std::vector<Nanoseconds> of(std::initializer_list<double> turns) {
  std::vector<Nanoseconds> all;
  for (const double turn : turns) all.push_back({turn});
  return all;
}

TEST(UpperMode, IsTheFullSliceAmongTurnsCutShort) {
  EXPECT_EQ(upper_mode(of({10, 30, 200, 390, 398, 399, 400, 401})), Nanoseconds{399});
}

TEST(UpperMode, IsNotTheLongestTurn) {
  EXPECT_EQ(upper_mode(of({100, 395, 398, 400, 400, 401, 402, 800})), Nanoseconds{400});
}

TEST(UpperMode, IsTheUpperOfTwo) {
  EXPECT_EQ(upper_mode(of({100, 100, 101, 102, 103, 400, 401, 402})), Nanoseconds{401});
}

TEST(UpperMode, NeedsAQuarterOfFourTurns) {
  EXPECT_EQ(upper_mode(of({400, 400, 400})), Nanoseconds{0});
  EXPECT_EQ(upper_mode(of({1, 10, 100, 1000})), Nanoseconds{0}) << "a single turn is no mode";
  EXPECT_EQ(upper_mode(of({1, 10, 1000, 1001})), Nanoseconds{1001});
  EXPECT_EQ(upper_mode(of({1, 10, 100, 1000, 10000})), Nanoseconds{0}) << "no two lie together";
}

}  // namespace
}  // namespace assay
