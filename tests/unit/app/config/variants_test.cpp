// SPDX-License-Identifier: Apache-2.0
// Sections [variant.NAME], the factor they are levels of, and the settings of sessions.
#include "app/config/variants.hpp"

#include <algorithm>

#include "unit/app/plan_fixture.hpp"

namespace assay::test {
namespace {

using VariantsTest = PlanTest;

constexpr const char* two_variants = R"([variant.eager]
env.SPIN = "a, b"
env.POLICY = active
program = ./other/assay
plugins = ./x.so, ./y.so
[variant.loaded]
setup = start load   # of all CPUs
teardown = stop load
rounds = 4
deadline = 5min
[series.one]
measurement = demo/solo
variant = plain, eager, loaded
)";

TEST_F(VariantsTest, AreReadWithEverythingTheyChange) {
  const auto plan = load(two_variants);
  ASSERT_EQ(plan.variants.size(), 2U);
  const Variant& eager = plan.variants[0];
  EXPECT_EQ(eager.name, "eager");
  EXPECT_EQ(eager.environment, (std::vector<std::string>{"SPIN=a, b", "POLICY=active"}));
  EXPECT_EQ(eager.program, "./other/assay");
  EXPECT_EQ(eager.plugins, (std::vector<std::string>{"./x.so", "./y.so"}));
  EXPECT_FALSE(eager.is_hard());
  const Variant& loaded = plan.variants[1];
  EXPECT_EQ(loaded.setup, "start load");
  EXPECT_EQ(loaded.teardown, "stop load");
  EXPECT_EQ(loaded.rounds, 4);
  EXPECT_EQ(loaded.deadline, seconds(300));
  EXPECT_TRUE(loaded.is_hard());
}

TEST_F(VariantsTest, AreLevelsOfAFactor) {
  const auto plan = load(two_variants);
  const FactorDomain& factor = plan.series.at(0).factors.back();
  EXPECT_EQ(factor.name, "variant");
  ASSERT_EQ(factor.domain.levels.size(), 3U);
  Point point;
  point.set("variant", factor.domain.levels[1]);
  EXPECT_EQ(variant_at(plan, point), &plan.variants[0]);
  point.set("variant", factor.domain.levels[0]);
  EXPECT_EQ(variant_at(plan, point), nullptr) << "plain changes nothing";
  EXPECT_EQ(variant_at(plan, Point{}), nullptr);
}

TEST_F(VariantsTest, ResolveToTheSameAgain) {
  const auto plan = load(two_variants);
  const auto again = load(plan.configuration);
  EXPECT_EQ(again.configuration, plan.configuration);
  EXPECT_EQ(again.variants.size(), 2U);
}

TEST_F(VariantsTest, CanBeOverridden) {
  overrides_.set = {"variant.loaded.rounds=9", "variant.eager.env.POLICY=passive"};
  const auto plan = load(two_variants);
  EXPECT_EQ(plan.variants[1].rounds, 9);
  EXPECT_NE(std::find(plan.variants[0].environment.begin(), plan.variants[0].environment.end(), "POLICY=passive"),
            plan.variants[0].environment.end());
}

TEST_F(VariantsTest, SessionsAndScheduleAreSettings) {
  const auto plan =
      load("[campaign]\nsessions = 4\nevery = 10min\nschedule = consecutive\n[series.one]\nmeasurement = demo/solo\n");
  EXPECT_EQ(plan.sessions, 4);
  EXPECT_EQ(plan.every, seconds(600));
  EXPECT_EQ(plan.schedule, Schedule::consecutive);
  const auto stored = stored_plan(plan.configuration, "results", {}, catalogue_, topology_);
  EXPECT_EQ(stored.sessions, 4) << "what is stored runs again as it was";
  EXPECT_EQ(stored.schedule, Schedule::consecutive);
  Overrides more;
  more.set = {"campaign.sessions=2"};
  EXPECT_EQ(stored_plan(plan.configuration, "results", more, catalogue_, topology_).sessions, 2);
}

}  // namespace
}  // namespace assay::test
