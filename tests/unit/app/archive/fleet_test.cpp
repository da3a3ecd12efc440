// SPDX-License-Identifier: Apache-2.0
// Fleets over weeks: nodes that become bad are found with their day, and nodes that are well are not.
#include "app/archive/fleet.hpp"

#include <gmock/gmock-matchers.h>

#include <cmath>
#include <sstream>

#include "base/rng.hpp"
#include "text/json.hpp"
#include "unit/app/archive/written_campaign.hpp"

namespace assay::history {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string day_name(int day) {
  const int month = day / 28 + 1;
  const auto two = [](int number) { return std::string(number < 10 ? "0" : "") + std::to_string(number); };
  return "2026-" + two(month) + '-' + two(day % 28 + 1) + "T04:00:00Z";
}

/// A fleet whose nodes are measured every day, each in two series: times, of which nodes may become bad, and rates.
struct Simulated {
  int days = 30;
  int nodes = 16;
  double noise = 0.02;     ///< of a node on a day; one day in twenty it is five times as large
  std::string bad = "n5";  ///< becomes bad
  int from = 30;           ///< on this day
  int until = 1000;        ///< and is well again on this one
  double slowdown = 1.25;
  bool fails = false;    ///< in the place of a slowdown
  bool is_rate = false;  ///< what becomes bad
  std::uint64_t seed = 1;
  std::vector<Entry> entries{};
  std::vector<Dated> results{};

  void add(const std::string& series, Unit unit, const std::string& node, double value) {
    Found found;
    found.place = {series, "os/noise", "size=8 node=" + node, "time", "solo"};
    found.unit = unit;
    found.known = {value, {value * 0.99, value * 1.01, 0.95}};
    found.is_sound = true;
    found.verdict = "converged";
    if (!(value > 0)) {
      found.place.quantity = found.place.regime = "";
      found.known = {std::numeric_limits<double>::quiet_NaN(), {}};
      found.verdict = "failed: no answer";
    }
    results.push_back({found, entries.size() - 1});
  }

