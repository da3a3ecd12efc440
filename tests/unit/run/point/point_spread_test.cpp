// SPDX-License-Identifier: Apache-2.0
// An open point whose members the scheduler puts on one CPU or on several.
#include <gtest/gtest.h>

#include <algorithm>

#include "run/point/open_point.hpp"
#include "support/campaigns/fed_point.hpp"

namespace assay::test {
namespace {

// Two threads that nothing binds hand over ten times faster on one CPU than on two: the values are never averaged.
TEST(PointSpread, AnswersForTheSpreadThatMostBatchesHad) {
  Fed fed(fake_team("pair", 2, Waiting::blocks));
  const auto on = [&](double each, int second) {
    Batch batch = fed.batch(each);
    for (std::size_t rank = 0; rank < 2; ++rank)
      batch.members[rank].cpu_before = batch.members[rank].cpu_after = rank == 0 ? 0 : second;
    return batch;
  };
  // The first on another CPU takes what neither of them takes.
  for (int visit = 0; visit < 8; ++visit)
    fed.visit({on(10, 0), on(10, 0), on(10, 0), on(10, 0), on(300, 1), on(100, 1), on(30, 0), on(10, 0)});
  const PointRecord record = fed.point.finish(fed.point.stopped(Outcome::max_time, "enough"));
  ASSERT_EQ(record.results.size(), 1U);
  EXPECT_EQ(record.results[0].state, CoreState{.spread = Spread::one_cpu});
  EXPECT_DOUBLE_EQ(record.results[0].summary.max, 10);
  EXPECT_DOUBLE_EQ(record.results[0].state_share, 0.625);
  const auto is_apart = [](const Result& result) { return result.state == CoreState{.spread = Spread::own_cpus}; };
  const auto apart = std::ranges::find_if(record.others, is_apart);
  ASSERT_NE(apart, record.others.end());
  EXPECT_DOUBLE_EQ(apart->summary.min, 100);
  EXPECT_DOUBLE_EQ(apart->summary.max, 100);
}

}  // namespace
}  // namespace assay::test
