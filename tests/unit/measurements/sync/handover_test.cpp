// SPDX-License-Identifier: Apache-2.0
// Turns are strict and counted by all; workers count as many wake-ups as the master, and all of them leave.
#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

#include "support/measurements/one_batch.hpp"
#include "sync/handover.hpp"
#include "sync/wakeup.hpp"
#include "thread/threads.hpp"
#include "work/counted.hpp"

namespace assay {
namespace {

class HandoverTeam : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Team, HandoverTeam, testing::Values("thread", "process"),
                         [](const auto& vehicle) { return vehicle.param; });

TEST_P(HandoverTeam, BothStylesHandOverAndSwitch) {
  for (const std::string style : {"condvar", "yield"})
    for (const std::int64_t reps : {1, 100}) {
      SCOPED_TRACE(style);
      const auto one = test::run_named("sync/handover", {GetParam()}, {{"style", style}}, Reps{reps});
      EXPECT_GT(one.value("time"), 0);
      EXPECT_GE(one.value("switches"), 0);
      EXPECT_FALSE(one.batch.members[1].claims.has(0));
    }
}

TEST_P(HandoverTeam, EveryWakeUpIsCountedByTheWorkers) {
  for (const int members : {2, 5, 11})
    for (const std::int64_t queue : {1, 10, 4096}) {
      SCOPED_TRACE(std::to_string(members) + " members, queue " + std::to_string(queue));
      const auto one = test::run_named("sync/wakeup", {GetParam(), members}, {{"queue", queue}}, Reps{5});
      EXPECT_GT(one.value("time"), 0);
      EXPECT_GE(one.value("asleep"), 0);
      EXPECT_LE(one.value("asleep"), 1);
      EXPECT_GE(one.value("switches"), 0);
      EXPECT_GE(one.value("idle_returns"), 0);
    }
}

TEST(Handover, OnOneCpuEachHandOverSwitches) {
  const int cpu = binding_of_self().front();
  Registry registry;
  register_all(registry);
  for (const std::string style : {"condvar", "yield"}) {
    TeamRequest request;
    request.members = 2;
    request.placement = {"same-pu", {cpu, cpu}};
    request.point.set("style", style);
    const auto team = open_team(*registry.find("sync/handover"), request);
    const Batch batch = team->run(Reps{200});
    EXPECT_GE(batch.members[0].claims[1], 0.9) << style << ": nobody can take a turn while the other one runs";
  }
}

TEST(Handover, AfterATeamNoThreadIsLeft) {
  const std::size_t before = threads_alive();
  test::run_named("sync/wakeup", {"thread", 11}, {}, Reps{3});
  test::run_named("sync/handover", {}, {}, Reps{3});
  EXPECT_EQ(threads_alive(), before);
}

TEST(Handover, AQueueHasRoom) {
  for (const std::int64_t queue : {std::int64_t{0}, Wakeup::most_items + 1})
    EXPECT_THROW(test::run_named("sync/wakeup", {}, {{"queue", queue}}, Reps{1}), Unsupported) << queue;
}

/// The first member takes four turns in a row once, the mutex held all the time.
class Impatient : public YieldTurns {
 public:
  explicit Impatient(Setup& setup) : YieldTurns(setup) {}
  void lock() {
    if (!is_impatient()) YieldTurns::lock();
  }
  void unlock() {
    if (leads() && waits_ >= 4) ++unlocks_;
    if (!is_impatient()) YieldTurns::unlock();
  }
  template <class Ready>
  void await(int rank, Ready ready) {
    if (leads()) ++waits_;
    if (!is_impatient()) YieldTurns::await(rank, ready);
  }

 private:
  bool leads() const { return std::this_thread::get_id() == first_; }
  bool is_impatient() const { return leads() && unlocks_ > 0 && unlocks_ < 5; }
  std::thread::id first_ = std::this_thread::get_id();
  int waits_ = 0;  // both of the first member
  int unlocks_ = 0;
};

TEST(Handover, ATurnOutOfTurnIsFound) {
  Description description;
  description.quantities = Batches<Handover<Impatient>>::quantities("one hand-over");
  description.members = exactly(2);
  try {
    test::run_class<Batches<Handover<Impatient>>>(description, {}, {}, Reps{50});
    ADD_FAILURE() << "not found";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("were out of turn"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace assay
