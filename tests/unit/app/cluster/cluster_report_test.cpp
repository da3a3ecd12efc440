// SPDX-License-Identifier: Apache-2.0
// Many journals become one, and that one names what deviates.
#include "app/cluster/cluster_folder.hpp"

#include <gmock/gmock-matchers.h>
#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

#include <sstream>

#include "record/cluster/cluster_verdict.hpp"
#include "support/campaigns/fake_plan.hpp"

namespace assay::test {
namespace {

using cluster::Standing;
using testing::HasSubstr;

PointRecord measured(const std::string& series, double value, int offset) {
  PointRecord record;
  record.series = series;
  record.measurement = "fake/" + series;
  record.point.set("lock", std::string("mutex"));
  record.outcome = Outcome::converged;
  Result result;
  result.quantity = "time";
  result.headline = {"median", value, {0.99 * value, 1.01 * value, 0.95}, "visits"};
  for (int i = 0; i < 5; ++i) result.processes.push_back({0, i, value * (1 + 0.002 * i + 0.0001 * offset), 40});
  record.results.push_back(result);
  return record;
}

NodeResults node(const std::string& name, double value, int offset = 0) {
  NodeResults results{name, {}, {}};
  results.records.emplace_back(SessionRecord{});
  results.records.emplace_back(SeriesRecord{"lock", "fake/lock", {{.name = "time"}}, "fixed:10", "1"});
  results.records.emplace_back(measured("lock", 3 * value, offset));  // an earlier session's: superseded
  results.records.emplace_back(measured("lock", value, offset));
  results.records.emplace_back(EndRecord{0, "complete", 1, 0, {}});
  return results;
}

CampaignPlan plan() { return fake_plan({fake_series("lock", {words("lock", {"mutex"})})}); }

ClusterResults of_five() {
  return {{node("n0", 100, 1), node("n1", 100, 2), node("n2", 130, 3), node("n3", 100, 4), node("n4", 100, 5)}, {}};
}

template <class Kind>
std::vector<Kind> all_of(const std::vector<Record>& records) {
  std::vector<Kind> found;
  for (const Record& record : records)
    if (const auto* one = std::get_if<Kind>(&record)) found.push_back(*one);
  return found;
}

TEST(ClusterReport, LevelsOfCoresAreOfTheirNode) {
  ClusterResults results{{node("n0", 100), node("n1", 100)}, {}};
  for (NodeResults& one : results.nodes)
    for (Record& record : one.records)
      if (auto* point = std::get_if<PointRecord>(&record)) point->cores.push_back({.cpu = 0, .alone = 0.08});
  for (const PointRecord& point : all_of<PointRecord>(cluster_report(plan(), {}, results)))
    EXPECT_EQ(point.cores.at(0).node, point.point.text("node"));
}

Standing standing(const cluster::Verdicts& verdicts, const std::string& name) {
  for (const auto& one : verdicts.nodes)
    if (one.node == name) return one.standing;
  ADD_FAILURE() << name << " has no verdict";
  return Standing::unclear;
}

TEST(ClusterReport, PointsOfNodesStandSideBySideByTheirLatestRecords) {
  const auto records = cluster_report(plan(), {}, of_five());
  EXPECT_EQ(all_of<SeriesRecord>(records).size(), 1U);
  const auto points = all_of<PointRecord>(records);
  ASSERT_EQ(points.size(), 5U);
  EXPECT_EQ(to_text(points[2].point), "node=n2 lock=mutex");
  EXPECT_EQ(points[2].results.front().headline.value, 130);
  EXPECT_EQ(all_of<EndRecord>(records).back().reason, "complete");
}

TEST(ClusterReport, ASlowNodeIsNamedAndNoOtherIs) {
  const auto verdicts = cluster::verdicts_of(cluster_report(plan(), {}, of_five()));
  EXPECT_TRUE(verdicts.has_deviating());
  EXPECT_EQ(standing(verdicts, "n2"), Standing::slow);
  for (const char* name : {"n0", "n1", "n3", "n4"}) EXPECT_EQ(standing(verdicts, name), Standing::ok) << name;
}

CoresRecord cores(double alone, double ghz) {
  CoresRecord record;
  record.session = 3;
  record.cycles_per_step = 3;
  record.levels = {{0, 0.08, {3 / ghz}, AloneBecause::two_levels, 1000, 900}};
  record.alone = alone;
  record.shared = 1 - alone;
  return record;
}

/// Of the verdict on n2, as printed, where its cores were these and those of the others alone at 2.9 GHz.
std::string told_of_n2(double alone, double ghz, const CoreState& state = {}) {
  ClusterResults results = of_five();
  for (NodeResults& one : results.nodes) {
    one.records.emplace_back(cores(0.5, 1));  // an earlier session's: superseded
    one.records.emplace_back(one.node == "n2" ? cores(alone, ghz) : cores(0.99, 2.9));
    for (Record& record : one.records)
      if (auto* point = std::get_if<PointRecord>(&record)) point->results.front().state = state;
  }
  const auto records = cluster_report(plan(), {}, results);
  for (const CoresRecord& record : all_of<CoresRecord>(records)) EXPECT_FALSE(record.node.empty());
  std::ostringstream out;
  cluster::print_verdicts(out, cluster::verdicts_of(records));
  std::istringstream lines(out.str());
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("n2")) return line;
  return "no line";
}

TEST(ClusterReport, ASharedOrSlowCoreIsNamedAsTheCause) {
  EXPECT_THAT(told_of_n2(0.2, 2.9), HasSubstr("80 %"));
  EXPECT_THAT(told_of_n2(0.99, 2.3), testing::AllOf(HasSubstr("2.3"), HasSubstr("2.9")));
  EXPECT_THAT(told_of_n2(0.2, 2.3), testing::AllOf(HasSubstr("80 %"), HasSubstr("2.3")));
}

TEST(ClusterReport, NoCauseIsNamedThatReadingsDoNotGive) {
  EXPECT_THAT(told_of_n2(0.99, 2.9), testing::EndsWith("lock"));
  EXPECT_THAT(told_of_n2(0.2, 2.9, {Sharing::alone}), testing::EndsWith("lock"));
  EXPECT_THAT(told_of_n2(0.2, 2.3, {Sharing::alone}), testing::AllOf(HasSubstr("2.3"), testing::Not(HasSubstr("80"))));
}

TEST(ClusterReport, WhatLacksCoresThatAreAloneIsToldWhy) {
  ClusterResults results = of_five();
  results.nodes[2] = node("n2", 100, 3);
  for (NodeResults& one : results.nodes) one.records.emplace_back(cores(one.node == "n2" ? 0.01 : 0.99, 2.9));
  const auto causes = [&] {
    for (const auto& one : cluster::verdicts_of(cluster_report(plan(), {}, results)).nodes)
      if (one.node == "n2") return one.causes;
    return std::vector<std::string>{"no verdict"};
  };
  EXPECT_THAT(causes(), testing::IsEmpty()) << "nothing is wrong with it";
  for (Record& record : results.nodes[2].records)
    if (auto* point = std::get_if<PointRecord>(&record)) point->outcome = Outcome::too_noisy;
  EXPECT_THAT(causes(), testing::ElementsAre(HasSubstr("99 %")));
}

TEST(ClusterReport, FactsOfNodesAreThoseOfTheirLatestSessionsAndExplainVerdicts) {
  ClusterResults results = of_five();
  for (NodeResults& one : results.nodes) {
    std::get<SessionRecord>(one.records[0]).facts = {{"kernel.release", "old"}};
    one.records.insert(
        one.records.begin() + 1,
        SessionRecord{1, "", "", {{"kernel.release", one.node == "n2" ? "6.1.0" : "6.1.1"}, {"host.name", "x"}}});
  }
  const auto records = cluster_report(plan(), {}, results);
  const auto nodes = all_of<NodeRecord>(records);
  ASSERT_EQ(nodes.size(), 5U);
  EXPECT_EQ(nodes[2].node, "n2");
  EXPECT_EQ(nodes[2].facts, (Facts{{"kernel.release", "6.1.0"}}));
  const auto verdicts = cluster::verdicts_of(records);
  EXPECT_THAT(verdicts.nodes[2].causes, testing::ElementsAre("kernel.release is 6.1.0, on most nodes 6.1.1"));
  ASSERT_TRUE(verdicts.nodes[2].shift);
  EXPECT_NEAR(verdicts.nodes[2].shift->value, 1.3, 0.01);
}

TEST(ClusterReport, EqualNodesAreWell) {
  ClusterResults results = of_five();
  results.nodes[2] = node("n2", 100, 3);
  EXPECT_FALSE(cluster::verdicts_of(cluster_report(plan(), {}, results)).has_deviating());
}

TEST(ClusterReport, ANodeThatLeftNothingIsLackingAndSaysWhy) {
  ClusterResults results = of_five();
  const std::string why = "its disk is full";
  results.nodes[2] = {"n2", {}, why};
  const auto records = cluster_report(plan(), {}, results);
  const auto verdicts = cluster::verdicts_of(records);
  EXPECT_TRUE(verdicts.has_deviating());
  EXPECT_EQ(standing(verdicts, "n2"), Standing::lacking);
  EXPECT_EQ(all_of<PointRecord>(records).back().reason, why);
  EXPECT_EQ(all_of<NoteRecord>(records).at(0).text, "n2: " + why);
  EXPECT_NE(all_of<EndRecord>(records).back().reason, "complete");
}

TEST(ClusterReport, ANodeWhoseCampaignWasCutShortIsNoted) {
  ClusterResults results = of_five();
  results.nodes[4].records.pop_back();
  const auto notes = all_of<NoteRecord>(cluster_report(plan(), {}, results));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_THAT(notes[0].text, testing::StartsWith("n4:"));
}

TEST(ClusterReport, WhatWasMeasuredByAnotherRuleIsNoted) {
  ClusterResults results = of_five();
  std::get<SeriesRecord>(results.nodes[3].records[1]).rule = "fixed:20";
  const auto notes = all_of<NoteRecord>(cluster_report(plan(), {}, results));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_THAT(notes[0].text, testing::AllOf(testing::StartsWith("n3:"), HasSubstr("lock")));
}

}  // namespace
}  // namespace assay::test
