// SPDX-License-Identifier: Apache-2.0
// States of batches that were planted in visits, found again; and what their CPUs were like.
#include "record/export/core_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "record/export/exports.hpp"
#include "text/json.hpp"
#include "unit/record/results.hpp"

namespace assay::test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using States = std::vector<std::string>;

constexpr double alone_cost = 0.08;  // throughput over latency
constexpr Nanoseconds usual_chain{0.9};

CoreLevel level(int cpu = 0, const std::string& node = {}, double alone = alone_cost,
                AloneBecause because = AloneBecause::throughput) {
  return {cpu, alone, usual_chain, because, 100, 50, node};
}

/// 'a' for alone, 's' for shared.
CoreReading reading_of(char state, Nanoseconds chain) {
  return {(state == 'a' ? 1.02 : 1.6) * alone_cost * chain, chain};
}

/// What is planted in a visit. States of a batch are two letters a member, before and after it.
struct PlantedVisit {
  States batches;
  std::vector<int> cpus = {0};
  std::string apart{};
  std::vector<std::string> nodes{};
  Nanoseconds chain = usual_chain;
  Nanoseconds length = microseconds(25);
  std::int64_t reps = 10;
  int discarded = 0;
  std::optional<Nanoseconds> reference{};
};

/// A campaign of one point.
class CoreLogTest : public testing::Test {
 protected:
  void visit(const PlantedVisit& planted) {
    VisitRecord& visit = visits_.emplace_back();
    visit.series = point_.series;
    visit.point = point_.point;
    visit.session = session_;
    visit.visit = static_cast<int>(visits_.size()) - 1;
    visit.discarded = planted.discarded;
    visit.reference = planted.reference;
    visit.nodes = planted.nodes;
    for (const char state : planted.apart) visit.apart.push_back(reading_of(state, usual_chain));
    for (const std::string& states : planted.batches) {
      JudgedBatch& judged = visit.batches.emplace_back();
      judged.batch.reps = Reps{planted.reps};
      for (std::size_t rank = 0; rank < planted.cpus.size(); ++rank) {
        MemberReport& report = judged.batch.members.emplace_back();
        report.wall = planted.length;
        report.cpu_before = report.cpu_after = planted.cpus[rank];
        report.core_before = reading_of(states[2 * rank], planted.chain);
        report.core_after = reading_of(states[2 * rank + 1], planted.chain);
      }
    }
  }

  CoreLog log() const {
    CoreLog log;
    std::vector<Record> records(cores_.begin(), cores_.end());
    if (is_finished_) records.emplace_back(point_);
    log.know(records);
    for (const VisitRecord& visit : visits_) log.add(Record(visit));
    return log;
  }
  /// Of all batches, in order.
  States states() const {
    States all;
    for (const JudgedVisit& visit : log().visits()) all.insert(all.end(), visit.states.begin(), visit.states.end());
    return all;
  }
  void know(const std::vector<CoreLevel>& levels) {
    point_.cores = levels;
    cores_ = {CoresRecord{0, 3, levels, 0.25, 0.5, {}, 0}};
  }
  void name_distances() { point_.results[0].state = {Sharing::alone, 0, 101}; }

  CoreLogTest() { know({level()}); }

  PointRecord point_ = finished_point("s", point_of({{"size", std::int64_t{1}}}), plain_result(100, 0.01));
  std::vector<CoresRecord> cores_;
  std::vector<VisitRecord> visits_;
  int session_ = 0;
  bool is_finished_ = true;
};

TEST_F(CoreLogTest, ReadingsOnBothSidesTell) {
  visit({{"aa", "aa", "aa", "ss", "ss", "as", "sa"}});
  EXPECT_EQ(states(), States({"alone", "alone", "alone", "shared", "shared", "mixed", "mixed"}));
}

TEST_F(CoreLogTest, WhatIsLeftOutAtAVisitsStartHasNone) {
  visit({.batches = {"ss", "aa", "aa"}, .discarded = 1});
  visit({{"aa", "aa"}});
  EXPECT_EQ(states(), States({"", "alone", "alone", "alone", "alone"}));
}

TEST_F(CoreLogTest, BeforeThePointWasCalibratedAgainThereAreNone) {
  visit({.batches = {"aa"}, .reps = 7});
  visit({{"aa", "ss"}});
  EXPECT_EQ(states(), States({"", "alone", "shared"}));
}

