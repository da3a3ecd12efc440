// SPDX-License-Identifier: Apache-2.0
// A first look at a campaign: looser, never tighter, and never against what was asked for by name.
#include "unit/app/plan_fixture.hpp"

namespace assay::test {
namespace {

constexpr const char* text = R"([precision]
max-time = 2s
[series.usual]
measurement = demo/solo
[series.own]
measurement = demo/solo
max-time = 10ms
eps = 50%
incarnations = 2
span = 5s
[series.counted]
measurement = demo/solo
rule = all(median-ci(eps=1%), fixed:7)
max-points = 3
)";

class Quick : public PlanTest {
 protected:
  CampaignPlan quick_plan(const std::vector<std::string>& set = {}) {
    overrides_.quick = true;
    overrides_.set = set;
    return load(text);
  }
};

TEST_F(Quick, LoosensWhatIsTighter) {
  const CampaignPlan plan = quick_plan();
  const Precision& usual = plan.series[0].precision;
  EXPECT_EQ(usual.rule.eps, 0.1);
  EXPECT_EQ(usual.rule.budget.max_time, milliseconds(300));
  EXPECT_EQ(usual.incarnations, 3);
  EXPECT_EQ(usual.rule.max_incarnations, 3);
  const Precision& counted = plan.series[2].precision;
  EXPECT_EQ(counted.rule.parts.at(0).eps, 0.1);
  EXPECT_EQ(counted.rule.parts.at(1).argument, 7);
}

TEST_F(Quick, LeavesWhatIsLooser) {
  const Precision own = quick_plan().series[1].precision;
  EXPECT_EQ(own.rule.eps, 0.5);
  EXPECT_EQ(own.rule.budget.max_time, milliseconds(10));
  EXPECT_EQ(own.incarnations, 2);
  EXPECT_EQ(own.span, Nanoseconds{});
}

TEST_F(Quick, DoesNotTouchWhatTheCommandLineSays) {
  const CampaignPlan plan = quick_plan({"precision.eps=1%", "series.usual.max-time=9s"});
  EXPECT_EQ(plan.series[0].precision.rule.eps, 0.01);
  EXPECT_EQ(plan.series[0].precision.rule.budget.max_time, seconds(9));
  EXPECT_EQ(plan.series[0].precision.incarnations, 3);
}

// The journal keeps what is measured by, so that the campaign goes on as it began.
TEST_F(Quick, IsInTheResolvedConfiguration) {
  const CampaignPlan plan = quick_plan();
  overrides_ = {};
  EXPECT_EQ(load(plan.configuration).configuration, plan.configuration);
}

}  // namespace
}  // namespace assay::test