  Simulated& simulate() {
    Rng rng(seed);
    for (int day = 0; day < days; ++day) {
      Entry entry;
      entry.started = day_name(day);
      entry.id = "c";
      entries.push_back(entry);
      const double of_all = std::exp(0.05 * rng.normal());  // what changes for all nodes alike
      for (int i = 0; i < nodes; ++i) {
        const std::string node = "n" + std::to_string(i);
        const bool is_bad = node == bad && day >= from && day < until;
        const auto draw = [&] { return of_all * std::exp(noise * rng.normal() * (rng.uniform() < 0.05 ? 5 : 1)); };
        const double worse = is_bad ? (fails ? 0 : slowdown) : 1;
        add("times", Unit::nanoseconds, node, 100 * draw() * (is_rate ? 1 : worse));
        add("rates", Unit::bytes_per_second, node, 1e9 * draw() / (is_rate ? worse : 1));
      }
    }
    return *this;
  }
  FleetReport report() const { return report_on(fleet_of(entries, results), usual_change_alpha); }
};

std::vector<std::string> offenders_in(const FleetReport& report) {
  std::vector<std::string> names;
  for (const NodeHistory& node : report.nodes)
    if (node.is_offender) names.push_back(node.node);
  return names;
}

// Days between two that differ by days of one month.
int day_of_year(const std::string& started) {
  return (std::stoi(started.substr(5, 2)) - 1) * 28 + std::stoi(started.substr(8, 2)) - 1;
}

TEST(Fleet, ANodeThatBecomesBadIsFoundWithItsDay) {
  Simulated fleet;
  fleet.from = 18;
  const FleetReport report = fleet.simulate().report();
  ASSERT_EQ(offenders_in(report), std::vector<std::string>{"n5"});
  const NodeHistory& node = report.nodes.front();
  ASSERT_TRUE(node.first_bad);
  EXPECT_EQ(node.first_bad->started, day_name(18));
  EXPECT_EQ(report.places[node.first_bad->place].series, "times");
  EXPECT_NEAR(node.first_bad->before, 1, 0.03);
  EXPECT_NEAR(node.first_bad->after, 1.25, 0.04);
  EXPECT_EQ(node.first_bad->well_again, "");
  EXPECT_NEAR(node.how_bad, 1.25, 0.05);
  EXPECT_GE(node.rounds.bad, 10);
  EXPECT_TRUE(node.finding.share.contains(12.0 / 30));
}

TEST(Fleet, RatesAreBadWhenTheyAreLower) {
  Simulated fleet;
  fleet.from = 10;
  fleet.is_rate = true;
  const FleetReport report = fleet.simulate().report();
  ASSERT_EQ(offenders_in(report), std::vector<std::string>{"n5"});
  EXPECT_EQ(report.nodes.front().first_bad->started, day_name(10));
  EXPECT_EQ(report.places[report.nodes.front().first_bad->place].series, "rates");
}

TEST(Fleet, OneThatFailsIsFoundToo) {
  Simulated fleet;
  fleet.from = 20;
  fleet.fails = true;
  const FleetReport report = fleet.simulate().report();
  ASSERT_EQ(offenders_in(report), std::vector<std::string>{"n5"});
  EXPECT_EQ(report.nodes.front().lacking, 10);
  EXPECT_EQ(report.nodes.front().first_bad->started, day_name(20));
}

TEST(Fleet, ARepairedNodeHasItsEnd) {
  Simulated fleet;
  fleet.days = 40;
  fleet.from = 12;
  fleet.until = 26;
  const FleetReport report = fleet.simulate().report();
  ASSERT_EQ(offenders_in(report), std::vector<std::string>{"n5"});
  EXPECT_EQ(report.nodes.front().first_bad->started, day_name(12));
  EXPECT_EQ(report.nodes.front().first_bad->well_again, day_name(26));
}

TEST(Fleet, ANodeThatWasAlwaysBadIsSoFromTheFirstDay) {
  Simulated fleet;
  fleet.from = 0;
  const FleetReport report = fleet.simulate().report();
  ASSERT_EQ(offenders_in(report), std::vector<std::string>{"n5"});
  EXPECT_EQ(report.nodes.front().first_bad->started, day_name(0));
  EXPECT_TRUE(std::isnan(report.nodes.front().first_bad->before));
}

/// What came of many simulated fleets.
struct Tally {
  int found = 0;         ///< fleets whose bad node is named
  int within_a_day = 0;  ///< of these: with its day, or one beside it
  int falsely = 0;       ///< fleets in which any other node is named
};

Tally many_fleets(double noise, double slowdown) {
  Tally all;
  constexpr int fleets = 100;
  for (int i = 0; i < fleets; ++i) {
    Simulated fleet;
    fleet.seed = static_cast<std::uint64_t>(i) + 1;
    fleet.from = 6 + i % 20;
    fleet.noise = noise;
    fleet.slowdown = slowdown;
    bool falsely = false;
    for (const NodeHistory& node : fleet.simulate().report().nodes) {
      if (!node.is_offender) continue;
      falsely = falsely || node.node != "n5";
      if (node.node != "n5") continue;
      ++all.found;
      if (node.first_bad) all.within_a_day += std::abs(day_of_year(node.first_bad->started) - fleet.from) <= 1 ? 1 : 0;
    }
    all.falsely += falsely ? 1 : 0;
  }
  std::cout << all.found << " found, " << all.within_a_day << " with their day, " << all.falsely
            << " fleets with false names\n";
  return all;
}

TEST(Fleet, ManyFleetsNodesThatAreWellAreNotNamedAndBadOnesAre) {
  const Tally quiet = many_fleets(0.02, 1.25);
  EXPECT_GE(quiet.found, 98);
  EXPECT_GE(quiet.within_a_day, 95);
  EXPECT_LE(quiet.falsely, 5);
}

TEST(Fleet, NoisyFleetsHaveNoMoreFalseNamesAndFewerFinds) {
  EXPECT_LE(many_fleets(0.1, 1.25).falsely, 5);
  EXPECT_LE(many_fleets(0.05, 1.25).falsely, 5);
  EXPECT_GE(many_fleets(0.1, 2).found, 95);
}

TEST(Fleet, WhatHappensToAllNodesIsNoNodesFault) {
  Simulated fleet;
  fleet.simulate();
  for (Dated& dated : fleet.results)
    if (dated.campaign >= 15) dated.found.known.value *= 1.5;
  EXPECT_EQ(offenders_in(fleet.report()), std::vector<std::string>{});
}

TEST(Fleet, FewNodesAreNotJudgedAndLinksAreNoNodes) {
  Simulated fleet;
  fleet.nodes = 3;
  fleet.bad = "n1";
  fleet.from = 0;
  fleet.simulate();
  EXPECT_TRUE(fleet.report().nodes.empty());
  EXPECT_EQ(fleet.report().too_small, 30U);
  Simulated links;
  links.simulate();
  for (Dated& dated : links.results) dated.found.place.point += " peer=n99";
  EXPECT_TRUE(links.report().nodes.empty());
}

TEST(Fleet, CampaignsOfOneDayThatAskForTheSameAreOfOneFleet) {
  Simulated fleet;
  fleet.from = 15;
  fleet.simulate();
  // Each node's results as a campaign of its own.
  std::vector<Entry> entries;
  std::vector<Dated> results;
  for (const Dated& dated : fleet.results) {
    Entry entry = fleet.entries[dated.campaign];
    const auto at = dated.found.place.point.find(" node=");
    entry.node = dated.found.place.point.substr(at + 6);
    entries.push_back(entry);
    results.push_back({dated.found, entries.size() - 1});
    results.back().found.place.point.resize(at);
  }
  const FleetReport report = report_on(fleet_of(entries, results), usual_change_alpha);
  ASSERT_EQ(offenders_in(report), std::vector<std::string>{"n5"});
  EXPECT_EQ(report.nodes.front().first_bad->started, day_name(15));
  EXPECT_EQ(report.rounds, 30U);
}

/// The same in files, by the program.
class FleetFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::vector<std::string> arguments{"add"};
    for (int day = 0; day < 16; ++day) {
      test::Written about;
      about.started = day_name(day);
      about.node = "head";
      std::vector<PointRecord> points;
      for (int i = 0; i < 8; ++i) {
        const std::string node = "n" + std::to_string(i);
        const double median = 100 + 0.1 * ((day * 7 + i * 3) % 11);
        PointRecord point = test::lock_point(node == "n2" && day >= 9 ? 1.3 * median : median);
        Point with_node;
        with_node.set("node", node);
        with_node.set("type", std::string("normal"));
        point.point = with_node;
        points.push_back(point);
      }
      arguments.push_back(folder_ / ("c" + std::to_string(day)));
      test::write_campaign(arguments.back(), about, points);
    }
    ASSERT_EQ(test::history(folder_, arguments).exit_code, 0);
  }
  const test::Scratch folder_;
};

