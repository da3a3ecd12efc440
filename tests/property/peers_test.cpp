// SPDX-License-Identifier: Apache-2.0
// The peers behave as published where that can be worked out by hand.
#include "bench/peers/peer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace assay::bench {
namespace {

/// The value of the i-th timing, from 0.
using Series = std::function<double(std::size_t)>;

const Series constant = [](std::size_t) { return 100.0; };
/// Standard deviation 10 % of the mean.
const Series alternating = [](std::size_t i) { return i % 2 == 0 ? 90.0 : 110.0; };
/// No value twice.
const Series all_different = [](std::size_t i) { return 100 + 1e-6 * static_cast<double>(i); };
/// Preempted once, at the third timing.
const Series preempted_once = [](std::size_t i) { return i == 2 ? 1e5 : 100 + 0.01 * static_cast<double>(i % 3); };

struct Stop {
  std::size_t timings = 0;
  Claim claim;
};

Stop run(const PeerKind& kind, const Series& series) {
  const auto peer = kind.make(100);
  for (std::size_t n = 0; n < 100'000; ++n)
    if (peer->add(series(n))) return {n + 1, peer->claim()};
  return {};
}

TEST(SkampiPeer, StopsAtItsMinimumOrAtTheEndOfABatchPastItsMaximum) {
  EXPECT_EQ(run(skampi(0.1, 8, 33), constant).timings, 8U);
  const Stop noisy = run(skampi(0.01, 8, 33), alternating);
  EXPECT_EQ(noisy.timings, 40U);
  EXPECT_FALSE(noisy.claim.converged);
}

TEST(SkampiPeer, LooksAtAllValuesButReportsTheMiddleHalf) {
  const Stop stop = run(skampi(0.1, 8, 33), preempted_once);
  EXPECT_FALSE(stop.claim.converged);
  EXPECT_NEAR(stop.claim.value, 100, 0.1);
  EXPECT_LT(stop.claim.interval.high - stop.claim.interval.low, 0.1);
}

TEST(StandardDeviationPeer, IsATestOfHomogeneity) {
  EXPECT_EQ(run(standard_deviation(0.15, 8, 33), alternating).timings, 8U);
  EXPECT_FALSE(run(standard_deviation(0.05, 8, 33), alternating).claim.converged);
  EXPECT_FALSE(run(standard_deviation(0.05, 8, 10'000), alternating).claim.converged);
}

TEST(MpiblibPeer, StopsWhereTheHalfWidthOfTheMeanIsReached) {
  EXPECT_EQ(run(mpiblib(0.025, 1000), constant).timings, 30U);
  // 1.998 * 10.08 / sqrt(n) <= 2.5 from n = 65 on.
  EXPECT_NEAR(static_cast<double>(run(mpiblib(0.025, 1000), alternating).timings), 65, 2);
  EXPECT_EQ(run(mpiblib(0.025, 1000), preempted_once).timings, 1000U);
}

TEST(LogpMpiPeer, GoesInRoundsOfThree) {
  EXPECT_EQ(run(logp_mpi(0.03, 72), constant).timings, 3U);
  // 1.33 * 10.3 / sqrt(n) <= 6 from n = 6 on, where 1.48 * 10.95 / sqrt(6) = 6.6 is too much still.
  EXPECT_EQ(run(logp_mpi(0.03, 72), alternating).timings, 9U);
  EXPECT_EQ(run(logp_mpi(0.03, 72), preempted_once).timings, 72U);
}

TEST(NvbenchStdrelPeer, StopsWhenTheNoiseIsSmallOrSettled) {
  EXPECT_EQ(run(nvbench_stdrel(0.005), constant).timings, 10U);
  const Stop settled = run(nvbench_stdrel(0.005), alternating);
  EXPECT_EQ(settled.timings % 16, 0U);
  EXPECT_GT(settled.timings, 64U);
  EXPECT_LT(settled.timings, 160U);
}

TEST(NvbenchEntropyPeer, StopsWhenTheEntropyHasCeasedToRise) {
  EXPECT_EQ(run(nvbench_entropy(0.048), constant).timings, 10U);
  // The entropy of n different values is log2 n; its slope is 0.048 degrees at n = 1722, the middle of the window.
  EXPECT_NEAR(static_cast<double>(run(nvbench_entropy(0.048), all_different).timings), 1722 + 149, 6);
}

TEST(GoogleBenchmarkPeer, ThrowsAwayAllBatchesButTheLast) {
  // 1, 10, 100, 1000; then 1.4 * 5000 / 1000 times as many.
  EXPECT_EQ(run(google_benchmark(5000), constant).timings, 8111U);
  const Series slow_at_first = [](std::size_t i) { return i < 1000 ? 90.0 : 100.0; };
  const Stop stop = run(google_benchmark(5000), slow_at_first);
  EXPECT_DOUBLE_EQ(stop.claim.value, 100);
  EXPECT_FALSE(stop.claim.interval.available());
}

TEST(HyperfinePeer, RunsTenTimes) {
  const Stop stop = run(hyperfine(10), alternating);
  EXPECT_EQ(stop.timings, 10U);
  EXPECT_DOUBLE_EQ(stop.claim.value, 100);
}

TEST(CriterionPeer, FitsALineThroughTheOrigin) {
  const Stop stop = run(criterion(1), alternating);
  EXPECT_EQ(stop.timings, 5050U);
  EXPECT_NEAR(stop.claim.value, 100, 0.2);
  EXPECT_TRUE(stop.claim.interval.contains(stop.claim.value));
  EXPECT_EQ(run(criterion(2), constant).timings, 10'100U);
  EXPECT_NEAR(run(criterion(2), constant).claim.value, 100, 1e-9);
}

TEST(NanobenchPeer, TakesTheMedianOfElevenEpochs) {
  const Stop stop = run(nanobench(100), preempted_once);
  EXPECT_EQ(stop.timings, 1100U);
  EXPECT_NEAR(stop.claim.value, 100, 0.1);
  const Series by_epoch = [](std::size_t i) { return 100 + static_cast<double>(i / 100); };
  const Claim claim = run(nanobench(100), by_epoch).claim;
  EXPECT_DOUBLE_EQ(claim.value, 105);
  EXPECT_NEAR(claim.interval.high, 105 + 3, 1e-9);
}

TEST(BenchmarkDotNetPeer, RemovesUpperOutliersBeforeItLooks) {
  const Stop stop = run(benchmark_dot_net(1, 0.02, 100), preempted_once);
  EXPECT_EQ(stop.timings, 15U);
  EXPECT_NEAR(stop.claim.value, 100, 0.1);
  EXPECT_EQ(run(benchmark_dot_net(10, 0.02, 100), constant).timings, 10U * 15);
  const Stop noisy = run(benchmark_dot_net(1, 0.02, 100), alternating);
  EXPECT_EQ(noisy.timings, 100U);
  EXPECT_FALSE(noisy.claim.converged);
}

TEST(HoeflerBelliPeer, ReportsTheRanksOfItsFormula) {
  const Series ascending = [](std::size_t i) { return 1000 + static_cast<double>(i); };
  const Stop stop = run(hoefler_belli(0.001, 100), ascending);
  EXPECT_EQ(stop.timings, 100U);
  EXPECT_DOUBLE_EQ(stop.claim.interval.low, 1000 + 39);
  EXPECT_DOUBLE_EQ(stop.claim.interval.high, 1000 + 60);
  EXPECT_FALSE(stop.claim.converged);
  EXPECT_EQ(run(hoefler_belli(0.02, 100), constant).timings, 10U);
}

TEST(PeerTruth, IsTheStatisticThatThePeerReports) {
  const std::vector<double> whole{1, 2, 3, 4, 5, 6, 9, 1000};
  EXPECT_DOUBLE_EQ(skampi(0.1, 8, 33).truth(whole), 4.5);
  EXPECT_DOUBLE_EQ(hoefler_belli(0.02, 100).truth(whole), 4.5);
  EXPECT_DOUBLE_EQ(benchmark_dot_net(1, 0.02, 100).truth(whole), 30.0 / 7);
  EXPECT_DOUBLE_EQ(nanobench(2).truth(whole), (3.5 + 5.5) / 2);
  EXPECT_FALSE(mpiblib(0.02, 1000).truth);
}

}  // namespace
}  // namespace assay::bench
