// SPDX-License-Identifier: Apache-2.0
// Locks as channels, run by real teams: every kind keeps the ring's exact order, and rows of locks come back unlocked.
#include <gtest/gtest.h>

#include "channel/lock_ring.hpp"
#include "lock/kinds.hpp"
#include "logp/lock_overheads.hpp"
#include "logp/protocol.hpp"
#include "logp/round_trip.hpp"
#include "platform/thread/guard.hpp"
#include "support/measurements/one_batch.hpp"
#include "support/measurements/point_setup.hpp"

namespace assay {
namespace {

class LockChannel : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Team, LockChannel, testing::Values("thread", "process"),
                         [](const auto& vehicle) { return vehicle.param; });

// Spinning members that share a CPU hand over once per time slice.
Reps round_trips(Waiting waiting) { return Reps{waiting == Waiting::spins && binding_of_self().size() < 2 ? 3 : 500}; }

template <Lock Main, Lock Client, auto ring = four_lock_ring>
double checked_round_trip(const test::Crowd& crowd) {
  using Checked = RoundTrip<LockRing<Main, Client, ring, true>>;
  Description description = describe(Protocol::round_trip);
  description.traits = LockRing<Main, Client, ring>::traits();
  return test::run_class<Checked>(description, crowd, {}, round_trips(Main::waiting)).value("rtt");
}

template <Lock Main, Lock Client, auto ring = four_lock_ring>
void expect_order(const std::string& vehicle, const std::string& what) {
  SCOPED_TRACE(what);
  EXPECT_GT((checked_round_trip<Main, Client, ring>({vehicle})), 0);
}

template <Lock L>
constexpr bool needs_real_time = std::same_as<L, Mutex<MutexKind::ceiling>>;

TEST_P(LockChannel, EveryKindKeepsTheExactOrder) {
  for_each_lock([&]<Lock L>(const char* word) {
    if constexpr (L::exclusive && !needs_real_time<L>) expect_order<L, L>(GetParam(), word);
  });
}

TEST_P(LockChannel, WritersAndReadersKeepTheOrder) {
  expect_order<WriteLock, ReadLock>(GetParam(), "writer to reader");
  expect_order<ReadLock, WriteLock>(GetParam(), "reader to writer");
}

TEST_P(LockChannel, ThreeLocksKeepTheOrder) {
  expect_order<Mutex<MutexKind::errorcheck>, Mutex<MutexKind::errorcheck>, three_lock_ring>(GetParam(), "three locks");
}

TEST_P(LockChannel, EveryRegisteredRingRunsUnderRoundTripAndOverheads) {
  Registry registry;
  register_all(registry);
  for (const auto& [word, traits] : registry.find("logp/round_trip")->description.selected) {
    if (word.find("-ring") == std::string::npos || word == "mutex-pp-ring") continue;
    SCOPED_TRACE(word);
    const test::Levels levels{{"channel", word}};
    EXPECT_GT(test::run_named("logp/round_trip", {GetParam()}, levels, Reps{3}).value("rtt"), 0);
    const auto overheads = test::run_named("logp/overheads", {GetParam()}, levels, Reps{600});
    EXPECT_GT(overheads.value("o_s[idle]"), 0);
    EXPECT_GT(overheads.value("o_r[ready]"), 0);
  }
}

TEST_P(LockChannel, AReceiverThatSleepsInALockIsFoundThere) {
  if (binding_of_self().size() < 2) GTEST_SKIP() << "the send would contain the receiver's run";
  for (const std::string ring : {"mutex-ring", "mutex-pi-ring", "mutex-robust-ring", "rwlock-ww-ring", "rwlock-wr-ring",
                                 "rwlock-rw-ring", "mutex-ring-3"}) {
    SCOPED_TRACE(ring);
    const auto one = test::run_named("logp/blocked", {GetParam()}, {{"channel", ring}}, Reps{10});
    EXPECT_GT(one.value("proved"), 0);
    EXPECT_GT(one.value("o_s[blk]"), 0);
  }
}

TEST_P(LockChannel, ACeilingNeedsARealTimePolicy) {
  for (const char* name : {"logp/round_trip", "logp/overheads", "logp/blocked"}) {
    try {
      test::run_named(name, {GetParam()}, {{"channel", std::string("mutex-pp-ring")}}, Reps{1});
      ADD_FAILURE() << "the first lock would be refused, and the later ones do without a ceiling";
    } catch (const Unsupported& refusal) {
      EXPECT_EQ(refusal.code(), "N8");
    }
  }
}

TEST_P(LockChannel, ACeilingWorksUnderARealTimePolicy) {
  const test::Crowd crowd{GetParam(), 2, "fifo"};
  using Normal = Mutex<MutexKind::normal>;
  using Ceiling = Mutex<MutexKind::ceiling>;
  try {
    checked_round_trip<Normal, Normal>(crowd);
  } catch (const Unsupported& refusal) {
    GTEST_SKIP() << refusal.what();
  }
  EXPECT_GT((checked_round_trip<Ceiling, Ceiling>(crowd)), 0);
}

TEST(LockRingCancel, ARingOfLocksWithoutAnOwnerCanBeLeftToAClient) {
  const auto cancelled = [](const std::string& ring) {
    return test::run_named("logp/round_trip", {}, {{"channel", ring}, {"stop", std::string("cancel")}}, Reps{50});
  };
  for (const std::string ring : {"mutex-ring", "mutex-shared-ring", "mutex-adaptive-ring"})
    EXPECT_GT(cancelled(ring).value("rtt"), 0) << ring;
}

// A ring whose releaser may take its own lock back must be found by the check, in whatever member it runs: here one
// member alone.
TEST(LockRingOrder, ALockObtainedOutOfOrderThrows) {
  test::PointSetup setup(Point(), 2);
  LockRing<Mutex<MutexKind::normal>, Mutex<MutexKind::normal>, two_lock_ring, true> channel(setup);
  std::atomic<std::int64_t> beats{0};
  Member main(0, 2, Stopwatch(), beats);
  channel.enter(main);
  channel.send(main, Direction::there);  // no member takes lock 0; lock 1 was never held
  EXPECT_THROW(channel.receive(main, Direction::back), std::logic_error);
}

TEST(LockRingOrder, TheSenderKnowsWhereItsReceiverSleeps) {
  test::PointSetup setup(Point(), 2);
  LockRing<Mutex<MutexKind::normal>, Mutex<MutexKind::normal>, four_lock_ring> channel(setup);
  std::atomic<std::int64_t> beats{0};
  Member main(0, 2, Stopwatch(), beats);
  channel.enter(main);
  const SleepingPlace first = channel.sleeping_place(Direction::there);
  channel.send(main, Direction::there);
  channel.receive(main, Direction::back);  // the client is not there: lock 1 is free
  const SleepingPlace second = channel.sleeping_place(Direction::there);
  EXPECT_LT(first.low, first.high);
  EXPECT_TRUE(second.low > first.high || second.high < first.low) << "another lock of the ring";
  channel.leave(main);
}

}  // namespace
}  // namespace assay