TEST_F(CoreLogTest, AllMembersHaveToBeAlone) {
  know({level(0), level(1)});
  visit({{"aaaa", "aaaa", "aass", "ssss", "aasa"}, {0, 1}, "aa"});
  EXPECT_EQ(states(), States({"alone", "alone", "shared", "shared", "mixed"}));
}

TEST_F(CoreLogTest, APartnerOnTheSameCoreIsNoNeighbour) {
  visit({{"ssss", "ssss"}, {0, 0}, "aa"});
  visit({{"ssss", "ssss"}, {0, 0}, "ss"});
  EXPECT_EQ(states(), States({"alone", "alone", "shared", "shared"}));
}

TEST_F(CoreLogTest, WithoutALevelThatIsProvedAllIsAsFound) {
  visit({{"aa", "ss"}});
  const std::vector<CoreLevel> unproved{level(0, {}, alone_cost, AloneBecause::nothing)};
  for (const auto& levels : {std::vector<CoreLevel>(), unproved, {level(7)}}) {
    know(levels);
    EXPECT_THAT(states(), Each("as found"));
  }
}

TEST_F(CoreLogTest, WhatOutlastsStatesIsAsFound) {
  visit({.batches = {"aa", "ss", "aa"}, .length = milliseconds(2)});
  EXPECT_THAT(states(), Each("as found"));
}

TEST_F(CoreLogTest, UnusualClocksAndDistancesAreNamed) {
  name_distances();
  for (const double distance : {100, 101, 102, 400, 401, 402, 900})
    visit({.batches = {"aa", "ss"}, .reference = Nanoseconds{distance}});
  visit({.batches = {"aa"}, .chain = Nanoseconds{1.15}, .reference = Nanoseconds{100.5}});
  const States told = states();
  EXPECT_EQ(told[0], "alone, distance 101 ns");
  EXPECT_EQ(told[1], "shared, distance 101 ns");
  EXPECT_EQ(told[6], "alone, distance 401 ns");
  EXPECT_EQ(told[12], "mixed") << "one visit is no distance of its own, and at no other";
  EXPECT_EQ(told[14], "alone, clock 2.6 GHz, distance 101 ns");
  cores_[0].cycles_per_step = 0;
  EXPECT_EQ(states()[14], "alone, clock 0.78 of the usual, distance 101 ns");
}

TEST_F(CoreLogTest, SessionsThatAResultIsNotOfAreSortedByThemselves) {
  visit({.batches = {"aa", "ss", "aa"}, .length = milliseconds(2), .reps = 50});
  session_ = 1;
  visit({{"aa", "ss"}});
  EXPECT_EQ(states(), States({"as found", "as found", "as found", "alone", "shared"}));
}

TEST_F(CoreLogTest, SessionsThatAResultIsOfAreSortedTogether) {
  visit({.batches = {"aa", "ss", "aa"}, .length = milliseconds(2)});
  session_ = 1;
  visit({{"aa", "ss", "ss", "aa", "aa"}});
  point_.results[0].stretches = 2;
  EXPECT_EQ(states(), States({"alone", "shared", "alone", "alone", "shared", "shared", "alone", "alone"}));
}

TEST_F(CoreLogTest, NodesThatNumberTheirCpusAlikeAreApart) {
  know({level(0, "n1"), level(0, "n2", 1.6 * alone_cost)});
  visit({{"aass", "aass", "ssss", "aaaa", "aasa"}, {0, 0}, "", {"n1", "n2"}});
  visit({.batches = {"ss"}, .nodes = {"n2"}});
  visit({{"aa"}});
  EXPECT_EQ(states(), States({"alone", "alone", "shared", "shared", "mixed", "alone", "as found"}));
}

TEST_F(CoreLogTest, ClocksAreByTheCyclesOfTheNode) {
  know({level(), level(0, "n1"), level(0, "n2")});
  cores_[0].nodes = {{"n1", 4, false}};
  // Another session that ran launches names their nodes, and knows nothing of them.
  cores_.push_back(CoresRecord{1, 0, {}, 0, 0, {}, 0});
  cores_[1].nodes = {{"n1", 0, false}};
  for (const char* node : {"n1", "n2"}) visit({.batches = {"aa"}, .nodes = {node}, .chain = Nanoseconds{1.15}});
  visit({.batches = {"aa"}, .chain = Nanoseconds{1.15}});
  EXPECT_EQ(states(), States({"alone, clock 3.5 GHz", "alone, clock 0.78 of the usual", "alone, clock 2.6 GHz"}));
}

