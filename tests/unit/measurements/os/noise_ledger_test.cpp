// SPDX-License-Identifier: Apache-2.0
// The ledger on this machine: nothing of the lost time is left without a cause, by either way of finding it.
#include "os/noise_ledger.hpp"

#include <gtest/gtest.h>

#include "support/measurements/one_batch.hpp"

namespace assay {
namespace {

const test::Levels short_window(const std::string& by) { return {{"by", by}, {"window", std::int64_t{50'000'000}}}; }

double sum_of_causes(const test::OneBatch& batch, bool has_softirqs) {
  double sum = 0;
  for (const char* cause : {"interrupt", "kernel-thread", "user-thread", "quota", "elsewhere"})
    sum += batch.value(cause);
  return has_softirqs ? sum + batch.value("softirq") : sum;
}

TEST(NoiseLedger, ByCountersDividesAllThatWasLost) {
  const auto batch = test::run_named("os/noise-ledger", {}, short_window("counters"), Reps{1});
  EXPECT_NEAR(sum_of_causes(batch, false), batch.value("lost"), 1e-9);
  EXPECT_GE(batch.value("lost"), 0);
  EXPECT_LE(batch.value("lost"), 1);
  EXPECT_FALSE(batch.batch.members.front().claims.has(2)) << "softirqs are not counted apart";
}

TEST(NoiseLedger, ByTracepointsDividesAllThatWasLost) {
  try {
    const auto batch = test::run_named("os/noise-ledger", {}, short_window("tracepoints"), Reps{1});
    EXPECT_NEAR(sum_of_causes(batch, true), batch.value("lost"), 1e-6);
  } catch (const Unsupported& why) {
    EXPECT_NE(std::string(why.what()).find("by = counters"), std::string::npos) << why.what();
    GTEST_SKIP() << why.what();
  }
}

// What a team passes on: the parts of the batches since the last call.
TEST(NoiseLedger, NamesThePartsOfWhatWasLost) {
  Registry registry;
  register_all(registry);
  TeamRequest request;
  request.placement = {"test", {binding_of_self().front()}};
  request.point.set("by", std::string("counters"));
  request.point.set("window", std::int64_t{50'000'000});
  const Entry& entry = *registry.find("os/noise-ledger");
  const auto team = open_team(entry, request);
  double lost = 0;
  for (int i = 0; i < 2; ++i) lost += team->run(Reps{1}).members.front().claims[NoiseLedger::lost];
  double sum = 0;
  for (const FoundPart& part : team->found_parts()) {
    EXPECT_FALSE(part.name.empty());
    sum += part.value;
  }
  EXPECT_NEAR(sum, lost, 1e-9);
  EXPECT_TRUE(team->found_parts().empty());
}

// The gaps are those of a simulated clock that jumps; room for two of them ends the window early.
TEST(GapRecord, KeepsGapsAndEndsWhenItIsFull) {
  struct Jumping final : Clock {
    Instant now() const override { return {time += ++readings % 10 == 0 ? 5000 : 20}; }
    mutable std::int64_t time = 0;
    mutable int readings = 0;
  } const clock;
  GapRecord record(2);
  const GapLimit limit{Nanoseconds{20}, microseconds(1)};
  const Nanoseconds window = record.watch(Stopwatch::simulated(clock), milliseconds(1), limit);
  ASSERT_EQ(record.gaps().size(), 2U);
  for (const ClockGap& gap : record.gaps()) EXPECT_EQ(gap.to - gap.from, 5000);
  EXPECT_EQ(window.count, static_cast<double>(record.gaps()[1].to - 20));
  // Nothing is known behind the middle of the second gap: the window ends before it.
  const ClockGap second = record.gaps()[1];
  EXPECT_EQ(record.cut(second.from + 100), static_cast<double>(second.from - 20));
  EXPECT_EQ(record.gaps().size(), 1U);
  GapRecord roomy(100);
  EXPECT_GE(roomy.watch(Stopwatch::simulated(clock), milliseconds(0.1), limit), milliseconds(0.1));
}

}  // namespace
}  // namespace assay
