// SPDX-License-Identifier: Apache-2.0
// Memory of a campaign: observations are kept of open points only, however many points there are.
#include <gtest/gtest.h>

#include <algorithm>

#include "run/session/campaign.hpp"
#include "support/campaigns/never_enough.hpp"
#include "support/environment/live_bytes.hpp"

namespace assay::test {
namespace {

struct Growth {
  std::size_t most = 0;          ///< live bytes above those at the start, at any visit
  std::size_t observations = 0;  ///< of the whole campaign
};

Growth growth_of(std::int64_t points) {
  const CampaignPlan plan = never_enough_plan(points);
  FakeClock clock;
  CountingSink sink;
  FakeHost host(plan, clock, never_enough);
  host.remembers_asked = false;
  History history;
  host.pool = 4;
  const std::size_t start = live_bytes();
  Growth growth;
  host.on_visit = [&](const IncarnationKey&, const VisitOrder&) {
    growth.most = std::max(growth.most, live_bytes() - std::min(start, live_bytes()));
  };
  run_campaign(plan, history,
               {clock, host, sink, 4, [](const Progress&) {}, [] { return false; },
                [&](Nanoseconds time) { clock.advance(time); }});
  EXPECT_EQ(sink.points(), static_cast<std::size_t>(points));
  growth.observations = sink.observations();
  return growth;
}

TEST(CampaignMemory, DoesNotGrowWithTheNumberOfObservations) {
  if (!allocator_counts()) GTEST_SKIP() << "this allocator does not tell how much is in use";
  const Growth few = growth_of(10);
  const Growth many = growth_of(50);
  EXPECT_GE(many.observations, 200'000U);
  // Kept observations alone would be five megabytes.
  EXPECT_LT(many.most, few.most + 40 * 16'384);
  EXPECT_LT(many.most, many.observations * sizeof(Observation) / 2);
}

}  // namespace
}  // namespace assay::test
