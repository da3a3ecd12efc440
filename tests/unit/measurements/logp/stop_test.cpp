// SPDX-License-Identifier: Apache-2.0
// Ways to stop a responder, and what it does between two messages: every batch ends, and the next one starts clean.
#include <gtest/gtest.h>
#include <pthread.h>

#include "logp/client.hpp"
#include "support/measurements/one_batch.hpp"

namespace assay::test {
namespace {

OneBatch trip(const std::string& channel, const std::string& stop, Reps reps, Levels further = {}) {
  further.insert(further.end(), {{"channel", channel}, {"stop", stop}});
  return run_named("logp/round_trip", {}, further, reps);
}

TEST(RoundTripStop, EveryWayEndsAndStartsAgain) {
  for (const std::string channel : {"futex", "condvar", "pipe", "mutex-ring"})
    for (const std::string stop : {"lease", "poison", "cancel"})
      for (const std::int64_t reps : {1, 7, 100})
        EXPECT_GT(trip(channel, stop, Reps{reps}).value("rtt"), 0) << channel << " " << stop << " " << reps;
}

TEST(RoundTripStop, TheClientsSwitchesAreTheMembers) {
  const OneBatch batch = trip("pipe", "cancel", Reps{200});
  // A pipe blocks its reader unless the message is there already; the member itself sleeps once or twice.
  EXPECT_GT(batch.batch.members[1].voluntary + batch.batch.members[1].involuntary, 2);
}

TEST(RoundTripStop, AClientThreadNeedsThreadsAndAPartnerThatSleeps) {
  EXPECT_THROW(run_named("logp/round_trip", {.vehicle = "process"}, {{"channel", "pipe"}, {"stop", "cancel"}}, Reps{1}),
               Unsupported);
  EXPECT_THROW(trip("flag", "cancel", Reps{1}), Unsupported);
}

TEST(RoundTripStop, ALockWithAnOwnerHasNoOtherClient) {
  for (const std::string channel : {"mutex-errorcheck-ring", "mutex-pi-ring", "mutex-ring-checked", "rwlock-ww-ring"})
    EXPECT_THROW(trip(channel, "cancel", Reps{1}), Unsupported) << channel;
}

TEST(RoundTripStop, TheFormOf1999EndsByCancellingAWaitOrByALease) {
  for (const std::string stop : {"lease", "cancel"})
    for (const std::int64_t reps : {1, 7, 100})
      EXPECT_GT(trip("condvar-paper", stop, Reps{reps}).value("rtt"), 0) << stop << " " << reps;
}

TEST(RoundTripStop, AChannelWithItsOwnRoundTripRefusesWhatItDoesNotRead) {
  EXPECT_THROW(trip("condvar-paper", "poison", Reps{1}), Unsupported);
  EXPECT_THROW(trip("condvar-paper", "lease", Reps{1}, {{"work", "walk"}}), Unsupported);
  EXPECT_THROW(
      run_named("logp/round_trip", {.vehicle = "process"}, {{"channel", "condvar-paper"}, {"stop", "cancel"}}, Reps{1}),
      Unsupported);
}

TEST(RoundTripWork, ResidualIsTheRoundTripWithoutTwoWorks) {
  const OneBatch batch = trip("pipe", "lease", Reps{20}, {{"work", "walk"}, {"work-size", std::int64_t{1 << 16}}});
  EXPECT_GT(batch.value("work"), 0);
  EXPECT_NEAR(batch.value("residual"), batch.value("rtt") - 2 * batch.value("work"), 1e-3);
}

TEST(RoundTripWork, WithoutWorkThereIsNothingToTakeOff) {
  const OneBatch batch = trip("pipe", "lease", Reps{20});
  EXPECT_EQ(observe(batch.batch, batch.description, 1, batch.traits), std::nullopt);
}

TEST(Client, IsCancelledBetweenAnswersAndNeverInOne) {
  std::atomic<int> begun{0};
  std::atomic<int> ended{0};
  Client client([&] {
    ++begun;
    pthread_testcancel();  // a cancellation point inside of an answer
    std::this_thread::yield();
    ++ended;
  });
  while (ended == 0) std::this_thread::yield();
  client.cancel();
  client.join();
  EXPECT_EQ(begun, ended);
}

TEST(Client, WhatAnAnswerThrowsIsThrownByJoin) {
  Client client([] { throw std::runtime_error("no answer"); });
  EXPECT_THROW(client.join(), std::runtime_error);
}

}  // namespace
}  // namespace assay::test
