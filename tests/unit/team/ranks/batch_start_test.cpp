// SPDX-License-Identifier: Apache-2.0
// Windows widen until starts are in time, or say why they never will be.
#include "team/ranks/batch_start.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace assay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Latenesses = std::vector<std::vector<Nanoseconds>>;

WindowRule rule_of(int batches) {
  WindowRule rule;
  rule.batches = batches;
  return rule;
}

TEST(StartWindow, PlansStartsAheadAndApart) {
  const StartWindow window(rule_of(3), {});
  const Windows windows = window.plan({1'000'000'000'000'000'000});
  EXPECT_EQ(windows.start(0).ns, 1'000'000'000'000'100'000);
  EXPECT_EQ(windows.start(2).ns, 1'000'000'000'000'300'000);
}

TEST(StartWindow, ABatchThatAnyRankStartsLateDoesNotCount) {
  StartWindow window(rule_of(4), {});
  const StartJudgement judgement = window.judge(Latenesses{{{0}, {900}, {0}, {0}}, {{50}, {0}, {1200}, {0}}});
  EXPECT_THAT(judgement.valid, ElementsAre(true, true, false, true)) << "a microsecond is tolerated";
  EXPECT_EQ(judgement.worst_rank, 1);
  EXPECT_EQ(judgement.worst.count, 1200);
  EXPECT_EQ(window.width(), microseconds(100)) << "one in four may be late";
  EXPECT_EQ(window.valid(), 3);
  EXPECT_EQ(window.judged(), 4);
}

TEST(StartWindow, WidensToTwiceOrToWhatWouldHaveSufficed) {
  StartWindow window(rule_of(4), {});
  window.judge(Latenesses{{{2'000}, {2'000}, {0}, {0}}});
  EXPECT_EQ(window.width(), microseconds(200));
  // Each batch takes a millisecond longer than its window.
  const StartJudgement judgement = window.judge(Latenesses{{{0}, {1e6}, {2e6}, {3e6}}});
  EXPECT_EQ(judgement.late, 3);
  EXPECT_EQ(window.width(), 1.5 * (microseconds(200) + microseconds(750)));
  EXPECT_EQ(window.batches(), 2) << "three late in a row of four";
  window.judge(Latenesses{{{1e6}, {0}}});
  EXPECT_EQ(window.batches(), 2) << "one of two is not more than half";
}

TEST(StartWindow, GivesUpWithTheReasonWhereMembersOutnumberCpus) {
  WindowRule rule = rule_of(1);
  rule.most_widenings = 3;
  StartWindow window(rule, {{2, 2}, {4, 2}});
  StartJudgement judgement;
  for (int stretch = 0; stretch < 4; ++stretch) {
    EXPECT_EQ(judgement.gave_up, "");
    judgement = window.judge(Latenesses{{{0}}, {{4e6}}});
  }
  EXPECT_THAT(judgement.gave_up, HasSubstr("rank 1 was still 4 ms late after windows were widened 3 times"));
  EXPECT_THAT(judgement.gave_up, HasSubstr("(0 of 4 starts in time)"));
  EXPECT_THAT(judgement.gave_up, HasSubstr("members outnumber CPUs: 4 on 2"));
  EXPECT_THROW(window.plan({0}), std::logic_error);
}

TEST(StartWindow, BlamesNoCrowdWhereThereIsNone) {
  WindowRule rule = rule_of(1);
  rule.most_widenings = 0;
  StartWindow window(rule, {{2, 2}});
  const StartJudgement judgement = window.judge(Latenesses{{{4e6}}});
  EXPECT_THAT(judgement.gave_up, HasSubstr("something else runs on its CPUs"));
  EXPECT_THAT(judgement.gave_up, testing::Not(HasSubstr("outnumber")));
}

TEST(StartWindow, WindowsInTimeMakeUpForWidenings) {
  WindowRule rule = rule_of(1);
  rule.most_widenings = 1;
  StartWindow window(rule, {});
  for (int stretch = 0; stretch < 5; ++stretch) {
    EXPECT_EQ(window.judge(Latenesses{{{4e6}}}).gave_up, "");
    EXPECT_EQ(window.judge(Latenesses{{{0}}}).late, 0);
  }
}

TEST(StartWindow, RefusesRulesAndLatenessesThatMeanNothing) {
  EXPECT_THROW(StartWindow(rule_of(0), {}), std::invalid_argument);
  StartWindow window(rule_of(2), {});
  EXPECT_THROW(window.judge({}), std::invalid_argument);
  EXPECT_THROW(window.judge(Latenesses{{{0}, {0}}, {{0}}}), std::invalid_argument);
}

}  // namespace
}  // namespace assay
