// SPDX-License-Identifier: Apache-2.0
// Oracles on real time about order and turns: rings, barriers, time slices. Printed, never gated on.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "support/programs/program.hpp"

namespace assay::test {
namespace {

/// A campaign whose measurements check themselves: a violation throws, and the point would be `failed`.
void expect_no_violation(const std::string& text) {
  const Scratch folder;
  const auto finished = run_campaign_text(folder, text);
  ASSERT_LE(finished.exit_code, 1) << finished.err;
  for (const auto& point : points_of(campaign_records(folder), "checked")) {
    std::printf("%s: %s\n", to_text(point.point).c_str(), to_text(point.outcome).c_str());
    EXPECT_NE(point.outcome, Outcome::failed) << point.reason;
    EXPECT_NE(point.outcome, Outcome::timeout) << point.reason;
  }
}

// Oracle 2: the ring's order, exact at every step, between threads and processes wherever they sit.
TEST(Machine, ARingKeepsItsOrder) {
  expect_no_violation(
      "[precision]\neps = 10%\nmax-time = 1s\n[series.checked]\nmeasurement = logp/round_trip\n"
      "channel = mutex-ring-checked\nvehicle = thread, process\nplacement = representative\n");
}

// Oracle 3: behind a barrier all have reached it.
TEST(Machine, ABarrierKeepsItsPhases) {
  expect_no_violation(
      "[precision]\neps = 10%\nmax-time = 1s\n[series.checked]\nmeasurement = sync/barrier\nbarrier = all\n"
      "checked = yes\nmembers = 2, 4\nvehicle = thread, process\nplacement = representative\n");
}

// Oracle 8: under round robin a turn lasts as long as the kernel says.
TEST(Machine, RoundRobinTurnsLastTheReportedInterval) {
  const Scratch folder;
  const auto finished = run_campaign_text(folder,
                                          "[precision]\neps = 5%\nmax-time = 8s\nwarm-up = 0ms\n[series.turns]\n"
                                          "measurement = thread/time_slice\nplacement = same-pu\npolicy = rr\n");
  ASSERT_LE(finished.exit_code, 1) << finished.err;
  for (const auto& point : points_of(campaign_records(folder), "turns")) {
    if (point.results.empty()) {
      std::printf("no turns: %s %s\n", point.code.c_str(), point.reason.c_str());
      continue;
    }
    double slice = 0;
    double interval = 0;
    for (const Result& result : point.results) {
      if (result.quantity == "slice") slice = result.headline.value;
      if (result.quantity == "interval") interval = result.headline.value;
    }
    std::printf("round robin: turns of %.3f ms, reported %.3f ms, ratio %.4f\n", slice / 1e6, interval / 1e6,
                slice / interval);
    EXPECT_NEAR(slice / interval, 1, 0.01);
  }
}

}  // namespace
}  // namespace assay::test
