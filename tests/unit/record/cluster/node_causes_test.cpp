// SPDX-License-Identifier: Apache-2.0
// Which facts nodes are compared by, who differs from the majority, and causes that planted results give through the
// verdicts of a whole report.
#include <gmock/gmock-matchers.h>
#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

#include <sstream>

#include "record/cluster/cluster_verdict.hpp"
#include "record/cluster/node_causes.hpp"
#include "record/cluster/screened_unit.hpp"
#include "unit/record/results.hpp"

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

using test::point_of;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr int node_count = 6;
constexpr int sick_one = 2;

Result result_of(const char* quantity, double median, int offset) {
  Result result = test::plain_result(median, 0.01);
  result.quantity = quantity;
  for (int i = 0; i < 5; ++i) result.processes.push_back({0, i, median * (1 + 0.003 * (i - 2) + 0.00001 * offset), 40});
  return result;
}

/// What a node's CPU suffers.
struct Noise {
  double lost = 0.01;
  double detours = 10;
  double switches = 2;
  double longest = 1e6;
};

std::vector<Record> with_noise(const Noise& sick) {
  std::vector<Record> records{
      SeriesRecord{"noise",
                   "os/noise-selfish",
                   {{.name = "lost"}, {.name = "detours"}, {.name = "switches"}, {.name = "longest"}},
                   ""}};
  for (int i = 0; i < node_count; ++i) {
    const Noise noise = i == sick_one ? sick : Noise{};
    PointRecord point =
        test::finished_point("noise", point_of({{"node", "n" + std::to_string(i)}}), result_of("lost", noise.lost, i));
    for (const auto& [name, value] :
         {std::pair{"detours", noise.detours}, {"switches", noise.switches}, {"longest", noise.longest}})
      point.results.push_back(result_of(name, value, i));
    records.emplace_back(point);
  }
  return records;
}

NodeVerdict verdict_on(const std::string& node, const std::vector<Record>& records) {
  for (const NodeVerdict& one : verdicts_of(records).nodes)
    if (one.node == node) return one;
  ADD_FAILURE() << node << " has no verdict";
  return {};
}

TEST(NodeCauses, NoiseOfThreadsIsToldFromThatOfInterrupts) {
  EXPECT_THAT(verdict_on("n2", with_noise({0.3, 50, 40, 5e6})).causes,
              ElementsAre("other threads took its CPU 40 times a second, the others' 2 times a second"));
  EXPECT_THAT(verdict_on("n2", with_noise({0.3, 1000, 3, 1e6})).causes,
              ElementsAre(HasSubstr("interrupts or a hypervisor took its CPU 1000 times a second, the others' 10")));
  EXPECT_THAT(verdict_on("n2", with_noise({0.3, 11, 2, 30e6})).causes,
              ElementsAre(HasSubstr("for 30 ms at a time, the others' for 1 ms")));
  EXPECT_THAT(verdict_on("n2", with_noise({0.3, 11, 2, 1e6})).causes, IsEmpty());
  EXPECT_THAT(verdict_on("n1", with_noise({0.3, 50, 40, 5e6})).causes, IsEmpty()) << "it is well";
}

/// Bandwidths of two sockets by node, of which the sick node has a slow second one.
std::vector<Record> of_sockets(double first, double second) {
  std::vector<Record> records{SeriesRecord{"copy", "memory/bandwidth", {{.name = "time"}}, ""}};
  for (int i = 0; i < node_count; ++i)
    for (const char* socket : {"0", "16"}) {
      const double own = *socket == '0' ? first : second;
      records.emplace_back(test::finished_point(
          "copy", point_of({{"node", "n" + std::to_string(i)}, {"placement", std::string(socket)}}),
          result_of("time", 100 * (i == sick_one ? own : 1), i)));
    }
  return records;
}

TEST(NodeCauses, OneSlowSocketIsNamedByItsLevel) {
  EXPECT_THAT(verdict_on("n2", of_sockets(1, 1.5)).causes, ElementsAre("copy only at placement=16"));
  EXPECT_THAT(verdict_on("n2", of_sockets(1.5, 1.5)).causes, IsEmpty()) << "both are slow";
}

