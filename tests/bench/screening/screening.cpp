// SPDX-License-Identifier: Apache-2.0
// Simulated clusters with planted faults: what a screening finds by few tests, and what other ways find.
#include <algorithm>
#include <boost/program_options.hpp>
#include <cmath>
#include <iostream>
#include <limits>

#include "bench/screening/scenarios.hpp"
#include "bench/text_table.hpp"

namespace assay::bench {
namespace {

struct Request {
  test::Wiring wiring = test::Wiring::fat_tree;
  std::size_t nodes = 0;
  int runs = 0;
  double round_time = 0;  ///< s
  bool only_assay = false;
};

struct Tally {
  std::size_t faults = 0;
  std::size_t found = 0;
  std::size_t false_alarms = 0;
  double tests = 0;
  double rounds = 0;
  double seconds = 0;
};

Tally tally_of(const Scenario& scenario, const ScreeningContender& contender, const Request& request) {
  Tally tally;
  const Fabric fabric = test::fabric_of(request.wiring, request.nodes);
  for (int run = 0; run < request.runs; ++run) {
    Rng rng = Rng(static_cast<std::uint64_t>(run)).substream(scenario.name + std::to_string(request.nodes));
    const PlantedCluster planted = scenario.plant(fabric, request.wiring, rng);
    test::SimulatedCluster cluster(fabric, planted.noise, planted.faults, rng.next());
    const Accusation accusation = contender.judge(cluster, rng.next());
    const bool names_nodes_only = contender.name.find("assay") == std::string::npos;
    const Score score = score_of(planted, accusation, names_nodes_only);
    tally.faults += score.faults;
    tally.found += score.found;
    tally.false_alarms += score.false_alarms;
    tally.tests += static_cast<double>(accusation.tests);
    tally.rounds += static_cast<double>(accusation.rounds);
  }
  return tally;
}

std::vector<std::string> row_of(const Scenario& scenario, const ScreeningContender& contender, const Request& request) {
  if (request.nodes > contender.most_nodes) {
    const auto nodes = static_cast<double>(request.nodes);
    return {scenario.name,
            contender.name,
            "not run",
            "-",
            decimal((nodes - 1) / 2, 1),
            decimal(nodes - 1, 0),
            decimal((nodes - 1) * request.round_time / 60, 1)};
  }
  const Tally tally = tally_of(scenario, contender, request);
  const double runs = request.runs;
  const std::string recall = tally.faults == 0 ? "-" : std::to_string(tally.found) + "/" + std::to_string(tally.faults);
  return {scenario.name,
          contender.name,
          recall,
          decimal(static_cast<double>(tally.false_alarms) / runs, 2),
          decimal(tally.tests / runs / static_cast<double>(request.nodes), 2),
          decimal(tally.rounds / runs, 0),
          decimal(tally.rounds / runs * request.round_time / 60, 1)};
}

bool is_possible(const Scenario& scenario, const Fabric& fabric, test::Wiring wiring) {
  if (scenario.name.find("switch") != std::string::npos) return fabric.leaves() > 4;
  const bool is_group = scenario.name.find("group") != std::string::npos;
  const bool is_trunk = scenario.name.find("cable") != std::string::npos && wiring == test::Wiring::dragonfly;
  return (!is_group && !is_trunk) || (fabric.groups() > 1 && fabric.leaves() >= 3 * fabric.groups());
}

void print_for(const Request& request, bool markdown) {
  const Fabric fabric = test::fabric_of(request.wiring, request.nodes);
  TextTable table;
  table.title = std::string(request.wiring == test::Wiring::fat_tree ? "Fat tree" : "Dragonfly") + ", " +
                std::to_string(request.nodes) + " nodes, " + std::to_string(fabric.leaves()) + " switches, " +
                std::to_string(fabric.groups()) + " groups; " + std::to_string(request.runs) + " clusters";
  table.headings = {"planted", "way", "found", "false per cluster", "tests/N", "rounds", "min"};
  for (const Scenario& scenario : scenarios())
    if (is_possible(scenario, fabric, request.wiring))
      for (const ScreeningContender& contender : screening_contenders())
        if (!request.only_assay || contender.name == "assay, screened")
          table.rows.push_back(row_of(scenario, contender, request));
  print(std::cout, table, markdown);
}

int run(int argc, char** argv) {
  namespace po = boost::program_options;
  Request request;
  std::vector<std::size_t> sizes;
  std::vector<std::string> wirings;
  po::options_description options("options");
  options.add_options()("help", "this text")("markdown", "tables in Markdown")(
      "runs", po::value(&request.runs)->default_value(50), "clusters of each kind")(
      "nodes", po::value(&sizes)->multitoken()->default_value({1024}, "1024"), "sizes of clusters")(
      "wiring", po::value(&wirings)->multitoken()->default_value({"fat-tree"}, "fat-tree"), "fat-tree, dragonfly")(
      "round-time", po::value(&request.round_time)->default_value(1), "s that a round of pairs takes")(
      "only-assay", po::bool_switch(&request.only_assay), "the screening only");
  po::variables_map map;
  po::store(po::parse_command_line(argc, argv, options), map);
  po::notify(map);
  if (map.count("help") != 0) {
    std::cout << options;
    return 0;
  }
  for (const std::string& wiring : wirings)
    for (const std::size_t nodes : sizes) {
      request.wiring = wiring == "dragonfly" ? test::Wiring::dragonfly : test::Wiring::fat_tree;
      request.nodes = nodes;
      print_for(request, map.count("markdown") != 0);
    }
  return 0;
}

}  // namespace
}  // namespace assay::bench

int main(int argc, char** argv) {
  try {
    return assay::bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "screening: " << error.what() << '\n';
    return 2;
  }
}
