// SPDX-License-Identifier: Apache-2.0
// Every copy of a timed loop does the same.
#include <gtest/gtest.h>

#include "unit/team/fixtures.hpp"

namespace assay::team_test {
namespace {

/// A microsecond passes whenever it is read.
class TickingClock final : public Clock {
 public:
  Instant now() const override { return {1000 * ++readings}; }
  mutable std::int64_t readings = 0;
};

class CopiesTest : public testing::TestWithParam<int> {
 protected:
  TickingClock clock_;
  std::atomic<std::int64_t> beats_{0};
  Member member_{0, 1, Stopwatch::simulated(clock_), beats_, GetParam()};
};

// More than there are: a request may come from a program that has more.
INSTANTIATE_TEST_SUITE_P(All, CopiesTest, testing::Range(0, 3 * loop_copies));

TEST_P(CopiesTest, TheBodyIsCalledAsOftenAsAskedBetweenTwoStamps) {
  EXPECT_EQ(member_.loop_copy(), GetParam() % loop_copies);
  for (const std::int64_t reps : {0, 1, 2, 3, 4, 5, 1000}) {
    std::int64_t calls = 0;
    clock_.readings = 0;
    const Nanoseconds taken = member_.timed(Reps{reps}, [&] {
      EXPECT_EQ(clock_.readings, 1);
      ++calls;
    });
    EXPECT_EQ(calls, reps);
    EXPECT_EQ(clock_.readings, 2);
    EXPECT_EQ(taken, microseconds(1));
  }
}

TEST_P(CopiesTest, WhatTheBodyThrowsIsNotHeldBack) {
  int calls = 0;
  const auto fails = [&] {
    if (++calls == 3) throw std::runtime_error("third");
  };
  EXPECT_THROW(member_.timed(Reps{10}, fails), std::runtime_error);
  EXPECT_EQ(calls, 3);
}

/// Claims the copy that it runs.
class Teller final : public Measurement {
 public:
  explicit Teller(Setup&) {}
  Claims run(Member& member, Reps) override { return Nanoseconds{static_cast<double>(member.loop_copy())}; }
};

TEST(TeamsCopy, EveryMemberRunsTheOneAskedFor) {
  for (const char* vehicle : {"thread", "process"})
    for (int copy = 0; copy < loop_copies; ++copy) {
      TeamRequest request = request_of(vehicle, 3);
      request.loop_copy = copy;
      const auto team = open_team(entry_of<Teller>(), request);
      for (const MemberReport& report : team->run(Reps{1}).members) EXPECT_EQ(report.claims[0], copy) << vehicle;
    }
}

}  // namespace
}  // namespace assay::team_test