TEST(NodeCauses, DisturbancesThatTheOthersHaveNotAreNamed) {
  auto records = of_sockets(1.5, 1.5);
  for (Record& record : records)
    if (auto* point = std::get_if<PointRecord>(&record))
      point->disturbed.at(static_cast<std::size_t>(Disturbance::throttled)) =
          point->point.text("node") == "n2" ? 12 : 1;
  EXPECT_THAT(verdict_on("n2", records).causes,
              ElementsAre("batches that a quota or heat throttled: 12, the others' 1"));
  for (Record& record : records)
    if (auto* point = std::get_if<PointRecord>(&record))
      point->disturbed.at(static_cast<std::size_t>(Disturbance::throttled)) = 12;
  EXPECT_THAT(verdict_on("n2", records).causes, IsEmpty()) << "all have as many";
}

TEST(NodeCauses, FactsThatDifferAreCausesOfWhatDeviatesOnly) {
  auto records = of_sockets(1.5, 1.5);
  for (int i = 0; i < node_count; ++i)
    records.emplace_back(NodeRecord{"n" + std::to_string(i),
                                    {{"kernel.release", i == sick_one || i == 4 ? "6.1.0" : "6.1.1"},
                                     {"cpu.governor", i == sick_one ? "powersave" : "performance"}}});
  EXPECT_THAT(verdict_on("n2", records).causes,
              ElementsAre(HasSubstr("cpu.governor is powersave"), HasSubstr("kernel.release is 6.1.0")));
  EXPECT_THAT(verdict_on("n4", records).causes, IsEmpty()) << "it is as fast as the others";
}

TEST(NodeCauses, ALackingNodeSaysWhyItsPointFailed) {
  auto records = of_sockets(1, 1);
  for (Record& record : records)
    if (auto* point = std::get_if<PointRecord>(&record); point != nullptr && point->point.text("node") == "n2") {
      point->outcome = Outcome::failed;
      point->reason = "its disk is full\nand more";
      point->results.clear();
    }
  const NodeVerdict verdict = verdict_on("n2", records);
  EXPECT_EQ(verdict.standing, Standing::lacking);
  EXPECT_THAT(verdict.causes, ElementsAre("its disk is full"));
}

TEST(NodeCauses, TheLargestDeviationStandsForTheNode) {
  const NodeVerdict verdict = verdict_on("n2", of_sockets(1.2, 1.5));
  ASSERT_TRUE(verdict.shift);
  EXPECT_NEAR(verdict.shift->value, 1.5, 0.01);
  EXPECT_EQ(verdict.shift_in, "copy");
  EXPECT_EQ(against_others(*verdict.shift), "1.5 times the others");
  EXPECT_FALSE(verdict_on("n1", of_sockets(1.2, 1.5)).shift);
}

TEST(ScreenedUnits, AreRowsThatReadBackAndVerdicts) {
  const ScreenedUnit node{
      "links", Screened::slow, "n11", "", "", 1.3, {1.28, 1.32, 0.95}, "p = 1e-9, 28 confirmations"};
  const auto read = screened_unit(Record(record_of(node)));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->node, "n11");
  EXPECT_EQ(read->ratio, 1.3);
  EXPECT_EQ(read->reason, node.reason);
  EXPECT_FALSE(screened_unit(Record(NoteRecord{"n"})));
  EXPECT_FALSE(screened_unit(Record(DerivedRecord{})));
  const std::vector<Record> records{
      record_of(node),
      record_of({"links", Screened::slow, "n1", "n2", "", 2, {}, ""}),
      record_of({"links", Screened::unclear, "n4", "n5", "", 2, {}, ""}),
      record_of({"links", Screened::slow, "", "", "switch s1 (n6, n7)", 1.5, {}, ""}),
      record_of({"links", Screened::lacking, "n8", "", "", 1, {}, "no times in 5 of 6 tests"}),
      record_of({"links", Screened::unclear, "n9", "", "", 1.1, {}, ""})};
  const Verdicts verdicts = verdicts_of(records);
  EXPECT_TRUE(verdicts.has_deviating());
  EXPECT_EQ(verdicts.compared, 3U) << "the nodes with verdicts, where none is listed";
  EXPECT_EQ(count_of(verdicts.nodes, Standing::slow), 1U);
  EXPECT_EQ(count_of(verdicts.nodes, Standing::lacking), 1U);
  EXPECT_EQ(count_of(verdicts.nodes, Standing::unclear), 1U);
  EXPECT_THAT(verdicts.links, ElementsAre(LinkVerdict{"n1", "n2", Standing::slow, "links"}));
  ASSERT_EQ(verdicts.parts.size(), 1U);
  EXPECT_EQ(verdicts.parts[0].part, "switch s1 (n6, n7)");
  EXPECT_FALSE(verdicts_of({record_of({"links", Screened::unclear, "n9", "", "", 1.1, {}, ""})}).has_deviating());
}

}  // namespace
}  // namespace assay::cluster
