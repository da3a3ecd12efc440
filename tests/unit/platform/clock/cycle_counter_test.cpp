// SPDX-License-Identifier: Apache-2.0
// Each ground on which a cycle counter is refused, and two CPUs' counters compared, with a skew put in.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <ctime>

#include "platform/clock/cycle_counter.hpp"
#include "platform/clock/system_clock.hpp"
#include "platform/thread/guard.hpp"

namespace assay {
namespace {

using testing::HasSubstr;

const std::string good_cpu = "processor\t: 0\nflags\t\t: fpu tsc constant_tsc nonstop_tsc\n";

CounterEvidence good() { return {"x86_64", good_cpu + good_cpu, "tsc", Nanoseconds{20}}; }

TEST(CounterCheck, NothingSpeaksAgainstAGoodCounter) { EXPECT_EQ(counter_objection(good()), ""); }

TEST(CounterCheck, EveryCpuNeedsBothFlags) {
  CounterEvidence evidence = good();
  evidence.cpu_info = good_cpu + "flags : fpu tsc constant_tsc nonstop_tsc_s3\n";
  EXPECT_THAT(counter_objection(evidence), HasSubstr("nonstop_tsc"));
  evidence.cpu_info = "flags : tsc nonstop_tsc\n" + good_cpu;
  EXPECT_THAT(counter_objection(evidence), HasSubstr("constant_tsc"));
}

TEST(CounterCheck, UnreadableFlagsAreNoProof) {
  CounterEvidence evidence = good();
  evidence.cpu_info.clear();
  EXPECT_THAT(counter_objection(evidence), HasSubstr("cannot be read"));
}

TEST(CounterCheck, KernelMustTrustItToo) {
  CounterEvidence evidence = good();
  evidence.clock_source = "hpet";
  EXPECT_THAT(counter_objection(evidence), HasSubstr("'hpet'"));
  evidence.clock_source = "";
  EXPECT_THAT(counter_objection(evidence), HasSubstr("not known"));
}

TEST(CounterCheck, TrappedCounterIsRefused) {
  CounterEvidence evidence = good();
  evidence.read_cost = Nanoseconds{1200};
  EXPECT_THAT(counter_objection(evidence), HasSubstr("trapped"));
  evidence.read_cost = Nanoseconds{99};
  EXPECT_EQ(counter_objection(evidence), "");
}

TEST(CounterCheck, ArmNeedsNoFlags) {
  EXPECT_EQ(counter_objection({"aarch64", "", "arch_sys_counter", Nanoseconds{20}}), "");
  EXPECT_NE(counter_objection({"aarch64", "", "tsc", Nanoseconds{20}}), "");
}

TEST(CounterCheck, OtherArchitecturesHaveNone) {
  EXPECT_THAT(counter_objection({"riscv64", good_cpu, "tsc", {}}), HasSubstr("riscv64"));
}

std::int64_t monotonic() { return MonotonicClock().now().ns; }

TEST(Faults, F33_skewed_stamps_are_refused_whichever_side_is_behind) {
  std::vector<std::int64_t> stamps;
  for (int i = 0; i < 20; ++i) stamps.push_back(1000 + 100 * i);
  EXPECT_EQ(pair_objection(stamps, 1), "");
  for (const std::size_t side : {0U, 1U}) {
    auto skewed = stamps;
    for (std::size_t i = side; i < skewed.size(); i += 2) skewed[i] += 350;
    EXPECT_EQ(pair_objection(skewed, 1), "one is 250 ns and more behind the other");
    EXPECT_EQ(pair_objection(skewed, 0.5), "one is 125 ns and more behind the other");
  }
  stamps.resize(9);
  EXPECT_NE(pair_objection(stamps, 1).find("did not answer"), std::string::npos);
}

TEST(Faults, F33_injected_skew_between_two_cpus_is_found) {
  const auto cpus = binding_of_self();
  const int other = cpus.size() > 1 ? cpus[1] : cpus[0];
  constexpr int turns = 200;
  const auto straight = stamps_in_turns(cpus[0], other, turns, [](int) { return monotonic(); });
  EXPECT_EQ(straight.size(), std::size_t{turns});
  EXPECT_EQ(pair_objection(straight, 1), "");
  const auto skewed =
      stamps_in_turns(cpus[0], other, turns, [](int side) { return monotonic() - side * 5'000'000'000; });
  EXPECT_NE(pair_objection(skewed, 1).find("behind the other"), std::string::npos);
  EXPECT_EQ(binding_of_self(), cpus);
}

TEST(CounterPair, ACpuThatIsNotThereIsAnError) {
  EXPECT_THROW(stamps_in_turns(0, 99999, 4, [](int) { return monotonic(); }), std::exception);
  EXPECT_NE(counter_pair_objection(0, 99999, 1, [](int) { return monotonic(); }).find("could not be compared"),
            std::string::npos);
}

TEST(CounterPair, OneClockHasNoObjectionFromAChildProcess) {
  const auto cpus = binding_of_self();
  if (cpus.size() < 2) GTEST_SKIP() << "one CPU";
  EXPECT_EQ(counter_pair_objection(cpus[0], cpus[1], 1, [](int) { return monotonic(); }), "");
}

}  // namespace
}  // namespace assay
