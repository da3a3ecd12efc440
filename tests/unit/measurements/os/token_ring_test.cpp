// SPDX-License-Identifier: Apache-2.0
// The token ring: order and counts of hops, sums that are really made, limits.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <functional>
#include <numeric>
#include <thread>

#include "os/token_ring.hpp"
#include "support/measurements/one_batch.hpp"
#include "support/measurements/point_setup.hpp"
#include "support/programs/own_process.hpp"

namespace assay {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(TokenRingHops, EveryHolderIsDueOncePerTripInOrder) {
  for (const int holders : {1, 2, 5}) {
    std::vector<HopCount> hops;
    for (int rank = 0; rank < holders; ++rank) hops.emplace_back(rank, holders);
    Token token = 0;
    for (int trip = 0; trip < 3; ++trip) {
      EXPECT_EQ(hops[0].begin(), token);
      for (int rank = 1; rank < holders; ++rank) {
        EXPECT_TRUE(hops[static_cast<std::size_t>(rank)].take(token));
        token = HopCount::next(token);
      }
      EXPECT_TRUE(hops[0].take(token));
      token = HopCount::next(token);
    }
    EXPECT_EQ(token, static_cast<Token>(3 * holders));
  }
}

TEST(TokenRingHops, AWrongNumberIsFound) {
  HopCount hops(2, 4);
  EXPECT_FALSE(hops.take(0)) << "too early";
  EXPECT_FALSE(hops.take(2)) << "too late";
  EXPECT_FALSE(hops.take(HopCount::poison));
  EXPECT_TRUE(hops.take(1));
  EXPECT_FALSE(hops.take(1)) << "twice";
  EXPECT_TRUE(hops.take(5));
}

TEST(TokenRingWorkingSet, IsZeroAndSummedWhole) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{32}, std::size_t{65536}}) {
    WorkingSet set(bytes);
    EXPECT_GE(set.length(), bytes);
    EXPECT_LT(set.length(), bytes + 32);
    EXPECT_EQ(set.sum(), 0U);
    const std::size_t words = set.length() / sizeof(std::uint64_t);
    for (std::size_t i = 0; i < words; ++i) set.words()[i] = i;
    EXPECT_EQ(set.sum(), words == 0 ? 0U : words * (words - 1) / 2);
  }
}

TEST(TokenRing, RunsWithThreadsAndProcessesOfAnyNumber) {
  for (const char* vehicle : {"thread", "process"})
    for (const int members : {2, 3, 96}) {
      const auto one = test::run_named("os/token_ring", {.vehicle = vehicle, .members = members},
                                       {{"size", std::int64_t{4096}}}, Reps{5});
      EXPECT_GT(one.value("time"), 0) << vehicle << members;
      // Each member sleeps in its read once per trip; two on different CPUs may occasionally not have to.
      EXPECT_GT(one.value("switches"), 0.4) << vehicle << members;
      EXPECT_LT(one.value("switches"), 4) << vehicle << members;
      for (const MemberReport& report : one.batch.members) EXPECT_GT(report.voluntary + report.involuntary, 0);
    }
}

TEST(TokenRing, OneCpuSuffices) {
  Registry registry;
  register_all(registry);
  TeamRequest request;
  request.members = 8;
  request.placement = {"same-pu", std::vector<int>(8, binding_of_self().front())};
  request.point.set("size", std::int64_t{0});
  const Entry& entry = *registry.find("os/token_ring");
  const auto team = open_team(entry, request);
  const Batch batch = team->run(Reps{50});
  EXPECT_GT(observe(batch, entry.description, 0, entry.description.traits).value(), 0);
  EXPECT_GE(observe(batch, entry.description, 1, entry.description.traits).value(), 0.9) << "each hop is a switch";
  // A member that was preempted after it wrote may find the token back already.
  EXPECT_NE(judge(batch, entry.description.traits, entry.description, request.placement).regime, Regime::spin);
}

/// A ring of two without a team, the second member of which gets a wrong token.
TEST(TokenRing, AWrongTokenFailsAllAndHangsNobody) {
  Point point;
  point.set("size", std::int64_t{0});
  test::PointSetup setup(point, 2);
  TokenRing ring(setup);
  std::atomic<std::int64_t> beats{0};
  Member first(0, 2, Stopwatch(), beats);
  Member second(1, 2, Stopwatch(), beats);
  ring.enter(first);
  ring.enter(second);
  std::string why;
  std::thread other([&] {
    try {
      ring.run(second, Reps{3});
    } catch (const std::logic_error& error) {
      why = error.what();
    }
  });
  EXPECT_NO_THROW(ring.run(first, Reps{3}));
  other.join();
  EXPECT_EQ(why, "");
  std::thread late([&] {
    try {
      ring.run(first, Reps{1});
    } catch (const std::logic_error& error) {
      why = error.what();
    }
  });
  ring.lose_count(1);
  EXPECT_THROW(ring.run(second, Reps{1}), std::logic_error);
  late.join();
  EXPECT_EQ(why, "another member of the ring has found a wrong token");
}

TEST(TokenRingOverhead, PassesTheTokenThroughAnyNumberOfPipes) {
  for (const std::int64_t pipes : {1, 2, 96})
    EXPECT_GT(test::run_named("os/token_ring_overhead", {}, {{"pipes", pipes}, {"size", std::int64_t{0}}}, Reps{100})
                  .value("time"),
              0);
}

template <class M>
std::string refusal_of(const Point& point, int members) {
  test::PointSetup setup(point, members);
  try {
    M measurement(setup);
  } catch (const Unsupported& error) {
    return error.what();
  }
  return "";
}

Point sized(std::int64_t bytes) {
  Point point;
  point.set("size", bytes);
  return point;
}

TEST(TokenRingLimits, TooFewDescriptorsAreTold) {
  EXPECT_EQ(test::in_own_process([] {
              const rlimit few{64, 64};
              ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
              EXPECT_THAT(refusal_of<TokenRing>(sized(0), 96),
                          AllOf(HasSubstr("96 members with 0 bytes each need 192 descriptors"),
                                HasSubstr("may have 64 (ulimit -n)"), HasSubstr("choose fewer members")));
              EXPECT_EQ(refusal_of<TokenRing>(sized(0), 4), "");
            }),
            0);
}

TEST(TokenRingLimits, MemoryNobodyHasIsTold) {
  EXPECT_THAT(refusal_of<TokenRing>(sized(std::int64_t{1} << 50), 96), HasSubstr("MiB"));
  EXPECT_THAT(refusal_of<TokenRing>(sized(std::int64_t{1} << 62), 96), HasSubstr("choose fewer members or bytes"));
  if (ASSAY_SANITIZED) return;
  EXPECT_EQ(test::in_own_process([] {
              std::size_t pages = address_usage().used;
              const rlimit space{pages + (1U << 20U), pages + (1U << 20U)};
              ASSERT_EQ(::setrlimit(RLIMIT_AS, &space), 0);
              EXPECT_THAT(refusal_of<TokenRing>(sized(65536), 96),
                          AllOf(HasSubstr("need 6 MiB of address space"), HasSubstr("(ulimit -v")));
            }),
            0);
}

TEST(TokenRingLimits, APipeIsNeeded) {
  Point point = sized(0);
  point.set("pipes", std::int64_t{0});
  EXPECT_THAT(refusal_of<TokenRingOverhead>(point, 1), HasSubstr("pipes = 1 or more"));
}

}  // namespace
}  // namespace assay
