// SPDX-License-Identifier: Apache-2.0
// Members on two nodes whose CPUs have the same numbers, and whose cores are of two kinds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "record/export/observation_log.hpp"
#include "record/journal/anonymous.hpp"
#include "run/point/core_watch.hpp"
#include "support/campaigns/campaign_stage.hpp"
#include "support/campaigns/fake_plan.hpp"

namespace assay::test {
namespace {

constexpr double lone_time = 1000;
constexpr double neighbour_cost = 1.4;

// Two members, on CPU 0 of node "a" and of node "b". A core of b yields half of what one of a does.
class TwoNodes {
 public:
  explicit TwoNodes(double alone, int points = 4)
      : stage(fake_plan({team(points)}, 5), noisy(lone_time, 0.003)), alone_(alone), rng_(11) {
    stage.plan.series[0].precision.rule.budget.min_visits = 60;  // that the slower kind is seen in both states
    stage.nodes = {{"a", 3, false}, {"b", 3, false}};
    stage.host.nodes = {"a", "b"};
    stage.host.look_cpus = {0, 0};
    stage.host.opened.is_looked_at = true;
    stage.host.look = [this](const IncarnationKey&) { return std::vector{reading(0), reading(1)}; };
    stage.host.spoil = [this](const IncarnationKey&, Batch& batch, Rng&) { spoil(batch); };
  }

  Stage stage;

 private:
  static SeriesPlan team(int points) {
    SeriesPlan series = fake_series("one", {levels("bytes", points)});
    series.measurement.members = exactly(2);
    series.measurement.traits.waiting = Waiting::spins;
    series.measurement.quantities[0].combine = Combine::slowest;
    return series;
  }
  // A stay of the neighbour or of solitude is a tenth of a millisecond long, on each node by itself.
  bool is_alone(std::size_t node) {
    const Instant now = stage.clock.now();
    const double passed = (now - at_[node]).count;
    at_[node] = now;
    if (rng_.uniform() > std::exp(-passed / 1e5)) now_alone_[node] = rng_.uniform() < alone_;
    return now_alone_[node];
  }
  CoreReading reading(std::size_t node) {
    const double kind = node == 0 ? 0.072 : 0.144;
    return {{kind * (is_alone(node) ? 1 : 1.8) * (1 + 0.003 * rng_.normal())}, {0.9 * (1 + 0.003 * rng_.normal())}};
  }
  void spoil(Batch& batch) {
    for (std::size_t node = 0; node < batch.members.size(); ++node) {
      MemberReport& report = batch.members[node];
      const double scale = is_alone(node) ? 1 : neighbour_cost;
      report.wall = report.cpu = report.wall * scale;
      report.claims = Claims(Nanoseconds{report.claims[0] * scale});
      report.cpu_before = report.cpu_after = 0;
      report.beats = 1;
      report.core_before = report.core_after = reading(node);
    }
  }

