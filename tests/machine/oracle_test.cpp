// SPDX-License-Identifier: Apache-2.0
// Oracles on real time: printed, never gated on.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "support/program.hpp"

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

// Oracle 5: a flag between two CPUs spins; a pipe on one CPU blocks.
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
)");
  ASSERT_LE(finished.exit_code, 1) << finished.err;
  const auto records = campaign_records(folder);
  for (const auto& point : points_of(records, "pipe"))
    EXPECT_EQ(point.results.at(0).regime, Regime::blocked) << point.reason;
  for (const auto& point : points_of(records, "flag")) {
    if (point.outcome == Outcome::not_applicable) continue;
    EXPECT_EQ(point.results.at(0).regime, Regime::spin) << to_text(point.point);
  }
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

}  // namespace
}  // namespace assay::test
