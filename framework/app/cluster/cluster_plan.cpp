// SPDX-License-Identifier: Apache-2.0
// Links are series of one measurement.
#include "app/cluster/cluster_plan.hpp"

#include <algorithm>

#include "app/cluster/link_points.hpp"
#include "base/error.hpp"
#include "base/tournament.hpp"

namespace assay {

namespace {

bool has_ranks(const SeriesPlan& series) {
  const auto vehicle = std::ranges::find(series.factors, "vehicle", &FactorDomain::name);
  return vehicle != series.factors.end() &&
         std::ranges::find(vehicle->domain.levels, Value(std::string("mpi"))) != vehicle->domain.levels.end();
}

bool has_pairs_alone(const SeriesPlan& series) {
  const auto meeting = std::ranges::find(series.factors, "meeting", &FactorDomain::name);
  return meeting != series.factors.end() &&
         std::ranges::find(meeting->domain.levels, Value(std::string("alone"))) != meeting->domain.levels.end();
}

std::string rounds_text(std::size_t rounds) { return rounds == 1 ? "0" : "0.." + std::to_string(rounds - 1) + " +1"; }

}  // namespace

ClusterPlan cluster_plan(const CampaignPlan& plan) {
  ClusterPlan dealt;
  std::vector<Problem> problems;
  for (const SeriesPlan& series : plan.series) {
    if (series.measurement.name == link_measurement) {
      dealt.link_series.push_back(series.name);
      dealt.alone.push_back(has_pairs_alone(series));
    } else if (has_ranks(series)) {
      problems.push_back({{"assay cluster"},
                          "series '" + series.name + "' has ranks for members",
                          "of these only " + std::string(link_measurement) + " measures nodes and links",
                          "measure it by 'assay run' in a launch"});
    } else {
      dealt.node_series.push_back(series.name);
    }
  }
  if (!problems.empty()) throw ConfigError(problems);
  return dealt;
}

std::vector<std::string> link_arguments(const ClusterPlan& plan, std::size_t nodes) {
  std::vector<std::string> arguments;
  for (std::size_t i = 0; i < plan.link_series.size(); ++i) {
    const std::string section = "series." + plan.link_series[i];
    const Meeting meeting = plan.alone[i] ? Meeting::one_by_one : Meeting::together;
    arguments.insert(arguments.end(),
                     {"--series", plan.link_series[i], "--set", section + ".members=" + std::to_string(nodes), "--set",
                      section + ".round=" + rounds_text(tournament(nodes, meeting).size()), "--set",
                      section + ".placement=" + (nodes > 1 ? "other-node" : "unbound")});
    // A round waits for no moment in which the cores of all nodes are alone: its pairs are distinguished afterwards.
    if (nodes > 2) arguments.insert(arguments.end(), {"--set", section + ".state=any"});
  }
  return arguments;
}

std::vector<std::string> screening_arguments(const std::string& series, std::size_t nodes, std::size_t rounds,
                                             const std::string& pairs) {
  std::vector<std::string> arguments{"--series", series};
  const std::string section = "series." + series;
  for (const std::string& setting :
       {".members=" + std::to_string(nodes), ".round=" + rounds_text(rounds), std::string(".meeting=listed"),
        ".pairs=" + to_text(Value(pairs)), std::string(".placement=other-node"), std::string(".state=any")}) {
    arguments.emplace_back("--set");
    arguments.push_back(section + setting);
  }
  return arguments;
}

}  // namespace assay
