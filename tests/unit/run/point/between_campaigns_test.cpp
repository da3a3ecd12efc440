// SPDX-License-Identifier: Apache-2.0
// What campaigns differ by is a part of the intervals of what the kernel takes part in, on cores that others use.
#include <gtest/gtest.h>

#include "run/point/open_point.hpp"
#include "support/campaigns/fed_point.hpp"

namespace assay::test {
namespace {

/// Half-width, relative, of twenty visits with a switch for every so many repetitions of a batch; in one of `every`
/// visits the core was shared, in none where that is 0.
double half_width(SeriesPlan plan, std::int64_t switches, int every) {
  Fed fed(std::move(plan));
  const CoreLevels levels = one_cpu_alone();
  fed.point.judge_by(levels);
  for (int visit = 0; visit < 20; ++visit) {
    std::vector<Batch> batches;
    const CoreReading read = every > 0 && visit % every == 0 ? core_shared : core_alone;
    for (int i = 0; i < 8; ++i) {
      Batch& batch = batches.emplace_back(fed.switched(100 + i % 2 * 0.01, switches));
      read_on_one_cpu(batch, read);
    }
    fed.visit(batches);
  }
  const PointRecord record = fed.point.finish(fed.point.stopped(Outcome::max_time, "enough"));
  return record.results.at(0).headline.relative_half_width();
}

/// Two members that hand over; by themselves, in batches without a switch.
SeriesPlan pair() { return fake_team("pair", 2, Waiting::blocks); }

TEST(BetweenCampaigns, ArePartOfWhatTheSchedulerTakesPartIn) { EXPECT_NEAR(half_width(pair(), 100, 4), 0.009, 0.0005); }

TEST(BetweenCampaigns, AreMoreWhereMembersPoll) {
  EXPECT_NEAR(half_width(pair(), 0, 4), 0.0125, 0.0005);
  EXPECT_LT(half_width(pair(), 0, 0), 0.001) << "on cores that are always alone";
  EXPECT_LT(half_width(fake_series("one", {}), 0, 4), 0.001) << "one member hands nothing over";
}

/// The same where members that poll slept in one of eight batches of each so many visits.
double half_width_of_awake(int every) {
  Fed fed(pair());
  const CoreLevels levels = one_cpu_alone();
  fed.point.judge_by(levels);
  for (int visit = 0; visit < 20; ++visit) {
    std::vector<Batch> batches;
    for (int i = 0; i < 8; ++i) {
      const bool sleeps = i == 3 && visit % every == every - 1;
      Batch& batch = batches.emplace_back(fed.switched(sleeps ? 300 : 100 + i % 2 * 0.01, sleeps ? 100 : 0));
      read_on_one_cpu(batch, visit % 4 == 0 ? core_shared : core_alone);
    }
    fed.visit(batches);
  }
  const PointRecord record = fed.point.finish(fed.point.stopped(Outcome::max_time, "enough"));
  return record.results.at(0).headline.relative_half_width();
}

TEST(BetweenCampaigns, AreMostWhereLuckDecidesWhoIsAwake) {
  // Ten of the 120 batches of a core alone, and 15 of them.
  EXPECT_NEAR(half_width_of_awake(2), 0.0125, 0.0005);
  EXPECT_NEAR(half_width_of_awake(1), 0.045, 0.0005);
}

TEST(BetweenCampaigns, AreMoreWhereTheKernelGivesMemory) {
  SeriesPlan plan = fake_series("creation", {});
  EXPECT_LT(half_width(plan, 0, 4), 0.001);
  plan.measurement.traits.takes_memory = true;
  EXPECT_NEAR(half_width(plan, 0, 4), 0.02, 0.0005);
  EXPECT_LT(half_width(plan, 0, 0), 0.001) << "on a core that is always alone";
}

TEST(BetweenCampaigns, AreNoneOnACoreThatIsAlwaysAlone) { EXPECT_LT(half_width(pair(), 100, 0), 0.001); }

TEST(BetweenCampaigns, AreNoneOfLaws) {
  SeriesPlan simulated = pair();
  simulated.measurement.traits.simulated = true;
  EXPECT_LT(half_width(simulated, 100, 4), 0.001);
}

TEST(BetweenCampaigns, OneThatNoEffortCouldReachIsNamed) {
  SeriesPlan plan = pair();
  plan.precision.rule.eps = 0.005;
  Fed fed(std::move(plan));
  for (int visit = 0; visit < 20; ++visit) fed.visit(std::vector<Batch>(8, fed.switched(100, 100)));
  const Verdict verdict = fed.point.stopped(Outcome::max_time, "enough");
  EXPECT_EQ(verdict.outcome, Outcome::max_time);
  EXPECT_NE(verdict.reason.find("0.9 % is what campaigns differ by"), std::string::npos) << verdict.reason;
}

}  // namespace
}  // namespace assay::test