  double alone_;
  Rng rng_;
  Instant at_[2]{};
  bool now_alone_[2] = {true, true};
};

TEST(NodeStates, CoresOfTwoNodesAreToldApart) {
  TwoNodes two(0.8);
  two.stage.run();
  int alone = 0;
  for (const PointRecord& record : two.stage.points()) {
    ASSERT_FALSE(record.results.empty());
    // Whose states were too short by chance is answered for as found.
    if (record.results[0].state == CoreState{}) continue;
    ++alone;
    EXPECT_EQ(to_text(record.results[0].state), "alone") << record.reason;
    EXPECT_NEAR(record.results[0].headline.value / lone_time, 1, 0.01);
    ASSERT_EQ(record.cores.size(), 2U);
    EXPECT_EQ(record.cores[0].core(), NodeCpu("a", 0));
    EXPECT_NEAR(record.cores[1].alone, 2 * record.cores[0].alone, 0.01);
  }
  EXPECT_GE(alone, 3);
  const auto cores = two.stage.sink.all<CoresRecord>();
  ASSERT_EQ(cores.size(), 1U);
  EXPECT_EQ(cores[0].levels.size(), 2U);
  EXPECT_EQ(cores[0].nodes.size(), 2U);
  for (const VisitRecord& visit : two.stage.sink.all<VisitRecord>())
    EXPECT_EQ(visit.nodes, std::vector<std::string>({"a", "b"}));
}

TEST(NodeStates, WithoutNamesTheKindsAreTakenForStates) {
  // What names are for: the slower kind passes for a core that is shared forever.
  TwoNodes two(0.8);
  two.stage.host.nodes.clear();
  two.stage.cycles_per_step = 3;
  two.stage.plan.series[0].precision.rule.budget.max_time = milliseconds(20);
  two.stage.run();
  for (const PointRecord& record : two.stage.points()) {
    ASSERT_FALSE(record.results.empty());
    EXPECT_NE(to_text(record.results[0].state), "alone");
  }
}

TEST(NodeStates, ALookComesBeforeVisitsThoughNothingIsBound) {
  const auto looks = [](const std::string& vehicle, bool is_looked_at) {
    TwoNodes two(0.5, 20);
    two.stage.plan.series[0].measurement.traits.vehicles = {vehicle};
    two.stage.host.opened.is_looked_at = is_looked_at;
    two.stage.run();
    return two.stage.host.looks();
  };
  EXPECT_GT(looks("mpi", true), 0U);
  EXPECT_EQ(looks("mpi", false), 0U) << "teams of many ranks";
  EXPECT_GT(looks("thread", false), 0U) << "which say on which CPUs they were";
}

TEST(NodeStates, ObservationsAreFoundAgainInTheJournal) {
  TwoNodes two(0.8);
  two.stage.run();
  ObservationLog log;
  for (const Record& record : two.stage.sink.records()) log.add(record);
  for (const PointRecord& record : two.stage.points()) {
    const auto found = log.of(record, record.results.at(0));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->size(), record.results[0].summary.n);
  }
}

TEST(NodeStates, LaterLaunchesBeginWithWhatEarlierOnesLearned) {
  const CoreLevel of_a{0, 0.08, {0.9}, AloneBecause::throughput, 100, 90, "a"};
  const CoreLevel of_b{0, 0.16, {0.9}, AloneBecause::two_levels, 100, 90, "b"};
  const CoreLevel unsure{0, 0.3, {0.9}, AloneBecause::nothing, 20, 20, "b"};
  History history;
  history.add(CoresRecord{0, 3, {of_a}, 1, 0, {}, 0});
  history.add(CoresRecord{0, 3, {of_b}, 1, 0, {}, 0});
  history.add(CoresRecord{0, 3, {unsure}, 1, 0, {}, 0});
  ASSERT_TRUE(history.cores());
  CoreWatch watch({}, {{"a", 3, false}}, history.cores());
  EXPECT_EQ(watch.levels(false).judge({"a", 0}, {{0.072}, {0.9}}), Sharing::alone);
  EXPECT_EQ(watch.levels(false).judge({"b", 0}, {{0.144}, {0.9}}), Sharing::alone);
  EXPECT_EQ(watch.levels(false).judge({"a", 0}, {{0.144}, {0.9}}), Sharing::shared);
  EXPECT_EQ(watch.levels(false).judge(0, {{0.072}, {0.9}}), Sharing::unknown);
}

// One on each node: a batch in which both were shared is no matter between the two.
TEST(NodeStates, NobodySharesACoreWithAMemberOfAnotherNode) {
  for (const bool is_one_node : {false, true}) {
    const std::string second = is_one_node ? "a" : "b";
    CoreLevels levels;
    levels.confirm({0, 0.08, {0.9}, AloneBecause::throughput, 100, 90, "a"});
    levels.confirm({0, 0.08, {0.9}, AloneBecause::throughput, 100, 90, "b"});
    MemberReport shared;
    shared.cpu_before = shared.cpu_after = 0;
    shared.wall = microseconds(50);
    shared.core_before = shared.core_after = {{0.13}, {0.9}};
    const std::vector<JudgedBatch> kept(8, JudgedBatch{{Reps{1}, {shared, shared}}, {}});
    const std::vector<CoreReading> apart(2, {{0.072}, {0.9}});
    const std::vector<std::string> nodes{"a", second};
    StateSorter sorter;
    sorter.add({0, 0, 0, std::nullopt, apart, kept, nodes});
    sorter.settle(levels);
    EXPECT_EQ(sorter.sharing_of(0), is_one_node ? Sharing::alone : Sharing::shared);
  }
}

TEST(NodeStates, NamesOfNodesAreAnonymousWithTheRest) {
  const Anonymizer anonymous({"secret"});
  VisitRecord visit;
  visit.nodes = {"secret", "b"};
  EXPECT_EQ(std::get<VisitRecord>(anonymous(visit)).nodes[0], anonymous_name("secret"));
  CoresRecord cores;
  cores.levels.push_back({0, 0.08, {}, AloneBecause::nothing, 0, 0, "secret"});
  cores.nodes = {{"secret", 3, false}};
  const auto hidden = std::get<CoresRecord>(anonymous(cores));
  EXPECT_EQ(hidden.levels[0].node, anonymous_name("secret"));
  EXPECT_EQ(hidden.nodes[0].node, anonymous_name("secret"));
  PointRecord point;
  point.cores = cores.levels;
  EXPECT_EQ(std::get<PointRecord>(anonymous(point)).cores[0].node, anonymous_name("secret"));
}

}  // namespace
}  // namespace assay::test
