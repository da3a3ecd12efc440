// SPDX-License-Identifier: Apache-2.0
// What is known of the nodes of a launch.
#include <gtest/gtest.h>

#include "run/mpi/rank_host.hpp"

namespace assay::test {
namespace {

RankInfo rank_on(const std::string& node, int cycles = 0, bool one_thread = false) {
  return {node, 0, 1, {0}, cycles, one_thread};
}

using NodeNames = std::vector<std::string>;

TEST(RankNodes, AreNamedWhereCpusCouldBeTakenForThoseOfAnotherNode) {
  EXPECT_EQ(names_of_nodes({rank_on("a"), rank_on("a")}, ""), NodeNames());
  EXPECT_EQ(names_of_nodes({rank_on("a"), rank_on("a")}, "a"), NodeNames());
  EXPECT_EQ(names_of_nodes({rank_on("a"), rank_on("b")}, ""), NodeNames({"a", "b"}));
  EXPECT_EQ(names_of_nodes({rank_on("a"), rank_on("b")}, "a"), NodeNames({"a", "b"}));
  EXPECT_EQ(names_of_nodes({rank_on("a"), rank_on("a")}, "login"), NodeNames({"a", "a"})) << "the session is elsewhere";
}

TEST(RankNodes, WhatHoldsForCoresIsEachNodesOwn) {
  const auto nodes = cores_of_nodes({rank_on("b", 4, true), rank_on("a", 3, true), rank_on("b", 4, true),
                                     rank_on("a", 0, false), rank_on("c", 3, true), rank_on("c", 4, true)});
  ASSERT_EQ(nodes.size(), 3U);
  EXPECT_EQ(nodes[0].node, "a");
  EXPECT_EQ(nodes[0].cycles_per_step, 3) << "a rank that was held up found nothing";
  EXPECT_FALSE(nodes[0].one_thread);
  EXPECT_EQ(nodes[1].cycles_per_step, 4);
  EXPECT_TRUE(nodes[1].one_thread);
  EXPECT_EQ(nodes[2].cycles_per_step, 0) << "its ranks found different things";
}

}  // namespace
}  // namespace assay::test
