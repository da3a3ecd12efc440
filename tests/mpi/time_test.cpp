// SPDX-License-Identifier: Apache-2.0
// Times of several ranks: their definitions, and the clocks that they may be compared by.
#include <gtest/gtest.h>

#include "mpi/collective.hpp"
#include "ranks.hpp"

namespace assay::test {
namespace {

/// The real clock, moved.
class MovedClock final : public Clock {
 public:
  explicit MovedClock(std::int64_t by) : by_(by) {}
  Instant now() const override { return {Stopwatch().start() + by_}; }

 private:
  std::int64_t by_;
};

TEST(TimeDefinition, IsOfTheSlowestTheRootOrTheWindow) {
  Ranks ranks(1, true);
  const MpiProgress progress(ranks.place());
  const Stopwatch watch;
  // Rank r begins at 100 - 10 r and takes 50 + r.
  const std::int64_t from = 100 - 10 * ranks.rank();
  const std::int64_t to = from + 50 + ranks.rank();
  const int last = ranks.place().ranks() - 1;
  const auto claim = [&](const char* word) {
    return TimeDefinition(ranks.place(), word).claim(from, to, watch, progress).count;
  };
  const auto from_start = [&](const char* word) {
    return TimeDefinition(ranks.place(), word).claim(Nanoseconds{200.0 + ranks.rank()}, progress).count;
  };
  EXPECT_DOUBLE_EQ(claim("slowest"), 50 + ranks.rank()) << "the framework takes the largest claim";
  EXPECT_DOUBLE_EQ(claim("root"), 50);
  EXPECT_DOUBLE_EQ(claim("window"), 150 - (100 - 10 * last)) << "rank 0 is last out, the last rank first in";
  EXPECT_DOUBLE_EQ(from_start("root"), 200);
  EXPECT_DOUBLE_EQ(from_start("window"), 200 + ranks.rank()) << "all began at the agreed start";
  ranks.place().nodes.back() = 1;
  EXPECT_DOUBLE_EQ(from_start("window"), 200 + ranks.rank()) << "on any node";
  EXPECT_THROW(claim("window"), Unsupported);
  EXPECT_NO_THROW(TimeDefinition(ranks.place(), "window").agree(watch, progress));
}

TEST(NodeClock, IsAgreedOnWhereRanksReadOne) {
  Ranks ranks(1, true);
  EXPECT_NO_THROW(NodeClock::agree(ranks.place(), Stopwatch(), MpiProgress(ranks.place())));
}

TEST(NodeClock, IsRefusedByAllWhereOneReadsAnother) {
  for (const std::int64_t by : {-1'000'000'000'000, 1'000'000'000'000}) {
    Ranks ranks(1, true);
    const MovedClock moved(ranks.rank() == 1 ? by : 0);
    try {
      NodeClock::agree(ranks.place(), Stopwatch::simulated(moved), MpiProgress(ranks.place()));
      ADD_FAILURE() << "1000 s apart";
    } catch (const Unsupported& refusal) {
      EXPECT_EQ(refusal.code(), "N11");
    }
  }
}

TEST(NodeClock, IsNotLookedForBetweenNodes) {
  Ranks ranks(1, true);
  ranks.place().nodes.back() = 1;
  EXPECT_THROW(NodeClock::agree(ranks.place(), Stopwatch(), MpiProgress(ranks.place())), Unsupported);
}

}  // namespace
}  // namespace assay::test
