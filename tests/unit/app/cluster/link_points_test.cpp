// SPDX-License-Identifier: Apache-2.0
// Rounds of a tournament taken apart into links.
#include "app/cluster/link_points.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "app/cluster/cluster_folder.hpp"
#include "base/tournament.hpp"
#include "record/cluster/cluster_verdict.hpp"
#include "stats/rule/rule_text.hpp"
#include "support/campaigns/fake_plan.hpp"

namespace assay::test {
namespace {

using Truth = double (*)(const std::string& a, const std::string& b);

SeriesPlan links_plan() {
  SeriesPlan series = fake_team("links", 2, Waiting::yields);
  series.measurement.name = link_measurement;
  series.measurement.members = at_least(2);
  series.measurement.traits.vehicles = {"mpi"};
  series.precision.rule = parse_rule("fixed:10", {});
  return series;
}

Point round_point(std::size_t round, std::size_t nodes, bool alone) {
  Point point;
  point.set("size", std::int64_t{8});
  point.set("round", static_cast<std::int64_t>(round));
  point.set("meeting", std::string(alone ? "alone" : "together"));
  point.set("members", static_cast<std::int64_t>(nodes));
  point.set("placement", std::string("other-node"));
  return point;
}

MemberReport report(double nanoseconds) {
  MemberReport member;
  member.claims.set(0, nanoseconds);
  member.wall = member.cpu = {nanoseconds};
  return member;
}

// One visit of two batches, of ten repetitions each, to each round; a rank that sits out claims something else.
LinkLaunch launch_of(std::vector<std::string> nodes, Truth truth, bool alone = false) {
  LinkLaunch launch{std::move(nodes), {}};
  const auto rounds = tournament(launch.nodes.size(), alone ? Meeting::one_by_one : Meeting::together);
  for (std::size_t round = 0; round < rounds.size(); ++round) {
    Batch batch{Reps{10}, std::vector<MemberReport>(launch.nodes.size(), report(7))};
    for (const Match& match : rounds[round]) {
      const double time = 10 * truth(launch.nodes[match.first], launch.nodes[match.second]);
      batch.members[match.first] = report(time);
      batch.members[match.second] = report(1.01 * time);
    }
    VisitRecord visit;
    visit.series = "links";
    visit.point = round_point(round, launch.nodes.size(), alone);
    visit.visit = static_cast<int>(round);
    visit.discarded = 1;
    Batch cold = batch;
    for (MemberReport& member : cold.members) member.claims.set(0, 1e9);
    visit.batches = {{cold, {}}, {batch, {}}, {batch, {}}};
    launch.records.emplace_back(visit);
  }
  return launch;
}

std::map<std::string, double> medians(const std::vector<PointRecord>& points) {
  std::map<std::string, double> found;
  for (const PointRecord& point : points)
    found[point.point.text("node") + point.point.text("peer")] =
        point.results.empty() ? 0 : point.results.front().headline.value;
  return found;
}

// Each link has a value of its own, whichever end comes first.
double own_value(const std::string& a, const std::string& b) { return 100 * (a[0] - 'a' + 1) * (b[0] - 'a' + 1); }

TEST(LinkPoints, EveryPairHasItsOwnTimeAndEveryLaunchIsAnIncarnation) {
  const auto points = link_points(
      links_plan(), {launch_of({"a", "b", "c", "d"}, own_value), launch_of({"a", "b", "c", "d"}, own_value)});
  EXPECT_EQ(medians(points), (std::map<std::string, double>{
                                 {"ab", 200}, {"ac", 300}, {"ad", 400}, {"bc", 600}, {"bd", 800}, {"cd", 1200}}));
  for (const PointRecord& point : points) {
    EXPECT_EQ(point.results.front().processes.size(), 2U);
    EXPECT_EQ(point.results.front().summary.n, 4U) << "two batches kept in each launch";
    EXPECT_EQ(point.point.find("round"), nullptr);
    EXPECT_EQ(point.point.find("members"), nullptr);
    EXPECT_EQ(point.point.text("size"), "8");
  }
}

TEST(LinkPoints, WhoGaveItsCpuUpWasNotDisturbed) {
  SeriesPlan series = links_plan();
  series.measurement.traits.waiting = Waiting::polls;
  for (const bool by_design : {false, true}) {
    LinkLaunch launch = launch_of({"a", "b"}, [](const std::string&, const std::string&) { return 1000.0; });
    for (Record& record : launch.records)
      for (JudgedBatch& judged : std::get<VisitRecord>(record).batches) {
        for (MemberReport& member : judged.batch.members) member.involuntary = 20;
        judged.judgement.disturbed.set(static_cast<std::size_t>(Disturbance::switched), !by_design);
      }
    const auto points = link_points(series, {launch});
    ASSERT_EQ(points.size(), 1U);
    EXPECT_EQ(!points[0].results.empty(), by_design) << points[0].reason;
  }
}

TEST(LinkPoints, LaunchesMayDealNodesToRanksInAnyOrder) {
  const auto points =
      link_points(links_plan(), {launch_of({"a", "b", "c"}, own_value), launch_of({"c", "a", "b"}, own_value)});
  EXPECT_EQ(medians(points), (std::map<std::string, double>{{"ab", 200}, {"ac", 300}, {"bc", 600}}));
  for (const PointRecord& point : points) EXPECT_EQ(point.results.front().processes.size(), 2U);
}

TEST(LinkPoints, PairsAloneAreTheSamePairs) {
  const auto points = link_points(links_plan(), {launch_of({"a", "b", "c", "d"}, own_value, true)});
  EXPECT_EQ(points.size(), 6U);
  EXPECT_EQ(medians(points)["bd"], 800);
}

TEST(LinkPoints, APairThatWasNotMeasuredHasTheReasonOfItsRound) {
  LinkLaunch launch = launch_of({"a", "b", "c", "d"}, own_value);
  launch.records.erase(launch.records.begin());  // a with d, b with c
  PointRecord lost;
  lost.series = "links";
  lost.point = round_point(0, 4, false);
  lost.outcome = Outcome::failed;
  lost.reason = "a rank was killed";
  launch.records.emplace_back(lost);
  const auto points = link_points(links_plan(), {launch});
  ASSERT_EQ(points.size(), 6U);
  int missing = 0;
  for (const PointRecord& point : points) {
    if (!point.results.empty()) continue;
    ++missing;
    EXPECT_EQ(point.outcome, Outcome::failed);
    EXPECT_EQ(point.reason, "a rank was killed");
  }
  EXPECT_EQ(missing, 2);
}

// Node a, whose core is of another kind than that of b, is shared in every other batch.
LinkLaunch shared_launch(bool is_named) {
  LinkLaunch launch{{"a", "b", "c"}, {}};
  for (int number = 0; number < 12; ++number) {
    VisitRecord visit;
    visit.series = "links";
    visit.point = round_point(static_cast<std::size_t>(number) % 3, 3, false);
    visit.visit = number;
    visit.apart = {{{0.072}, {0.9}}, {{0.144}, {0.9}}, {{0.144}, {0.9}}};
    if (is_named) visit.nodes = launch.nodes;
    for (int i = 0; i < 8; ++i) {
      const bool is_shared = i % 2 == 0;
      Batch batch{Reps{10}, std::vector<MemberReport>(3, report(is_shared ? 14000 : 10000))};
      for (std::size_t node = 0; node < 3; ++node) {
        MemberReport& member = batch.members[node];
        const double alone = node == 0 ? 0.072 : 0.144;
        member.cpu_before = member.cpu_after = 0;
        member.core_before = member.core_after = {{alone * (is_shared && node == 0 ? 1.8 : 1)}, {0.9}};
      }
      visit.batches.push_back({batch, {}});
    }
    launch.records.emplace_back(visit);
  }
  CoresRecord cores;
  for (const auto& [node, alone] : {std::pair("a", 0.08), std::pair("b", 0.16), std::pair("c", 0.16)})
    cores.levels.push_back({0, alone, {0.9}, AloneBecause::two_levels, 100, 50, is_named ? node : ""});
  launch.records.emplace_back(cores);
  return launch;
}

TEST(LinkPoints, ALinkIsForItsOwnTwoCores) {
  SeriesPlan series = links_plan();
  series.measurement.traits.waiting = Waiting::polls;
  const auto points = link_points(series, {shared_launch(true)});
  ASSERT_EQ(points.size(), 3U);
  for (const PointRecord& point : points) {
    const bool has_a = point.point.text("node") == "a";
    ASSERT_FALSE(point.results.empty());
    EXPECT_EQ(to_text(point.results[0].state), "alone");
    if (has_a) {
      EXPECT_EQ(point.results[0].headline.value, 1000);
      EXPECT_EQ(point.results[0].state_share, 0.5);
      EXPECT_FALSE(point.others.empty());
    } else {
      EXPECT_EQ(point.results[0].state_share, 1) << "what went on beside node a is no matter to b and c";
    }
    ASSERT_EQ(point.cores.size(), 2U);
    EXPECT_EQ(point.cores[0].node, point.point.text("node"));
  }
}

TEST(LinkPoints, LevelsOfNoNodeInParticularSayNothing) {
  for (const PointRecord& point : link_points(links_plan(), {shared_launch(false)})) {
    ASSERT_FALSE(point.results.empty());
    EXPECT_EQ(point.results[0].state, CoreState{});
    EXPECT_TRUE(point.others.empty());
  }
}

double slow_from_a_to_b(const std::string& a, const std::string& b) { return a + b == "ab" ? 300 : 100; }

TEST(LinkPoints, ASlowLinkIsNamedAloneAndMakesTheClusterSick) {
  ClusterResults results;
  for (int launch = 0; launch < 5; ++launch) {
    results.launches.push_back(launch_of({"a", "b", "c", "d"}, slow_from_a_to_b));
    results.launches.back().records.emplace_back(
        SeriesRecord{"links", link_measurement, {{.name = "time"}}, "fixed:10", "1"});
  }
  const auto verdicts = cluster::verdicts_of(cluster_report(fake_plan({links_plan()}), {}, results));
  ASSERT_EQ(verdicts.links.size(), 1U);
  EXPECT_EQ(verdicts.links[0].node + verdicts.links[0].peer, "ab");
  EXPECT_TRUE(verdicts.has_deviating());
  for (const auto& node : verdicts.nodes) EXPECT_NE(node.standing, cluster::Standing::slow) << node.node;
}

double slow_with_b(const std::string& a, const std::string& b) { return a == "b" || b == "b" ? 150 : 100; }

/// Readings of every member on its node's CPU 0; those of node `node` are of a core that is shared most of the time.
void plant_readings(LinkLaunch& launch, const std::string& node) {
  int number = 0;
  for (Record& record : launch.records) {
    auto* visit = std::get_if<VisitRecord>(&record);
    if (visit == nullptr) continue;
    for (JudgedBatch& judged : visit->batches)
      for (std::size_t rank = 0; rank < launch.nodes.size(); ++rank) {
        MemberReport& report = judged.batch.members[rank];
        const bool shared = launch.nodes[rank] == node && ++number % 9 > 1;  // of nine batches in a launch
        report.cpu_before = report.cpu_after = 0;
        report.core_before = report.core_after = {{shared ? 0.15 : 0.08}, {1}};
      }
  }
}

TEST(LinkPoints, ReadingsOfRanksNameTheSharedCoreOfASlowNode) {
  ClusterResults results;
  for (const char* name : {"a", "b", "c", "d"}) results.nodes.push_back({name, {}, {}});
  for (int launch = 0; launch < 5; ++launch) {
    // Ranks are dealt in another order each time: readings go with the node.
    std::vector<std::string> nodes{"a", "b", "c", "d"};
    std::rotate(nodes.begin(), nodes.begin() + launch % 4, nodes.end());
    results.launches.push_back(launch_of(nodes, slow_with_b));
    plant_readings(results.launches.back(), "b");
    CoresRecord of_all;
    of_all.cycles_per_step = 3;
    results.launches.back().records.emplace_back(of_all);
    results.launches.back().records.emplace_back(
        SeriesRecord{"links", link_measurement, {{.name = "time"}}, "fixed:10", "1"});
  }
  const auto records = cluster_report(fake_plan({links_plan()}), {}, results);
  for (const Record& record : records)
    if (const auto* cores = std::get_if<CoresRecord>(&record)) {
      EXPECT_TRUE(cores->by_ranks) << cores->node;
      EXPECT_NEAR(cores->alone, cores->node == "b" ? 2 / 9.0 : 1, 1e-3) << cores->node;
    }
  for (const auto& node : cluster::verdicts_of(records).nodes) {
    EXPECT_EQ(node.standing == cluster::Standing::slow, node.node == "b") << node.node;
    EXPECT_EQ(node.causes.size(), node.node == "b" ? 1U : 0U) << node.node;
    for (const std::string& cause : node.causes)
      EXPECT_THAT(cause, testing::StartsWith("its cores were shared 77.8 % of the time"));
  }
}

TEST(LinkPoints, WithoutReadingsNothingIsSaidOfCores) {
  ClusterResults results;
  results.nodes.push_back({"a", {}, {}});
  results.launches.push_back(launch_of({"a", "b"}, own_value));
  for (const Record& record : cluster_report(fake_plan({links_plan()}), {}, results))
    EXPECT_FALSE(std::holds_alternative<CoresRecord>(record));
}

}  // namespace
}  // namespace assay::test
