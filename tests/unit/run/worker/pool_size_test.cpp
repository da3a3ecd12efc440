// SPDX-License-Identifier: Apache-2.0
// How many workers there is room for.
#include "run/worker/supervisor.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace assay {
namespace {

TEST(PoolSizeTest, TheScarcestResourceDecides) {
  constexpr std::size_t plenty = std::numeric_limits<std::size_t>::max();
  CampaignPlan plan;
  plan.max_workers = 256;
  EXPECT_EQ(pool_size(plan, {plenty, plenty, plenty}), 256U);
  EXPECT_EQ(pool_size(plan, {std::size_t{3200} << 20, plenty, plenty}), 100U);
  EXPECT_EQ(pool_size(plan, {plenty, 400, plenty}), 100U) << "a member and perhaps a bystander each";
  EXPECT_EQ(pool_size(plan, {plenty, plenty, 400}), 100U);
  EXPECT_EQ(pool_size(plan, {0, 0, 0}), 8U);
  plan.max_workers = 3;
  EXPECT_EQ(pool_size(plan, {plenty, plenty, plenty}), 3U);
  EXPECT_EQ(pool_size(plan, {0, 0, 0}), 3U) << "never more than the user allows";
}

TEST(PoolSizeTest, LargeTeamsNeedMoreThreads) {
  constexpr std::size_t plenty = std::numeric_limits<std::size_t>::max();
  CampaignPlan plan;
  plan.series.resize(2);
  plan.series[1].factors = {{"members", {{std::int64_t{2}, std::int64_t{9}}, {}}}};
  EXPECT_EQ(pool_size(plan, {plenty, 400, plenty}), 20U);
  plan.series[0].measurement.members = exactly(19);
  EXPECT_EQ(pool_size(plan, {plenty, 400, plenty}), 10U);
}

TEST(PoolSizeTest, ThisMachineHasRoom) {
  CampaignPlan plan;
  plan.max_workers = 256;
  EXPECT_GE(pool_size(plan), 8U);
  EXPECT_EQ(Supervisor(plan, "none").capacity(), pool_size(plan));
}

}  // namespace
}  // namespace assay
