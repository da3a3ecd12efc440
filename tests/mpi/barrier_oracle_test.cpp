// SPDX-License-Identifier: Apache-2.0
// The oracle accepts the barriers over all threads of all ranks, and catches those that are none.
#include <gtest/gtest.h>

#include "hybrid/barriers.hpp"
#include "hybrid/phase_oracle.hpp"
#include "ranks.hpp"

namespace assay::test {
namespace {

/// Violations that all members of all ranks saw in so many crossings.
std::int64_t violations_of(HybridBarrier& barrier, Ranks& ranks, int crossings) {
  HybridOracle oracle(ranks.place());
  LocalBarrier here(2, MpiProgress(ranks.place()));
  std::atomic<std::int64_t> seen{0};
  ranks.run([&](Member& member) {
    barrier.enter(member);
    oracle.enter(member);
    here.wait();
    for (int i = 0; i < crossings; ++i) {
      oracle.before(member);
      barrier.wait(member);
      oracle.after(member);
    }
    seen += oracle.violations(member);
    here.wait();
    if (Seating(ranks.place()).leads(member)) MpiProgress(ranks.place()).barrier(ranks.place().communicator);
    oracle.leave(member);
    barrier.leave(member);
  });
  const double all = MpiProgress(ranks.place()).largest(static_cast<double>(seen.load()), ranks.place().communicator);
  return static_cast<std::int64_t>(all);
}

class Barrier : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Hybrid, Barrier, testing::Values("leader", "counter", "duplicated"),
                         [](const auto& word) { return word.param; });

TEST_P(Barrier, HoldsEverybodyUp) {
  for (const bool crowded : {true, false}) {
    Ranks ranks(2, crowded);
    // Members that wait within the library need CPUs of their own.
    if (!crowded && std::thread::hardware_concurrency() < ranks.place().seats.size()) continue;
    EXPECT_EQ(violations_of(*make_hybrid_barrier(GetParam(), ranks.place()), ranks, 300), 0);
  }
}

/// The threads of a rank meet, and no others.
class OwnRankOnly final : public HybridBarrier {
 public:
  explicit OwnRankOnly(const MpiPlace& place) : local_(2, MpiProgress(place)) {}
  void wait(const Member&) override { local_.wait(); }

 private:
  LocalBarrier local_;
};

/// The leaders meet, and their threads do not wait for them.
class LeadersOnly final : public HybridBarrier {
 public:
  explicit LeadersOnly(const MpiPlace& place) : place_(place) {}
  void wait(const Member& member) override {
    if (Seating(place_).leads(member)) MpiProgress(place_).barrier(place_.communicator);
  }

 private:
  const MpiPlace& place_;
};

TEST(BrokenBarrier, OfOneRankIsCaught) {
  Ranks ranks(2, true);
  OwnRankOnly broken(ranks.place());
  EXPECT_GT(violations_of(broken, ranks, 20'000), 0);
}

TEST(BrokenBarrier, OfLeadersIsCaught) {
  Ranks ranks(2, true);
  LeadersOnly broken(ranks.place());
  EXPECT_GT(violations_of(broken, ranks, 2000), 0);
}

TEST(BrokenBarrier, EndsABatch) {
  EXPECT_NO_THROW(require_no_violation(0));
  EXPECT_THROW(require_no_violation(3), std::runtime_error);
}

}  // namespace
}  // namespace assay::test
