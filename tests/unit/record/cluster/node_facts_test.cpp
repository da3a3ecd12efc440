// SPDX-License-Identifier: Apache-2.0
// Which facts nodes are compared by, and who differs from the majority.
#include "record/cluster/node_facts.hpp"

#include <gmock/gmock-matchers.h>
#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

#include <sstream>

namespace assay::cluster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<Record> nodes_with(const std::string& key, const std::vector<std::string>& values) {
  std::vector<Record> records;
  for (std::size_t i = 0; i < values.size(); ++i)
    records.emplace_back(NodeRecord{"n" + std::to_string(i), {{"cpu.model", "one"}, {key, values[i]}}});
  return records;
}

TEST(NodeFacts, OnlyWhatEqualNodesHaveInCommonIsCompared) {
  const Facts kept = comparable_facts({{"host.name", "n0"},
                                       {"kernel.boot_id", "1234"},
                                       {"kernel.release", "6.1"},
                                       {"load.average", "0.1"},
                                       {"memory.available", "1 kB"},
                                       {"memory.total", "2 kB"},
                                       {"clock.read_cost_ns", "31"},
                                       {"clock.source", "tsc"},
                                       {"topology.xml", "<xml/>"},
                                       {"environment.SLURM_JOB_ID", "7"},
                                       {"cpu.governor", "not available: reading '/sys/x': No such file"}});
  EXPECT_EQ(kept, (Facts{{"kernel.release", "6.1"},
                         {"memory.total", "2 kB"},
                         {"clock.source", "tsc"},
                         {"cpu.governor", "not available"}}));
}

TEST(NodeFacts, AMinorityIsListedByNode) {
  const auto odd =
      odd_facts(nodes_with("kernel.release", {"6.1.1", "6.1.2", "6.1.1", "6.1.0", "6.1.1", "6.1.2", "6.1.1"}));
  ASSERT_THAT(odd, SizeIs(1));
  EXPECT_EQ(odd[0].key, "kernel.release");
  EXPECT_EQ(odd[0].usual, "6.1.1");
  EXPECT_EQ(odd[0].nodes, 4U);
  ASSERT_THAT(odd[0].others, SizeIs(2));
  EXPECT_EQ(odd[0].others[0].value, "6.1.2");
  EXPECT_THAT(odd[0].others[0].nodes, ElementsAre("n1", "n5"));
  EXPECT_THAT(odd[0].others[1].nodes, ElementsAre("n3"));
}

TEST(NodeFacts, WithoutAMajorityNobodyDiffersFromIt) {
  EXPECT_THAT(odd_facts(nodes_with("kernel.release", {"a", "b"})), IsEmpty());
  EXPECT_THAT(odd_facts(nodes_with("kernel.release", {"a", "a", "b", "b"})), IsEmpty());
  EXPECT_THAT(odd_facts(nodes_with("cpu.heat_throttles", {"1", "2", "3"})), IsEmpty());
  EXPECT_THAT(odd_facts(nodes_with("kernel.release", {"a", "a", "a"})), IsEmpty());
  EXPECT_THAT(odd_facts({}), IsEmpty());
}

TEST(NodeFacts, MemoryOfAlmostTheSameSizeIsTheSame) {
  const auto odd = odd_facts(nodes_with("memory.total", {"98765432 kB", "98760000 kB", "98770000 kB", "65536000 kB"}));
  ASSERT_THAT(odd, SizeIs(1));
  ASSERT_THAT(odd[0].others, SizeIs(1));
  EXPECT_THAT(odd[0].others[0].nodes, ElementsAre("n3"));
}

TEST(NodeFacts, WhatBearsOnTimesIsACauseAndTheRestIsNot) {
  auto records = nodes_with("cpu.governor", {"performance", "powersave", "performance"});
  for (Record& record : records) {
    auto& node = std::get<NodeRecord>(record);
    node.facts.emplace_back("limit.descriptors", node.node == "n1" ? "1024" : "4096");
  }
  const auto odd = odd_facts(records);
  EXPECT_THAT(odd, SizeIs(2)) << "both are listed";
  EXPECT_THAT(causes_in_facts(odd, "n1"), ElementsAre("cpu.governor is powersave, on most nodes performance"));
  EXPECT_THAT(causes_in_facts(odd, "n0"), IsEmpty());
  std::ostringstream out;
  print_odd_facts(out, odd);
  EXPECT_THAT(out.str(), HasSubstr("cpu.governor       performance    powersave  n1\n"));
}

}  // namespace
}  // namespace assay::cluster
