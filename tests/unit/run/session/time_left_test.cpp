// SPDX-License-Identifier: Apache-2.0
// What is still to come, from what points took so far.
#include "run/session/time_left.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

TimeLeft two_points_of(Nanoseconds spent) {
  TimeLeft left;
  left.add(spent);
  left.add(spent);
  return left;
}

TEST(TimeLeftTest, NothingIsSaidBeforeAPointIsFinished) {
  EXPECT_EQ(TimeLeft().estimate(seconds(10), 1, seconds(1), 5), Nanoseconds{});
}

TEST(TimeLeftTest, PointsTakeAsLongAsThoseBefore) {
  // Two of a second each took four seconds of the session: a second and a half of work takes three.
  EXPECT_EQ(two_points_of(seconds(1)).estimate(seconds(4), 0, {}, 1), seconds(2));
  EXPECT_EQ(two_points_of(seconds(1)).estimate(seconds(5), 1, seconds(0.5), 1), seconds(3));
}

TEST(TimeLeftTest, APointThatTakesLongerThanOthersIsNotSoonAtItsEnd) {
  EXPECT_EQ(two_points_of(seconds(1)).estimate(seconds(10), 1, seconds(8), 0), seconds(4));
}

}  // namespace
}  // namespace assay
