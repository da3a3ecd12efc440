// SPDX-License-Identifier: Apache-2.0
// Draining by a made-up scontrol that notes what it is asked for.
#include "app/cluster/draining.hpp"

#include <gmock/gmock-matchers.h>
#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

namespace assay {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// A cluster of Slurm's in which nodes have states, and one of which none is known.
struct MadeUpSlurm {
  std::map<std::string, std::string> nodes;
  std::vector<std::string> updated;
  bool refuses = false;

  ScontrolEnd operator()(const std::vector<std::string>& arguments) {
    if (arguments.at(0) == "--oneliner") {
      const auto found = nodes.find(arguments.at(3));
      if (found == nodes.end()) return {false, "exited 1", "Node " + arguments.at(3) + " not found\n"};
      return {true, "exited 0", "NodeName=" + found->first + " State=" + found->second + "\n"};
    }
    updated.push_back(arguments.at(1));
    return refuses ? ScontrolEnd{false, "exited 1", "slurm_update error: Invalid user id\n\n"}
                   : ScontrolEnd{true, "exited 0", ""};
  }
};

cluster::DrainPlan plan_of(const std::vector<std::string>& names) {
  cluster::DrainPlan plan;
  for (const std::string& name : names) plan.nodes.push_back({name, "assay: slow in lock"});
  plan.spared = {"unclear, and not drained: n9"};
  plan.compared = 40;
  return plan;
}

struct Drained {
  bool is_good;
  std::string text;
};
Drained drained(MadeUpSlurm& slurm, const std::vector<std::string>& names) {
  std::ostringstream out;
  const bool is_good = drain(out, plan_of(names), std::ref(slurm));
  return {is_good, out.str()};
}

TEST(Draining, EachOutcomeIsReported) {
  MadeUpSlurm slurm{{{"n1", "IDLE"}, {"n2", "ALLOCATED"}}, {}};
  const Drained done = drained(slurm, {"n1", "n2"});
  EXPECT_TRUE(done.is_good);
  EXPECT_THAT(slurm.updated, testing::ElementsAre("NodeName=n1", "NodeName=n2"));
  EXPECT_THAT(done.text,
              AllOf(HasSubstr("n1: drained: assay: slow in lock\n"), HasSubstr("# unclear, and not drained: n9"),
                    HasSubstr("# undo: scontrol update NodeName=n1,n2 State=RESUME\n")));
}

TEST(Draining, TheReasonOfAnotherIsLeftAlone) {
  MadeUpSlurm slurm{{{"n1", "IDLE+DRAIN Reason=bad DIMM [root@x]"}, {"n2", "IDLE+DRAIN Reason=assay: old [root@x]"}},
                    {}};
  const Drained done = drained(slurm, {"n1", "n2"});
  EXPECT_TRUE(done.is_good);
  EXPECT_THAT(slurm.updated, testing::ElementsAre("NodeName=n2"));
  EXPECT_THAT(done.text, HasSubstr("n1: drained already: bad DIMM\n"));
}

TEST(Draining, WhatFailsIsToldAndTheRestIsDone) {
  MadeUpSlurm slurm{{{"n2", "IDLE"}}, {}};
  const Drained missing = drained(slurm, {"n1", "n2"});
  EXPECT_FALSE(missing.is_good);
  EXPECT_THAT(missing.text,
              AllOf(HasSubstr("n1: not drained: scontrol exited 1: Node n1 not found\n"), HasSubstr("n2: drained: ")));
  slurm.refuses = true;
  const Drained refused = drained(slurm, {"n2"});
  EXPECT_FALSE(refused.is_good);
  EXPECT_THAT(refused.text, HasSubstr("n2: not drained: scontrol exited 1: slurm_update error: Invalid user id\n"));
}

TEST(Draining, LinesForAShellRunNothing) {
  std::ostringstream out;
  print_drains(out, plan_of({"n1"}));
  EXPECT_EQ(out.str(),
            "scontrol update NodeName=n1 State=DRAIN Reason=\"assay: slow in lock\"\n# unclear, and not drained: n9\n"
            "# undo: scontrol update NodeName=n1 State=RESUME\n");
  std::ostringstream none;
  print_drains(none, plan_of({}));
  EXPECT_THAT(none.str(), HasSubstr("# no node to drain: of 40 nodes none is slow or lacks results\n"));
}

TEST(Draining, OneInTenMayBeDrainedWithoutAWord) {
  cluster::DrainPlan plan;
  for (const auto& [nodes, most] :
       {std::pair<std::size_t, std::size_t>{0, 1}, {3, 1}, {19, 1}, {20, 2}, {10240, 1024}}) {
    plan.compared = nodes;
    EXPECT_EQ(most_drained(plan), most) << nodes;
  }
}

}  // namespace
}  // namespace assay