TEST_F(FleetFiles, ATableNamesTheOffenderAndItsDay) {
  const auto done = test::history(folder_, {"fleet"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out,
              AllOf(HasSubstr("n2"), HasSubstr("2026-01-10, 1.00x -> 1.30x"), HasSubstr("1 repeat offender")));
  EXPECT_THAT(done.out,
              AllOf(Not(HasSubstr("n3")), HasSubstr("7 nodes not listed"), HasSubstr("16 campaigns of 8 nodes")));
}

TEST_F(FleetFiles, JsonAndCsvHaveEveryNode) {
  const Json found = parse_json(test::history(folder_, {"fleet", "--format", "json"}).out);
  ASSERT_EQ(found.at("rows").array().size(), 8U);
  const Json& first = found.at("rows").array().front();
  EXPECT_EQ(first.at("node").string(), "n2");
  EXPECT_EQ(first.at("bad").integer(), 7);
  EXPECT_EQ(first.at("first_bad").string(), day_name(9));
  EXPECT_TRUE(found.at("rows").array()[1].at("first_bad").is_null());
  EXPECT_THAT(test::history(folder_, {"fleet", "--format", "csv"}).out, StartsWith("node,offender,campaigns,bad,"));
}

TEST_F(FleetFiles, OtavaHasOneNodeAndARowForEachCampaign) {
  const auto done = test::history(folder_, {"fleet", "--format", "otava", "--node", "n2"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  std::istringstream lines(done.out);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "time,host,version,marks,lock type=normal (ns)");
  int rows = 0;
  for (; std::getline(lines, line); ++rows) EXPECT_THAT(line, StartsWith(day_name(rows) + ",n2,0.1.0,"));
  EXPECT_EQ(rows, 16);
  EXPECT_EQ(test::history(folder_, {"fleet", "--format", "otava"}).exit_code, 2);
  EXPECT_THAT(test::history(folder_, {"fleet", "--format", "otava", "--node", "x"}).err, HasSubstr("there is no node"));
  EXPECT_EQ(test::history(folder_, {"show", "--format", "otava"}).exit_code, 2);
}

TEST(FleetOtava, EachCampaignOfANodeIsARow) {
  const test::Scratch folder;
  std::vector<std::string> arguments{"add"};
  for (const char* hour : {"04", "12", "20"}) {
    test::Written about;
    about.started = std::string("2026-01-01T") + hour + ":00:00Z";
    arguments.push_back(folder / (std::string("c") + hour));
    test::write_campaign(arguments.back(), about, {test::lock_point(100)});
  }
  ASSERT_EQ(test::history(folder, arguments).exit_code, 0);
  const auto done = test::history(folder, {"fleet", "--format", "otava", "--node", "n1"});
  EXPECT_EQ(std::ranges::count(done.out, '\n'), 4) << done.out;
  EXPECT_EQ(test::history(folder, {"fleet"}).exit_code, 2);
}

TEST(FleetOtava, WhatIsNotCompleteIsLeftOutAndSaid) {
  Simulated fleet;
  fleet.fails = true;
  fleet.from = 20;
  fleet.simulate();
  std::ostringstream out;
  const auto remarks = write_node_otava(out, fleet.entries, fleet_of(fleet.entries, fleet.results), "n5");
  EXPECT_EQ(std::ranges::count(out.str(), '\n'), 21);
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_THAT(remarks.front(), HasSubstr("10 campaigns left out"));
}

}  // namespace
}  // namespace assay::history
