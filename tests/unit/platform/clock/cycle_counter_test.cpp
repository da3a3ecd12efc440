// SPDX-License-Identifier: Apache-2.0
// Each ground on which a cycle counter is refused.
#include "platform/clock/cycle_counter.hpp"

#include <gmock/gmock-matchers.h>

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

}  // namespace
}  // namespace assay
