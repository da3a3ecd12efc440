// SPDX-License-Identifier: Apache-2.0
// Coverage of latencies computed from estimates of channels whose parameters are known.
#include <gtest/gtest.h>

#include "stats/fit/logp.hpp"
#include "support/laws/laws.hpp"

namespace assay {
namespace {

constexpr int logp_campaigns = 1500;

struct Channel {
  double o_s;
  double o_r;
  double latency;
};
// The three parameter sets of the selftest.
constexpr Channel channels[] = {{500, 300, 2000}, {200, 900, 5000}, {1000, 100, 500}};

Estimate mean_around(double truth, double spread, Rng& rng) {
  const auto law = test::normal(truth, spread);
  std::vector<double> values;
  for (int i = 0; i < 12; ++i) values.push_back(law(rng));
  return {"mean", summarize(values).mean, t_interval(values, 0.05), "values"};
}

TEST(LatencyCoverage, OfKnownChannelsWhilePolling) {
  for (const Channel& channel : channels) {
    Rng rng(31);
    int covered = 0;
    for (int i = 0; i < logp_campaigns; ++i) {
      const Estimate rtt = mean_around(2 * (channel.o_s + channel.latency + channel.o_r), 60, rng);
      const Estimate o_s = mean_around(channel.o_s, 10, rng);
      const Estimate o_r = mean_around(channel.o_r, 25, rng);
      const Derived latency = polled_latency(rtt, o_s, o_r);
      EXPECT_TRUE(latency.valid);
      covered += latency.interval.contains(channel.latency) ? 1 : 0;
    }
    EXPECT_GE(covered, 0.94 * logp_campaigns) << channel.latency;
    EXPECT_LE(covered, 0.985 * logp_campaigns) << channel.latency;
  }
}

// What has no latency is called valid no more often than the intervals' level permits, on either side.
TEST(LatencyCoverage, OfNoLatencyIsSeldomCalledValid) {
  Rng rng(32);
  int polled = 0;
  int blocked = 0;
  for (int i = 0; i < logp_campaigns; ++i) {
    polled += polled_latency(mean_around(1600, 60, rng), mean_around(500, 10, rng), mean_around(300, 10, rng)).valid;
    blocked += blocked_latency(mean_around(0, 100, rng)).valid;
  }
  EXPECT_LE(polled, 0.035 * logp_campaigns);
  EXPECT_LE(blocked, 0.035 * logp_campaigns);
}

TEST(LatencyCoverage, OfABlockedReceiverThatOverlapsIsNeverValid) {
  Rng rng(33);
  for (int i = 0; i < 200; ++i) EXPECT_FALSE(blocked_latency(mean_around(-2000, 100, rng)).valid);
}

}  // namespace
}  // namespace assay
