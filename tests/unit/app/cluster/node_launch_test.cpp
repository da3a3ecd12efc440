// SPDX-License-Identifier: Apache-2.0
// Which nodes launchers say were lost, in their own words.
#include "app/cluster/node_launch.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<std::string> nodes{"n0", "n1", "n2", "n3", "n10.cluster"};

TEST(LostNodes, AreThoseThatOpenMpiNames) {
  EXPECT_THAT(
      lost_nodes("mpirun noticed that process rank 3 with PID 7 on node n3 exited on signal 9 (Killed).\n", nodes),
      ElementsAre("n3"));
  EXPECT_THAT(lost_nodes("ORTE has lost communication with a remote daemon.\n\n  HNP daemon   : [[1,0],0] on node n0\n"
                         "  Remote daemon: [[1,0],3] on node n2\n\nThis is usually due to",
                         nodes),
              ElementsAre("n2"))
      << "the launcher's own node is well";
}

TEST(LostNodes, AreThoseThatSlurmNames) {
  EXPECT_THAT(lost_nodes("srun: error: n1: task 1: Killed\nsrun: error: n0: task 0: Terminated\n", nodes),
              ElementsAre("n1"));
  EXPECT_THAT(lost_nodes("srun: error: n[2-3]: tasks 2-3: Segmentation fault\n", nodes), ElementsAre("n2", "n3"));
  EXPECT_THAT(lost_nodes("srun: error: Node failure on n10\nsrun: Force Terminated job 7\n", nodes),
              ElementsAre("n10.cluster"));
  EXPECT_THAT(lost_nodes("srun: error: n1: task 1: Exited with exit code 1\n", nodes), IsEmpty());
}

TEST(LostNodes, NoOthersAreNamed) {
  for (const char* text : {"", "\n", "on node n3", "exited on signal", "process on node n9 exited on signal 9",
                           "srun: error: n[1-: task 1: Killed", "a message about n1 and n2"})
    EXPECT_THAT(lost_nodes(text, nodes), IsEmpty()) << text;
}

}  // namespace
}  // namespace assay
