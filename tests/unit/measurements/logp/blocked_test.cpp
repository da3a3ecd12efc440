// SPDX-License-Identifier: Apache-2.0
// Sends to sleeping receivers over real channels, and where such a send has no number.
#include <gtest/gtest.h>

#include "logp/stamps.hpp"
#include "support/measurements/one_batch.hpp"
#include "support/measurements/point_setup.hpp"

namespace assay::test {
namespace {

const Levels over(const std::string& channel, Levels further = {}) {
  further.insert(further.begin(), {"channel", channel});
  return further;
}

class BlockedTeam : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Team, BlockedTeam, testing::Values("thread", "process"),
                         [](const auto& vehicle) { return vehicle.param; });

TEST_P(BlockedTeam, EachProvedReceiverSleptForItsMessage) {
  if (binding_of_self().size() < 2) GTEST_SKIP() << "needs two CPUs";
  for (const std::string channel : {"futex", "condvar", "pipe"})
    for (const std::string proof : {"syscall", "state"}) {
      SCOPED_TRACE(channel + " " + proof);
      const OneBatch batch =
          run_named("logp/blocked", {.vehicle = GetParam()}, over(channel, {{"proof", proof}}), Reps{20});
      EXPECT_GT(batch.value("proved"), 0);
      EXPECT_LE(batch.value("proved"), 1);
      EXPECT_GE(batch.value("switches"), batch.value("proved"));
      EXPECT_GT(batch.value("o_s[blk]"), 0);
      // What is subtracted for reading the clock is all that the two ways to T1 may differ by.
      EXPECT_NEAR(batch.value("T1"), batch.value("o_s[blk]") + batch.value("D"), 1e-3);
    }
}

TEST_P(BlockedTeam, WithoutProofNothingIsProvedAndEverySendCounts) {
  if (binding_of_self().size() < 2) GTEST_SKIP() << "needs two CPUs";
  const OneBatch batch =
      run_named("logp/blocked", {.vehicle = GetParam()}, over("futex", {{"proof", "none"}}), Reps{20});
  EXPECT_EQ(batch.value("proved"), 0);
  EXPECT_GT(batch.value("o_s[blk]"), 0);
}

TEST_P(BlockedTeam, AFloodReportsTheReceiversSwitchesPerMessage) {
  const OneBatch batch =
      run_named("logp/burst", {.vehicle = GetParam()}, over("futex", {{"burst", std::int64_t{64}}}), Reps{20});
  const auto& receiver = batch.batch.members[1];
  EXPECT_LE(batch.value("switches"), static_cast<double>(receiver.voluntary) / (64 * 20));
  EXPECT_LE(batch.value("switches"), 1) << "it sleeps at most once for each message";
}

// A send that waits for the receiver to sleep would wait forever if the sender kept the CPU.
TEST(Blocked, OnOneCpuItWorksUnderAPolicyThatDoesNotPreempt) {
  TeamRequest request;
  request.members = 2;
  request.policy = "fifo";
  request.placement = {"one", {binding_of_self().front(), binding_of_self().front()}};
  request.point.set("channel", std::string("futex"));
  Registry registry;
  register_all(registry);
  try {
    const Entry& entry = *registry.find("logp/blocked");
    const auto team = open_team(entry, request);
    const OneBatch batch{entry.description, traits_at(entry.description, request.point), team->run(Reps{20})};
    EXPECT_GT(batch.value("proved"), 0) << "the sender has to let the receiver fall asleep";
    EXPECT_GE(batch.value("D"), 0) << "the receiver cannot run before the sender lets it";
  } catch (const Unsupported& error) {
    ASSERT_EQ(error.code(), "N8") << error.what();
    GTEST_SKIP() << error.what();
  }
}

std::string code_of(const std::string& measurement, const Levels& levels, CpuSharing sharing) {
  Registry registry;
  register_all(registry);
  const Entry& entry = *registry.find(measurement);
  Point point;
  for (const Factor& factor : entry.description.factors) point.set(factor.name, factor.standard);
  for (const auto& [factor, level] : levels) point.set(factor, level);
  PointSetup setup(point, 2);
  setup.sharing = sharing;
  try {
    entry.make(setup);
  } catch (const Unsupported& error) {
    return error.code().empty() ? "none" : error.code();
  }
  return "";
}

// A clock whose reading costs 200 ns, and on whose first readings an interrupt of 33 us falls.
struct DisturbedClock {
  static std::int64_t now() { return time += ++readings == 2 ? 33'200 : 200; }
  static inline std::int64_t time = 0;
  static inline int readings = 0;
};

TEST(OwnCpuTime, IsNotReducedByWhatInterruptsAReadingOfTheClock) {
  const OwnCpuTimeBy<DisturbedClock> cpu;
  DisturbedClock::time += 1500;
  EXPECT_EQ(cpu.taken(), Nanoseconds{1500});
}

TEST(ProtocolCode, ASendThatContainsTheReceiversRunIsN3) {
  EXPECT_EQ(code_of("logp/blocked", over("pipe"), CpuSharing::certain), "N3");
  EXPECT_EQ(code_of("logp/blocked", over("pipe"), CpuSharing::possible), "N3");
  EXPECT_EQ(code_of("logp/blocked", over("pipe"), CpuSharing::none), "");
}

TEST(ProtocolCode, ADelayOnASharedCpuIsN4) {
  EXPECT_EQ(code_of("logp/burst", over("pipe", {{"delay", 1.5}}), CpuSharing::certain), "N4");
  EXPECT_EQ(code_of("logp/burst", over("pipe", {{"delay", 1.5}}), CpuSharing::possible), "N4");
  EXPECT_EQ(code_of("logp/burst", over("pipe", {{"delay", 1.5}}), CpuSharing::none), "");
  EXPECT_EQ(code_of("logp/burst", over("pipe"), CpuSharing::certain), "") << "a flood needs no delay";
}

TEST(ProtocolCode, MergingAndPollingAreKnownBeforeMeasuring) {
  EXPECT_EQ(code_of("logp/burst", over("flag"), CpuSharing::none), "N2");
  EXPECT_EQ(code_of("logp/overheads", over("flag"), CpuSharing::none), "N2");
  EXPECT_EQ(code_of("logp/capacity", over("flag"), CpuSharing::none), "N2");
  EXPECT_EQ(code_of("logp/blocked", over("flag"), CpuSharing::none), "N7");
  EXPECT_EQ(code_of("logp/issue", over("futex"), CpuSharing::none), "N6");
  EXPECT_EQ(code_of("logp/capacity", over("futex"), CpuSharing::none), "N10");
}

}  // namespace
}  // namespace assay::test
