// SPDX-License-Identifier: Apache-2.0
// Which copy of its timed loops an incarnation runs.
#include "run/worker/opening.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "api/loop_copies.hpp"
#include "support/campaigns/fake_plan.hpp"

namespace assay::test {
namespace {

Point of_bytes(std::int64_t bytes) {
  Point point;
  point.set("bytes", bytes);
  return point;
}

/// The copies of a point's incarnations from `first` on, as many as there are copies.
std::vector<int> copies_of(const CampaignPlan& plan, const Point& point, int first = 0) {
  std::vector<int> copies;
  for (int i = first; i < first + loop_copies; ++i) copies.push_back(loop_copy_of(plan, {0, point, i}));
  return copies;
}

CampaignPlan copies_plan(std::uint64_t seed = 1) {
  return fake_plan({fake_series("one", {levels("bytes", 2)}), fake_series("two", {levels("bytes", 2)})}, seed);
}

TEST(LoopCopies, EachComesOnceBeforeOneComesAgain) {
  const CampaignPlan plan = copies_plan();
  for (std::int64_t bytes = 0; bytes < 50; ++bytes)
    for (int first = 0; first < 3 * loop_copies; first += loop_copies) {
      const std::vector<int> copies = copies_of(plan, of_bytes(bytes), first);
      std::set<int> all;
      for (int copy = 0; copy < loop_copies; ++copy) all.insert(copy);
      EXPECT_EQ(std::set<int>(copies.begin(), copies.end()), all) << bytes << ", from " << first;
    }
}

TEST(LoopCopies, TheirOrderIsRandomByPointAndTurn) {
  const CampaignPlan plan = copies_plan();
  std::vector<int> firsts(loop_copies);
  std::set<std::vector<int>> orders;
  for (std::int64_t bytes = 0; bytes < 400; ++bytes) {
    const std::vector<int> copies = copies_of(plan, of_bytes(bytes));
    ++firsts.at(static_cast<std::size_t>(copies[0]));
    orders.insert(copies);
  }
  EXPECT_EQ(orders.size(), 24U) << "not every order of four occurs";
  for (const int times : firsts) EXPECT_NEAR(times, 100, 45);
  std::set<std::vector<int>> turns;
  for (int turn = 0; turn < 20; ++turn) turns.insert(copies_of(plan, of_bytes(1), turn * loop_copies));
  EXPECT_GT(turns.size(), 5U) << "one order is repeated";
}

TEST(LoopCopies, FollowFromTheSeedAndTheSeries) {
  const auto drawn = [](const CampaignPlan& plan, std::size_t series) {
    std::vector<int> copies;
    for (std::int64_t bytes = 0; bytes < 20; ++bytes)
      copies.push_back(loop_copy_of(plan, {series, of_bytes(bytes), 0}));
    return copies;
  };
  EXPECT_EQ(drawn(copies_plan(), 0), drawn(copies_plan(), 0));
  EXPECT_NE(drawn(copies_plan(), 0), drawn(copies_plan(2), 0));
  EXPECT_NE(drawn(copies_plan(), 0), drawn(copies_plan(), 1));
}

TEST(LoopCopies, AreAskedForWithThePoint) {
  const CampaignPlan plan = copies_plan();
  for (int incarnation = 0; incarnation < 8; ++incarnation) {
    const IncarnationKey key{0, of_bytes(1), incarnation};
    EXPECT_EQ(open_message(plan, key, 7).loop_copy, loop_copy_of(plan, key));
  }
}

}  // namespace
}  // namespace assay::test
