// SPDX-License-Identifier: Apache-2.0
// Oracles on real time: printed, never gated on.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "support/programs/program.hpp"

namespace assay::test {
namespace {

// Oracle 1: the synthetic channel spends its parameters in loops; the excess is the cost of stamps.
TEST(Machine, SyntheticChannelOnRealTime) {
  const Scratch folder;
  const auto finished = run_campaign_text(folder, R"(
[precision]
eps = 5%
[series.channel]
measurement = synthetic/round_trip
time = real
o_s = 500
o_r = 300
L = 2000
g = 800
placement = representative
)");
  ASSERT_LE(finished.exit_code, 1) << finished.err;
  for (const auto& point : points_of(campaign_records(folder), "channel")) {
    if (point.results.empty()) continue;
    const double got = point.results[0].headline.value;
    std::printf("%s: expected 5600 ns, got %.0f ns (%+.1f %%)\n", to_text(point.point).c_str(), got,
                100 * (got / 5600 - 1));
    EXPECT_GT(got, 5600 - 1);
    EXPECT_LT(got, 5600 + 8 * 40) << "eight stamps of up to 40 ns";
  }
}

// Oracle 1 by every other route: the direct overheads, the slopes of bursts, the one-way difference.
TEST(Machine, EveryParameterOfTheSyntheticChannelOnRealTime) {
  const Scratch folder;
  const auto finished = run_campaign_text(folder, R"(
[precision]
eps = 5%
max-time = 2s
[series.overheads]
measurement = synthetic/overheads
time = real
placement = representative
[series.gap]
measurement = synthetic/burst
time = real
burst = 16, 32, 64
derive.g = slope burst
placement = representative
[series.prtt]
measurement = synthetic/burst
time = real
burst = 2, 4, 8
delay = 1.5
derive.o_s = slope burst
placement = representative
[series.one-way]
measurement = synthetic/one_way
time = real
placement = representative
)");
  ASSERT_LE(finished.exit_code, 1) << finished.err;
  const auto records = campaign_records(folder);
  for (const std::string series : {"overheads", "one-way"})
    for (const auto& point : points_of(records, series))
      for (const Result& result : point.results)
        std::printf("%s: %s = %.0f ns (o_s 500, o_r 300, L 2000, T1 2800, D 2300, offset 0)\n",
                    to_text(point.point).c_str(), result.quantity.c_str(), result.headline.value);
  for (const auto& record : records_of<DerivedRecord>(records))
    if (record.derived.valid)
      std::printf("%s: %s = %.0f ns (g 800, o_s 500)\n", to_text(record.group).c_str(), record.name.c_str(),
                  record.derived.value);
}

// Oracle 5: a flag between two CPUs spins; a pipe on one CPU blocks; so does a futex whose partner takes 100 us, once
// per message.
TEST(Machine, RegimesAreWhatTheyMustBe) {
  const Scratch folder;
  const auto finished = run_campaign_text(folder, R"(
[precision]
eps = 20%
max-time = 1s
[series.pipe]
measurement = logp/round_trip
channel = pipe
placement = same-pu
[series.flag]
measurement = logp/round_trip
channel = flag
placement = representative
[series.slow]
measurement = logp/round_trip
channel = futex
work = compute
work-size = 100000
placement = representative
)");
  ASSERT_LE(finished.exit_code, 1) << finished.err;
  const auto records = campaign_records(folder);
  for (const auto& point : points_of(records, "pipe")) {
    ASSERT_FALSE(point.results.empty()) << point.reason;
    // On one CPU a member that is woken may preempt the other one, which then finds the next message without sleeping.
    EXPECT_NE(point.results[0].regime, Regime::spin) << point.reason;
  }
  for (const auto& point : points_of(records, "flag")) {
    if (point.results.empty()) continue;  // not applicable here, or too noisy now
    EXPECT_EQ(point.results.at(0).regime, Regime::spin) << to_text(point.point);
  }
  for (const auto& point : points_of(records, "slow")) {
    if (point.results.empty()) continue;  // too noisy now
    EXPECT_EQ(point.results[0].regime, Regime::blocked) << to_text(point.point);
  }
  double timed = 0;
  double all = 0;  // with the exchange before the clock, in which the responder may find its message there
  double switches = 0;
  for (const auto& visit : records_of<VisitRecord>(records))
    for (const JudgedBatch& judged : visit.batches)
      if (visit.series == "slow") {
        timed += static_cast<double>(judged.batch.reps.count);
        all += static_cast<double>(judged.batch.reps.count + 1);
        switches += static_cast<double>(judged.batch.members.at(1).voluntary);
      }
  std::printf("futex with a partner that takes 100 us: %.3f to %.3f switches per message\n", switches / all,
              switches / timed);
}

/// Two estimates of one thing, and how far they agree.
void print_pair(const char* what, double a, double b) {
  std::printf("%s: %.0f and %.0f ns, ratio %.3f\n", what, a, b, a / b);
}

// Oracle 6: a mechanism against itself, in interleaved blocks, shows no difference.
TEST(Machine, AMechanismAgainstItselfShowsNoDifference) {
  const Scratch folder;
  const auto finished = run_campaign_text(folder, R"(
[precision]
eps = 5%
incarnations = 6
max-time = 3s
[variant.again]
env.ASSAY_SAME = yes
[series.control]
measurement = logp/round_trip
channel = pipe
placement = same-pu
variant = plain, again
)");
  ASSERT_LE(finished.exit_code, 1) << finished.err;
  const auto points = points_of(campaign_records(folder), "control");
  ASSERT_EQ(points.size(), 2U);
  print_pair("a pipe against itself", points[0].results.at(0).headline.value, points[1].results.at(0).headline.value);
  const auto compared = run_assay({"compare", folder / "campaign", "--factor", "variant"});
  std::printf("%s", compared.out.c_str());
  EXPECT_NE(compared.exit_code, 6) << "the same thing was called slower than itself";
}

// Oracle 7: send overhead to a sleeping receiver, timed directly and as the slope of bursts with delays.
TEST(Machine, TwoRoutesToTheSendOverheadAgree) {
  const Scratch folder;
  const auto finished = run_campaign_text(folder, R"(
[precision]
eps = 3%
max-time = 4s
[series.direct]
measurement = logp/blocked
channel = futex, pipe
placement = representative
[series.prtt]
measurement = logp/burst
channel = futex, pipe
burst = 1, 2, 4, 8
delay = 1.5
placement = representative
derive.o_s = slope burst
)");
  ASSERT_LE(finished.exit_code, 1) << finished.err;
  const auto records = campaign_records(folder);
  for (const auto& record : records_of<DerivedRecord>(records))
    for (const auto& point : points_of(records, "direct"))
      if (record.derived.valid && !point.results.empty() &&
          point.point.text("channel") == record.group.text("channel") &&
          point.point.text("placement") == record.group.text("placement"))
        print_pair(to_text(point.point).c_str(), record.derived.value, point.results[0].headline.value);
}

// Oracle 10: an empty body costs nothing within the clock's step.
TEST(Machine, AnEmptyBodyIsZeroWithinTheClocksStep) {
  const Scratch folder;
  const auto finished = run_campaign_text(folder, R"(
[precision]
floor = 0.1ns
[series.empty]
measurement = sync/empty
placement = bound
)");
  ASSERT_LE(finished.exit_code, 1) << finished.err;
  const auto points = points_of(campaign_records(folder), "empty");
  ASSERT_EQ(points.size(), 1U);
  const double got = points[0].results.at(0).headline.value;
  std::printf("empty body: %.3f ns per repetition\n", got);
  EXPECT_LT(std::abs(got), 1);
}

// The same through a protocol: a channel that does nothing has a round trip of nothing.
TEST(Machine, AnEmptyChannelIsZeroWithinTheClocksStep) {
  const Scratch folder;
  const auto finished = run_campaign_text(folder, R"(
[precision]
floor = 0.1ns
[series.empty]
measurement = synthetic/empty
placement = representative
)");
  ASSERT_LE(finished.exit_code, 1) << finished.err;
  for (const auto& point : points_of(campaign_records(folder), "empty"))
    if (!point.results.empty()) std::printf("empty channel: %.3f ns per round trip\n", point.results[0].headline.value);
}

}  // namespace
}  // namespace assay::test
