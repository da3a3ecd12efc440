// SPDX-License-Identifier: Apache-2.0
// Sums of stamps and what reading them costs, and delays that say how long they were.
#include "logp/stamps.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/measurements/point_setup.hpp"
#include "synthetic/channel.hpp"

namespace assay {
namespace {

StampSum sum_of(std::initializer_list<std::int64_t> stamps) {
  StampSum sum;
  for (const std::int64_t stamp : stamps) sum.add(stamp);
  return sum;
}

TEST(Stamps, DurationsAreLessByTheCostOfReadingOncePerStartAndStop) {
  const Stopwatch watch(Nanoseconds{20});
  const StampSum from = sum_of({1000, 2000, 3000});
  const StampSum to = sum_of({1100, 2200, 3300});
  EXPECT_EQ(between(watch, from, to, 3), Nanoseconds{600 - 3 * 20});
  EXPECT_EQ(between(watch, from, to, 1), Nanoseconds{600 - 20});
  EXPECT_EQ(between(watch, from, to, 0), Nanoseconds{600}) << "between two stop stamps";
  EXPECT_EQ(between(watch, to, from, 0), Nanoseconds{-600}) << "the receiver was first";
}

TEST(Stamps, DurationsAreExactWhereTheSumsOverflow) {
  const std::int64_t late = std::numeric_limits<std::int64_t>::max() / 2;
  EXPECT_EQ(
      between(Stopwatch(), sum_of({late, late, late, late, late}), sum_of({late, late + 1, late, late, late + 6}), 5),
      Nanoseconds{7});
}

TEST(Stamps, TicksBecomeNanoseconds) {
  EXPECT_EQ(between(Stopwatch::counter(0.5, Nanoseconds{10}), sum_of({0}), sum_of({100}), 1), Nanoseconds{40});
}

TEST(Delay, LastsAtLeastAsLongAsAskedAndTellsHowLong) {
  test::PointSetup setup(Point{}, 2);
  NoChannel<RealTime> channel(setup);
  std::atomic<std::int64_t> beats{0};
  const Stopwatch clock(Nanoseconds{20});
  const Member member(0, 2, clock, beats);
  const auto from = clock.start();
  const Nanoseconds taken = occupy(channel, member, microseconds(50));
  const auto to = clock.stop();
  EXPECT_GE(taken, microseconds(50));
  EXPECT_LE(taken, clock.between(from, to) + 2 * clock.read_cost()) << "no longer than what surrounds it";
}

}  // namespace
}  // namespace assay
