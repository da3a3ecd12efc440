// SPDX-License-Identifier: Apache-2.0
// Gaps between readings of a clock that the test makes: what is an interruption, and what a look at one's own machine
// costs.
#include "platform/clock/interruptions.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "support/machines/fake_clock.hpp"

namespace assay::test {
namespace {

/// Each reading takes `step`, and the reader loses `lost` every `every`.
class InterruptedClock final : public Clock {
 public:
  InterruptedClock(std::int64_t step, std::int64_t every, std::int64_t lost)
      : step_(step), every_(every), lost_(lost) {}
  Instant now() const override {
    const std::int64_t before = ran_;
    ran_ += step_;
    if (every_ > 0 && before / every_ != ran_ / every_) taken_ += lost_;
    return {ran_ + taken_};
  }

 private:
  std::int64_t step_, every_, lost_;
  mutable std::int64_t ran_ = 0;
  mutable std::int64_t taken_ = 0;
};

TEST(Interruptions, AreCountedWithWhatTheyTakeAndTheirDistance) {
  const Interruptions found = watch_interruptions(InterruptedClock(20, 48'000, 2'000), milliseconds(4));
  EXPECT_NEAR(static_cast<double>(found.count), 80, 1);
  EXPECT_NEAR(found.distance().count, 50e3, 1e3);
  EXPECT_NEAR(found.share(), 0.04, 0.001);
  EXPECT_NEAR(found.undisturbed().count, 12.5e3, 250);
  EXPECT_TRUE(found.is_noticeable());
  EXPECT_THAT(found.meaning(), testing::AllOf(testing::HasSubstr("for 2 us every 50"), testing::HasSubstr("4 %")));
}

TEST(Interruptions, SayHowMuchOtherThreadsTook) {
  std::int64_t asked = 0;
  const auto each_second_one = [&] { return asked++ / 2; };
  const Interruptions found =
      watch_interruptions(InterruptedClock(20, 48'000, 12'000), milliseconds(4), each_second_one);
  EXPECT_NEAR(found.to_threads / found.lost, 0.5, 0.02);
  EXPECT_TRUE(found.is_heavy());
  EXPECT_THAT(found.meaning(),
              testing::AllOf(testing::HasSubstr("% of it by other threads"), testing::HasSubstr("short-term")));
  const Interruptions all{80, {960e3}, {4e6}, {960e3}};
  EXPECT_THAT(all.meaning(), testing::HasSubstr("of the time, by other threads of this system:"));
  const Interruptions none{80, {160e3}, {4e6}};
  EXPECT_THAT(none.meaning(),
              testing::AllOf(testing::HasSubstr("no counter"), testing::Not(testing::HasSubstr("short-term"))));
}

TEST(Interruptions, LongOnesAreNoticeableHoweverRare) {
  EXPECT_TRUE((Interruptions{1, {3e6}, {8e6}}).is_noticeable());
  EXPECT_FALSE((Interruptions{1, {300e3}, {8e6}}).is_noticeable());
}

TEST(Interruptions, NoneLeaveTheWholeWindow) {
  const Interruptions found = watch_interruptions(InterruptedClock(20, 0, 0), milliseconds(4));
  EXPECT_EQ(found.count, 0);
  EXPECT_NEAR(found.distance().count, 4e6, 100);
  EXPECT_FALSE(found.is_noticeable());
  EXPECT_EQ(Interruptions{}.share(), 0);
}

TEST(Interruptions, WhatIsShorterThanHalfAMicrosecondIsNone) {
  EXPECT_EQ(watch_interruptions(InterruptedClock(20, 10'000, 400), milliseconds(1)).count, 0);
  EXPECT_NEAR(static_cast<double>(watch_interruptions(InterruptedClock(20, 10'000, 600), milliseconds(1)).count), 94,
              1);
}

TEST(Interruptions, StepsOfACoarseClockAreNone) {
  EXPECT_EQ(watch_interruptions(InterruptedClock(1'000, 100'000, 5'000), milliseconds(10)).count, 0);
  EXPECT_GT(watch_interruptions(InterruptedClock(1'000, 100'000, 20'000), milliseconds(10)).count, 70);
}

/// Read in 20 ns, and advances by whole microseconds, or not at all.
class CoarseClock final : public Clock {
 public:
  explicit CoarseClock(bool stands_still) : stands_still_(stands_still) {}
  Instant now() const override {
    ran_ += 20;
    return {stands_still_ ? 0 : ran_ / 1'000 * 1'000};
  }

 private:
  bool stands_still_;
  mutable std::int64_t ran_ = 0;
};

TEST(Interruptions, AClockThatIsReadFasterThanItAdvancesHasNone) {
  EXPECT_EQ(watch_interruptions(CoarseClock(false), milliseconds(4)).count, 0);
  EXPECT_EQ(watch_interruptions(CoarseClock(true), milliseconds(4)).window.count, 0) << "nor is it waited for";
}

TEST(Interruptions, TicksOfTheKernelAreNotNoticeable) {
  EXPECT_FALSE(watch_interruptions(InterruptedClock(20, 1'000'000, 12'000), milliseconds(40)).is_noticeable());
}

TEST(Interruptions, OfSeveralLooksAddUp) {
  Interruptions sum{10, {20e3}, {1e6}};
  sum += {30, {60e3}, {1e6}, {15e3}};
  EXPECT_EQ(sum.count, 40);
  EXPECT_DOUBLE_EQ(sum.distance().count, 50e3);
  EXPECT_DOUBLE_EQ(sum.share(), 0.04);
  EXPECT_DOUBLE_EQ(sum.to_threads.count, 15e3);
}

TEST(Interruptions, OfCpusThatAreNotThereAreNone) {
  EXPECT_EQ(interruptions_of({}).window.count, 0);
  EXPECT_EQ(interruptions_of({100'000}).window.count, 0);
  EXPECT_GE(interruptions_of({0}).window.count, 4e6);
}

TEST(InterruptionWatch, LooksAgainAfterTwoSecondsOrTwoHundredTimesALook) {
  FakeClock clock;
  int looks = 0;
  Nanoseconds length = milliseconds(1);
  InterruptionWatch watch(clock, [&] {
    clock.advance(length);
    return Interruptions{++looks, {1}, {1}};
  });
  const auto looks_after = [&](Nanoseconds time) {
    clock.advance(time);
    return watch.latest().count;
  };
  EXPECT_EQ(looks_after({}), 1);
  EXPECT_EQ(looks_after(milliseconds(1999)), 1);
  length = milliseconds(32);
  EXPECT_EQ(looks_after(milliseconds(2)), 2);
  EXPECT_EQ(looks_after(milliseconds(6390)), 2) << "of eight CPUs";
  EXPECT_EQ(looks_after(milliseconds(20)), 3);
  EXPECT_EQ(looks, 3);
}

}  // namespace
}  // namespace assay::test
