// SPDX-License-Identifier: Apache-2.0
// Counters read from texts as the kernel writes them, and what they can say of lost time.
#include "ledger/counters.hpp"

#include <gtest/gtest.h>

#include <sched.h>

namespace assay {
namespace {

constexpr const char* interrupts = R"(           CPU0       CPU1
 24:          1          0  IO-APIC   5-edge      ACPI:Ged
 26:          0         14  IO-APIC   4-edge      ttyS0
LOC:      80000      90000   Local timer interrupts
ERR:          0
)";

TEST(Counters, FindTheColumnOfACpu) {
  const auto first = counts_in_column(interrupts, 0), second = counts_in_column(interrupts, 1);
  EXPECT_EQ(first.at("24 ACPI:Ged"), 1);
  EXPECT_EQ(second.at("26 ttyS0"), 14);
  EXPECT_EQ(second.at("LOC Local timer interrupts"), 90000);
  EXPECT_EQ(second.count("ERR"), 0U) << "of all CPUs together";
  EXPECT_TRUE(counts_in_column(interrupts, 7).empty());
  EXPECT_TRUE(counts_in_column("", 0).empty());
}

TEST(Counters, FindAKey) {
  EXPECT_EQ(value_of_key("nr_throttled 3\nthrottled_usec 1234\n", "throttled_usec"), 1234);
  EXPECT_EQ(value_of_key("nr_throttled 3\n", "throttled_usec"), 0);
}

CpuCounts counts_of(double waited, double throttled, double stolen) {
  CpuCounts counts;
  counts.waited = waited;
  counts.throttled = throttled;
  counts.stolen = stolen;
  return counts;
}

TEST(CountedLedger, GivesTheWaitToQuotaAndThreads) {
  CpuCounts counts = counts_of(50e6, 20e6, 0);
  counts.threads = {{"plant (5)", false, 20e6}, {"kworker/0:1", true, 10e6}};
  counts.interrupts = {{"LOC", 100}, {"26 ttyS0", 300}};
  const Ledger found = attribute_by_counts(52e6, counts);
  EXPECT_NEAR(found.lost(), 52e6, 1);
  EXPECT_NEAR(found.lost(Cause::quota), 20e6, 1);
  EXPECT_NEAR(found.lost(Cause::user_thread), 20e6, 1);
  EXPECT_NEAR(found.lost(Cause::kernel_thread), 10e6, 1);
  EXPECT_NEAR(found.entries().at({Cause::interrupt, "26 ttyS0"}).lost, 1.5e6, 1);
  EXPECT_EQ(found.entries().at({Cause::interrupt, "LOC"}).count, 100);
}

TEST(CountedLedger, GivesAHypervisorWhatItSaysItTook) {
  CpuCounts counts = counts_of(0, 0, 30e6);
  counts.interrupts = {{"LOC", 100}};
  EXPECT_NEAR(attribute_by_counts(31e6, counts).lost(Cause::elsewhere), 30e6, 1);
  EXPECT_NEAR(attribute_by_counts(31e6, counts).lost(Cause::interrupt), 1e6, 1);
  EXPECT_NEAR(attribute_by_counts(10e6, counts).lost(Cause::elsewhere), 10e6, 1) << "never more than was lost";
}

TEST(CountedLedger, NamesNoCauseWhereNothingWasCounted) {
  EXPECT_NEAR(attribute_by_counts(5e6, counts_of(0, 0, 0)).lost(Cause::elsewhere), 5e6, 1);
  EXPECT_NEAR(attribute_by_counts(5e6, counts_of(5e6, 0, 0)).entries().at({Cause::user_thread, "ended meanwhile"}).lost,
              5e6, 1);
}

TEST(Counters, OfThisThreadAdvance) {
  CpuCounters counters(::sched_getcpu());
  counters.start();
  const CpuCounts counts = counters.stop();
  EXPECT_GE(counts.waited, 0);
  EXPECT_GE(counts.throttled, 0);
  EXPECT_GE(counts.stolen, 0);
}

}  // namespace
}  // namespace assay
