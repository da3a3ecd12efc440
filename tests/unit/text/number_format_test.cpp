// SPDX-License-Identifier: Apache-2.0
// Durations as people and rules read them.
#include "text/number_format.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(NumberFormat, RoughDurationsForPeople) {
  struct Case {
    double ns;
    const char* text;
  };
  const Case cases[] = {{0, "0 us"},           {350e6, "350 ms"},     {12.3e9, "12 s"}, {59.6e9, "1 min 0 s"},
                        {250e9, "4 min 10 s"}, {7500e9, "2 h 5 min"}, {9e3, "9 us"}};
  for (const Case& one : cases) EXPECT_EQ(rough_duration({one.ns}), one.text);
}

TEST(NumberFormat, SecondsKeepEveryDigit) {
  EXPECT_EQ(in_seconds(seconds(20)), "20 s");
  EXPECT_EQ(in_seconds(milliseconds(250)), "0.25 s");
}

TEST(NumberFormat, ExactDurationsHaveAFraction) {
  EXPECT_EQ(exact(milliseconds(5)), "5ms");
  EXPECT_EQ(exact(Nanoseconds{1500}), "1.5us");
}

}  // namespace
}  // namespace assay
