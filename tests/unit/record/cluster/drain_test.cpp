// SPDX-License-Identifier: Apache-2.0
// Who is drained, for which reason, and who never is.
#include "record/cluster/drain.hpp"

#include <gmock/gmock-matchers.h>
#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

namespace assay::cluster {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Shift times(double ratio) { return {true, ratio, {0.99 * ratio, 1.01 * ratio, 0.95}, 0.001}; }

NodeVerdict slow_node(const std::string& name) {
  return {name, Standing::slow, {"thread", "lock"}, {"its clock is 2.1 GHz, the others' 2.9 GHz"}, times(1.3), "lock"};
}

TEST(Drain, SlowAndLackingNodesAreDrainedAndNoOthers) {
  const Verdicts verdicts{{{"n0", Standing::ok, {}},
                           {"n1", Standing::unclear, {"noise"}},
                           slow_node("n2"),
                           {"n3", Standing::fast, {"lock"}},
                           {"n4", Standing::lacking, {"lock"}, {"its disk is full"}}},
                          {},
                          {},
                          5};
  const DrainPlan plan = drain_plan(verdicts);
  ASSERT_THAT(plan.nodes, SizeIs(2));
  EXPECT_EQ(plan.nodes[0].node, "n2");
  EXPECT_EQ(plan.nodes[1], (Drain{"n4", "assay: lacks results of lock; its disk is full"}));
  EXPECT_EQ(plan.compared, 5U);
  EXPECT_THAT(plan.spared, ElementsAre("unclear, and not drained: n1"));
}

TEST(Drain, LinksAndSwitchesDrainNobodyAndSayWhy) {
  const Verdicts verdicts{{{"n0", Standing::ok, {}}},
                          {{"n0", "n1", Standing::slow, "links"}},
                          {{"switch leaf1 (n0, n1)", "links", times(2)}}};
  const DrainPlan plan = drain_plan(verdicts);
  EXPECT_THAT(plan.nodes, IsEmpty());
  EXPECT_THAT(plan.spared, ElementsAre(HasSubstr("link n0 - n1 is slow in links: drains neither node"),
                                       HasSubstr("switch leaf1 (n0, n1) is slow in links: drains no node")));
}

TEST(Drain, TheReasonHasTheValueAndTheCauseAndBeginsWithTheWorst) {
  EXPECT_EQ(drain_reason(slow_node("n2")),
            "assay: slow in lock (1.3 times the others), thread; its clock is 2.1 GHz, the others 2.9 GHz");
}

TEST(Drain, NoReasonHasAnythingToInterpret) {
  NodeVerdict verdict = slow_node("n2");
  verdict.causes = {"a\"b'c`d$e\\f\ng|h;i\x01\xc3\xa4"};
  const std::string reason = drain_reason(verdict);
  EXPECT_EQ(reason.find_first_of("\"'`$\\\n|\x01\xc3"), std::string::npos) << reason;
  EXPECT_THAT(reason, HasSubstr("abcd.e.f g.h;i"));
}

TEST(Drain, ALongReasonIsCutBetweenWords) {
  NodeVerdict verdict = slow_node("n2");
  for (int i = 0; i < 40; ++i) verdict.causes.push_back("cause number " + std::to_string(i));
  const std::string reason = drain_reason(verdict);
  EXPECT_LE(reason.size(), longest_reason);
  EXPECT_GT(reason.size(), longest_reason - 20);
  EXPECT_THAT(reason, EndsWith("..."));
}

TEST(Drain, NamesAreThoseOfSlurm) {
  EXPECT_EQ(slurm_name("n12.cluster.example"), "n12");
  EXPECT_EQ(slurm_name("node_a-7"), "node_a-7");
  for (const char* name : {"", "ALL", "all", "DEFAULT", "n[0-9]", "n0,n1", "-f", "a b", "n0;reboot", "$(id)", ".x"})
    EXPECT_EQ(slurm_name(name), "") << name;
  const DrainPlan plan = drain_plan({{slow_node("ALL")}, {}});
  EXPECT_THAT(plan.nodes, IsEmpty());
  EXPECT_THAT(plan.spared, ElementsAre(HasSubstr("no name of a node of Slurm")));
}

TEST(Drain, LinesAreForAShellAndCanBeUndone) {
  const Drain one{"n2", "assay: slow in lock"};
  EXPECT_EQ(drain_line(one), "scontrol update NodeName=n2 State=DRAIN Reason=\"assay: slow in lock\"");
  EXPECT_THAT(drain_arguments(one), ElementsAre("update", "NodeName=n2", "State=DRAIN", "Reason=assay: slow in lock"));
  EXPECT_EQ(resume_line({one, {"n7", ""}}), "scontrol update NodeName=n2,n7 State=RESUME");
}

TEST(Drain, WhatSlurmSaysOfANodeIsUnderstood) {
  const SlurmNode idle = parse_slurm_node("NodeName=sk0 Arch=x86_64 State=IDLE ThreadsPerCore=1 Partitions=main \n");
  EXPECT_FALSE(idle.is_drained);
  EXPECT_EQ(idle.reason, "");
  const SlurmNode drained = parse_slurm_node(
      "NodeName=sk0 State=IDLE+DRAIN ThreadsPerCore=1 Reason=bad DIMM in slot 3 [root@2026-11-25T10:00:00]\n");
  EXPECT_TRUE(drained.is_drained);
  EXPECT_EQ(drained.reason, "bad DIMM in slot 3");
  EXPECT_FALSE(parse_slurm_node("NodeName=sk0 State=DOWN* Reason=DRAIN later [root@x]").is_drained);
}

}  // namespace
}  // namespace assay::cluster
