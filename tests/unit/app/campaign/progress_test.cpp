// SPDX-License-Identifier: Apache-2.0
// What is said of a campaign while it runs.
#include "app/campaign/progress.hpp"

#include <gtest/gtest.h>

namespace assay::test {
namespace {

Progress progress(int done, const std::string& current = "one bytes=8") {
  return {done, 40, seconds(35), seconds(125), current};
}

TEST(ProgressText, SaysWhatIsKnown) {
  EXPECT_EQ(to_text(progress(12)), "12/40 points, 35 s, about 2 min 5 s left: one bytes=8");
  EXPECT_EQ(to_text(Progress{0, 3, seconds(1), {}, {}}), "0/3 points, 1 s");
  EXPECT_EQ(to_text(progress(1, "a\x1b[2J")), "1/40 points, 35 s, about 2 min 5 s left: a\\x1b[2J");
}

TEST(ProgressText, TheShareIsOfTheTimeElseOfThePoints) {
  Progress now{1, 40, seconds(30), seconds(10), {}};
  EXPECT_EQ(live_text(now).text, to_text(now));
  EXPECT_DOUBLE_EQ(live_text(now).share, 0.75);
  now.left = {};
  EXPECT_DOUBLE_EQ(live_text(now).share, 1. / 40);
  now.known = 0;
  EXPECT_DOUBLE_EQ(live_text(now).share, 0);
}

TEST(ProgressText, TellsTheValueBeforeTheNameThatMayBeCut) {
  Progress now = progress(12);
  now.value = {{"median", 112, {111.2, 112.8, 0.95}, "visits"}, Unit::nanoseconds, 0.012};
  EXPECT_EQ(to_text(now),
            "12/40 points, 35 s, about 2 min 5 s left, median 112.00 [111.20 .. 112.80] ns, 1.2 % disturbed: one "
            "bytes=8");
}

}  // namespace
}  // namespace assay::test
