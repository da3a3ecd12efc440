// SPDX-License-Identifier: Apache-2.0
// Spellings of numbers, shares and durations: accepted ones with their values, and those that only look like numbers.
#include "base/typed.hpp"

#include <gtest/gtest.h>

#include <array>

namespace assay {
namespace {

// Spellings that no type takes.
constexpr std::array<const char*, 14> never = {"",    "x",   "+5",    "0x10",  "1_000", "nan", "inf",
                                               "-1s", "1,5", "1e999", "1 000", "5 m",   "5 q", "1.2.3"};

TEST(Typed, NothingTakesWhatOnlyLooksLikeANumber) {
  for (const char* text : never) {
    EXPECT_FALSE(read_count(text).value) << text;
    EXPECT_FALSE(read_seed(text).value) << text;
    EXPECT_FALSE(read_share(text).value) << text;
    EXPECT_FALSE(read_duration(text).value) << text;
    EXPECT_FALSE(read_amount(text).value) << text;
    EXPECT_FALSE(read_share(text).what.empty()) << text;
    EXPECT_FALSE(read_duration(text).remedy.empty()) << text;
  }
}

TEST(Typed, Counts) {
  EXPECT_EQ(read_count("0").value, 0);
  EXPECT_EQ(read_count("4000").value, 4000);
  EXPECT_EQ(read_count("4k").value, 4000);
  EXPECT_EQ(read_count("4Ki").value, 4096);
  for (const char* text : {"-1", "1.5", "4ms", "4s", "9223372036854775808", "10%"})
    EXPECT_FALSE(read_count(text).value) << text;
}

TEST(Typed, SeedsUseAll64Bits) {
  EXPECT_EQ(read_seed("18446744073709551615").value, 18446744073709551615ULL);
  EXPECT_EQ(read_seed("0").value, 0U);
  for (const char* text : {"18446744073709551616", "-1", "1k", "1.0", " 1"})
    EXPECT_FALSE(read_seed(text).value) << text;
}

TEST(Typed, SharesAreNumbersOrPercentages) {
  struct Case {
    const char* text;
    double value;
  };
  const Case cases[] = {{"0.02", 0.02}, {"2%", 0.02},    {"2 %", 0.02},  {"0", 0},      {"1", 1},
                        {"100%", 1},    {"0.5%", 0.005}, {"1e-3", 1e-3}, {"-5%", -0.05}};
  for (const Case& one : cases) EXPECT_EQ(read_share(one.text).value, one.value) << one.text;
  for (const char* text : {"%", "2%%", "2ms", "2k", "% 2", "two%"}) EXPECT_FALSE(read_share(text).value) << text;
}

TEST(Typed, DurationsHaveUnits) {
  struct Case {
    const char* text;
    double ns;
  };
  const Case cases[] = {{"5ns", 5},        {"5us", 5e3},     {"5ms", 5e6},  {"5s", 5e9},      {"2min", 120e9},
                        {"1h", 3600e9},    {"0", 0},         {"0s", 0},     {"1.1ms", 1.1e6}, {"10 s", 1e10},
                        {"10  min", 6e11}, {"1.5h", 5400e9}, {"1e-3s", 1e6}};
  for (const Case& one : cases) {
    const auto duration = read_duration(one.text);
    ASSERT_TRUE(duration.value) << one.text;
    EXPECT_EQ(duration.value->count, one.ns) << one.text;
  }
  for (const char* text : {"5", "5m", "5 m", "5sec", "-5ms", "ms", "5k", "5 %", "1:30"})
    EXPECT_FALSE(read_duration(text).value) << text;
}

TEST(Typed, AmountsAreNumbersOrTimes) {
  EXPECT_EQ(read_amount("0.5").value, 0.5);
  EXPECT_EQ(read_amount("5us").value, 5000);
  EXPECT_FALSE(read_amount("5%").value);
  EXPECT_FALSE(read_amount("5k").value);
}

TEST(Typed, WhatRoundsUpTo2To63IsNoAmount) {
  EXPECT_FALSE(read_amount("9223372036854775807").value);
  EXPECT_EQ(read_amount("9223372036854774784").value, 0x1p63 - 1024);
  EXPECT_FALSE(read_duration("921102000min").value);
  EXPECT_TRUE(read_duration("2000000h").value);
}

TEST(Typed, DurationTextReadsBackExactly) {
  struct Case {
    double ns;
    const char* text;
  };
  const Case cases[] = {{0, "0"},       {5, "5ns"},     {5e6, "5ms"},     {60e9, "1min"},   {90e9, "90s"},
                        {7200e9, "2h"}, {1.5, "1.5ns"}, {1500, "1500ns"}, {0.25, "0.25ns"}, {1e15, "1000000s"}};
  for (const Case& one : cases) {
    EXPECT_EQ(duration_text({one.ns}), one.text);
    EXPECT_EQ(read_duration(one.text).value->count, one.ns) << one.text;
  }
}

}  // namespace
}  // namespace assay