TEST_F(CoreLogTest, AnotherMachinesVisitsAreForgotten) {
  visit({{"aa"}});
  CoreLog log = this->log();
  SessionRecord session;
  session.new_machine = true;
  log.add(Record(session));
  EXPECT_THAT(log.visits(), IsEmpty());
}

TEST_F(CoreLogTest, CoresAreToldByBatchAndMember) {
  visit({{"as", "aa"}});
  const auto visits = log().visits();
  ASSERT_THAT(visits.at(0).cores, SizeIs(2));
  EXPECT_EQ(visits[0].cores[0].sharing, Sharing::mixed);
  EXPECT_EQ(visits[0].cores[1].sharing, Sharing::alone);
  EXPECT_EQ(visits[0].cores[1].length, microseconds(25));
  EXPECT_EQ(visits[0].cores[1].chain, usual_chain);
}

// Members at work on one core look shared to each other: what they read while the others rested speaks, once.
TEST_F(CoreLogTest, OfSeveralMembersOnANodeWhatWasReadApartSpeaks) {
  know({level(0), level(1)});
  visit({{"ssss", "ssss"}, {0, 1}, "as"});
  const auto cores = log().visits().at(0).cores;
  ASSERT_THAT(cores, SizeIs(4));
  for (const std::size_t batch : {0U, 1U}) {
    EXPECT_EQ(cores[2 * batch].sharing, Sharing::alone);
    EXPECT_EQ(cores[2 * batch + 1].sharing, Sharing::shared);
    EXPECT_EQ(cores[2 * batch].chain, batch == 0 ? usual_chain : Nanoseconds{});
  }
}

TEST_F(CoreLogTest, ComputedTimeHasNoCores) {
  visit({{"aa"}});
  point_.simulated = true;
  EXPECT_THAT(log().visits().at(0).cores, IsEmpty());
  is_finished_ = false;
  EXPECT_THAT(log().visits().at(0).cores, SizeIs(1));
}

TEST_F(CoreLogTest, ASessionThatWasCutOffGoesByPointsAndOtherSessions) {
  session_ = 1;
  visit({{"ss"}});
  EXPECT_EQ(log().visits().at(0).cores.at(0).sharing, Sharing::shared);
  cores_.push_back(CoresRecord{1, 3, {}, 0, 0, {}, 0});
  EXPECT_EQ(log().visits().at(0).cores.at(0).sharing, Sharing::unknown) << "it came to its end, and knew nothing";
}

TEST_F(CoreLogTest, OfSeveralLevelsTheLeastIsKnown) {
  know({level(0, {}, 0.09), level(1, {}, 0.05, AloneBecause::nothing)});
  cores_.push_back(CoresRecord{1, 3, {level(0, {}, 0.072, AloneBecause::two_levels)}, 0, 0, {}, 0});
  const auto levels = log().levels();
  ASSERT_THAT(levels, SizeIs(1));
  EXPECT_EQ(levels[0].alone, 0.072);
  EXPECT_EQ(levels[0].because, AloneBecause::two_levels);
}

TEST_F(CoreLogTest, TheExportIsALineForEachThing) {
  visit({.batches = {"ss", "aa"}, .discarded = 1});
  cores_[0].waited = 0.125;
  const std::vector<Record> records(cores_.begin(), cores_.end());
  std::ostringstream out;
  write_states(out, {records, {}, log()}, {});
  std::istringstream lines(out.str());
  std::vector<Json> told;
  for (std::string line; std::getline(lines, line);) told.push_back(parse_json(line));
  ASSERT_THAT(told, SizeIs(3));
  EXPECT_EQ(told[0].at("type").string(), "session");
  EXPECT_THAT(told[0].at("remarks").array(), SizeIs(2)) << "shared, and waited";
  EXPECT_EQ(told[1].at("type").string(), "core");
  EXPECT_EQ(told[1].at("because").string(), "throughput");
  EXPECT_NEAR(told[1].at("additions_per_cycle").number(), 1 / (3 * alone_cost), 1e-9);
  EXPECT_EQ(told[2].at("type").string(), "visit");
  EXPECT_EQ(told[2].at("states").array().at(1).string(), "alone");
  EXPECT_THAT(told[2].at("cpus").array(), SizeIs(2));
  EXPECT_EQ(told[2].find("nodes"), nullptr);
}

}  // namespace
}  // namespace assay::test
