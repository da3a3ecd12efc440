// SPDX-License-Identifier: Apache-2.0
// Replays against closed forms of the literature, and under noise.
#include "record/collective/replay.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace assay {
namespace {

using namespace collective;

constexpr LogGp plain{.L = 1000, .o_s = 200, .o_r = 300, .g = 400, .G = 0.5};
constexpr double start_up = 1000 + 200 + 300;  // alpha of Thakur, Rabenseifner and Gropp

double log2_of(int ranks) { return std::ceil(std::log2(ranks)); }

double time_of(Collective collective, Algorithm algorithm, int ranks, double bytes, const LogGp& parameters = plain) {
  return completion(make(collective, algorithm, ranks, bytes), parameters);
}

TEST(CollectiveReplay, OneMessageIsThatOfLogGp) {
  // Alexandrov, Ionescu, Schauser and Scheiman 1995, section 3: o + (k - 1) G + L + o, with L and o at 0 bytes here.
  EXPECT_DOUBLE_EQ(time_of(Collective::broadcast, Algorithm::linear, 2, 1e6), 200 + 1e6 * 0.5 + 1000 + 300);
  LogGp more = plain;
  more.o_s_byte = 0.1;
  more.o_r_byte = 0.2;
  EXPECT_DOUBLE_EQ(time_of(Collective::broadcast, Algorithm::linear, 2, 1000, more),
                   200 + 100 + 500 + 1000 + 300 + 200);
}

TEST(CollectiveReplay, MessagesInSuccessionAreTheGapApart) {
  // Culler et al., LogP, 1993: n messages from one processor to others: (n - 1) max(g, o) + L + 2 o.
  for (const int ranks : {2, 3, 7, 64})
    EXPECT_DOUBLE_EQ(time_of(Collective::broadcast, Algorithm::linear, ranks, 0), (ranks - 2) * 400.0 + start_up);
  LogGp busy = plain;
  busy.o_s = 900;
  EXPECT_DOUBLE_EQ(time_of(Collective::broadcast, Algorithm::linear, 5, 0, busy), 3 * 900 + 900 + 1000 + 300);
  // ... and to one: it receives no faster than its gap.
  EXPECT_DOUBLE_EQ(time_of(Collective::barrier, Algorithm::linear, 5, 0), start_up + 3 * 400 + 3 * 400 + start_up);
}

TEST(CollectiveReplay, RoundsThatDouble) {
  for (int ranks = 2; ranks <= 33; ++ranks) {
    // Hensgen, Finkel and Manber 1988, any number of ranks.
    EXPECT_DOUBLE_EQ(time_of(Collective::barrier, Algorithm::dissemination, ranks, 0), log2_of(ranks) * start_up)
        << ranks;
    // Bruck et al. 1997: ceil(log2 P) rounds, P - 1 parts.
    EXPECT_NEAR(time_of(Collective::allgather, Algorithm::bruck, ranks, 128),
                log2_of(ranks) * start_up + (ranks - 1) * 64, 1e-6)
        << ranks;
  }
  for (const int ranks : {2, 4, 8, 32, 1024}) {
    // Thakur, Rabenseifner and Gropp 2005, with n = 1000: rounds (alpha + n beta [+ n gamma]).
    EXPECT_DOUBLE_EQ(time_of(Collective::broadcast, Algorithm::binomial, ranks, 1000),
                     log2_of(ranks) * (start_up + 500));
    LogGp combining = plain;
    combining.combine_byte = 0.25;
    EXPECT_DOUBLE_EQ(time_of(Collective::allreduce, Algorithm::recursive_doubling, ranks, 1000, combining),
                     log2_of(ranks) * (start_up + 500 + 250));
    EXPECT_DOUBLE_EQ(time_of(Collective::reduce, Algorithm::binomial, ranks, 1000, combining),
                     log2_of(ranks) * (start_up + 500 + 250));
    EXPECT_DOUBLE_EQ(time_of(Collective::barrier, Algorithm::recursive_doubling, ranks, 0), log2_of(ranks) * start_up);
  }
}

TEST(CollectiveReplay, RabenseifnerAndRings) {
  LogGp combining = plain;
  combining.combine_byte = 0.25;
  for (const int ranks : {2, 4, 8, 32, 256}) {
    const double n = 1 << 20, share = (ranks - 1.0) / ranks;
    // Thakur, Rabenseifner and Gropp 2005, 4.5: 2 lg p alpha + 2 (p - 1) / p n beta + (p - 1) / p n gamma.
    const double halving = 2 * log2_of(ranks) * start_up + 2 * share * n * 0.5 + share * n * 0.25;
    EXPECT_NEAR(time_of(Collective::allreduce, Algorithm::rabenseifner, ranks, n, combining), halving, 1e-4);
    EXPECT_NEAR(time_of(Collective::reduce, Algorithm::rabenseifner, ranks, n, combining), halving, 1e-4);
    // Patarasuk and Yuan 2009; Chan et al. 2007 for the ring of allgather.
    EXPECT_NEAR(time_of(Collective::allreduce, Algorithm::ring, ranks, n, combining),
                2 * (ranks - 1) * start_up + 2 * share * n * 0.5 + share * n * 0.25, 1e-4);
    EXPECT_NEAR(time_of(Collective::allgather, Algorithm::ring, ranks, 4096), (ranks - 1) * (start_up + 2048), 1e-4);
    // lg p alpha + n / 2 lg p beta, where n is all that a rank has.
    EXPECT_NEAR(time_of(Collective::alltoall, Algorithm::bruck, ranks, 16),
                log2_of(ranks) * (start_up + ranks / 2 * 16 * 0.5), 1e-4);
    EXPECT_NEAR(time_of(Collective::alltoall, Algorithm::pairwise, ranks, 4096), (ranks - 1) * (start_up + 2048), 1e-4);
    // (lg p + p - 1) alpha + 2 (p - 1) / p n beta is its bound: the root begins its ring before the leaves.
    const double bound = (log2_of(ranks) + ranks - 1) * start_up + 2 * share * n * 0.5;
    const double broadcast = time_of(Collective::broadcast, Algorithm::ring, ranks, n);
    EXPECT_LE(broadcast, bound * (1 + 1e-12));
    EXPECT_GE(broadcast, bound / 2);
  }
}

TEST(CollectiveReplay, AllReceiversOfABroadcastAreBehindTheRoot) {
  const auto times = finish_times(make(Collective::broadcast, Algorithm::binomial, 8, 0), std::span(&plain, 1));
  EXPECT_DOUBLE_EQ(times[0], 2 * 400 + 200);
  EXPECT_DOUBLE_EQ(times[4], start_up + 400 + 200);
  EXPECT_DOUBLE_EQ(times[1], 2 * 400 + start_up);
}

TEST(CollectiveReplay, EachSizeHasItsParameters) {
  const LogGp pieces[] = {{.L = 1000, .o_s = 200, .o_r = 300, .g = 400, .G = 0.5, .to = 4096},
                          {.L = 5000, .o_s = 250, .o_r = 0, .g = 600, .G = 0.1, .rendezvous_from = 0}};
  const auto time = [&](double bytes) {
    return completion(make(Collective::broadcast, Algorithm::linear, 2, bytes), pieces);
  };
  EXPECT_DOUBLE_EQ(time(4096), 200 + 1000 + 2048 + 300);
  EXPECT_DOUBLE_EQ(time(5000), 250 + 5000 + 500);
}

TEST(CollectiveReplay, LargeMessagesWaitForTheirReceiver) {
  LogGp synchronous = plain;
  synchronous.rendezvous_from = 100;
  const Schedule schedule = make(Collective::broadcast, Algorithm::linear, 2, 100);
  const NoiseTrace late = noise_trace({{0, 50'000}});
  const RankNoise noise[] = {{}, {&late, 0}};
  // A receive is posted at the start; the CPU of its rank is away until 50 000.
  EXPECT_DOUBLE_EQ(completion(schedule, synchronous, noise), 50'000 + 300);
  // In a ring of three, the second stage waits for what the first one sent.
  const double eager = time_of(Collective::allgather, Algorithm::ring, 3, 100),
               waiting = time_of(Collective::allgather, Algorithm::ring, 3, 100, synchronous);
  EXPECT_DOUBLE_EQ(eager, waiting);
  // Rank 0 waits for rank 1 first, which is late: rank 2's message is transferred no sooner than rank 0 asks for it.
  const Schedule reduce = make(Collective::reduce, Algorithm::binomial, 4, 100);
  const RankNoise late_first[] = {{}, {&late, 0}, {}, {}};
  const double asks = 50'000 + 200 + 50 + 1000 + 300;
  EXPECT_DOUBLE_EQ(completion(reduce, plain, late_first), asks + 300);
  EXPECT_DOUBLE_EQ(completion(reduce, synchronous, late_first), asks + 50 + 1000 + 300);
  // ... and its sender is not done before it was.
  EXPECT_DOUBLE_EQ(finish_times(reduce, std::span(&synchronous, 1), late_first)[2], asks + 50);
}

TEST(CollectiveReplay, NoRankLeavesABarrierBeforeTheLastArrives) {
  const NoiseTrace late = noise_trace({{0, 1e9}});
  for (const Algorithm algorithm : algorithms(Collective::barrier)) {
    for (int ranks = 2; ranks <= 33; ++ranks) {
      const Schedule schedule = make(Collective::barrier, algorithm, ranks, 0);
      for (std::size_t slow = 0; slow < static_cast<std::size_t>(ranks); ++slow) {
        std::vector<RankNoise> noise(static_cast<std::size_t>(ranks));
        noise[slow].trace = &late;
        for (const double time : finish_times(schedule, std::span(&plain, 1), noise))
          ASSERT_GE(time, 1e9) << name(algorithm) << " of " << ranks;
      }
    }
  }
}

TEST(CollectiveReplay, WorkThatADetourFallsIntoContinuesAfterIt) {
  const Schedule schedule = make(Collective::broadcast, Algorithm::linear, 2, 0);
  const auto with = [&](NoiseTrace sender, NoiseTrace receiver, double phase = 0) {
    const RankNoise noise[] = {{&sender, phase}, {&receiver, 0}};
    return completion(schedule, plain, noise);
  };
  const NoiseTrace none;
  EXPECT_DOUBLE_EQ(with(none, none), start_up);
  EXPECT_DOUBLE_EQ(with(noise_trace({{100, 40}}), none), start_up + 40);                  // in the send
  EXPECT_DOUBLE_EQ(with(noise_trace({{100, 40}, {150, 60}}), none), start_up + 100);      // twice
  EXPECT_DOUBLE_EQ(with(noise_trace({{200, 40}}), none), start_up);                       // after it
  EXPECT_DOUBLE_EQ(with(none, noise_trace({{0, 1000}})), start_up);                       // absorbed by the wait
  EXPECT_DOUBLE_EQ(with(none, noise_trace({{1150, 100}})), start_up + 50);                // half absorbed
  EXPECT_DOUBLE_EQ(with(none, noise_trace({{1400, 1e6}})), start_up + 1e6);               // in the receive
  EXPECT_DOUBLE_EQ(with(noise_trace({{5000, 40}}), none, 4900), start_up + 40);           // by its phase
  EXPECT_DOUBLE_EQ(with(noise_trace({{100, 40}}, 10'000), none, 30'090), start_up + 40);  // comes again
  EXPECT_DOUBLE_EQ(with(noise_trace({{100, 40}}, 10'000), none, 29'990), start_up + 40);
  EXPECT_DOUBLE_EQ(with(noise_trace({{100, 40}}, 10'000), none, 30'120), start_up + 20);  // begins within it
}

TEST(CollectiveReplay, TracesAreOrderedMergedAndCut) {
  const NoiseTrace trace = noise_trace({{500, 100}, {0, 10}, {550, 100}, {990, 50}, {20, 0}}, 1000);
  ASSERT_EQ(trace.detours.size(), 3U);
  EXPECT_DOUBLE_EQ(trace.detours[1].duration, 150);
  EXPECT_DOUBLE_EQ(trace.detours[2].duration, 10);
  EXPECT_THROW(noise_trace({{0, 1000}}, 1000), std::invalid_argument);
}

TEST(CollectiveReplay, SixteenThousandRanks) {
  EXPECT_NEAR(time_of(Collective::allreduce, Algorithm::recursive_doubling, 16384, 8), 14 * (start_up + 4), 1e-6);
  EXPECT_NEAR(time_of(Collective::allreduce, Algorithm::rabenseifner, 16384, 16384), 28 * start_up + 2 * 16383 * 0.5,
              1e-3);
}

TEST(CollectiveReplay, IncompleteRequestsAreRefused) {
  const Schedule schedule = make(Collective::broadcast, Algorithm::linear, 3, 0);
  EXPECT_THROW(finish_times(schedule, {}), std::invalid_argument);
  const RankNoise one[1] = {};
  EXPECT_THROW(completion(schedule, plain, one), std::invalid_argument);
}

}  // namespace
}  // namespace assay
