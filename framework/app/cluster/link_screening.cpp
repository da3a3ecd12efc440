// SPDX-License-Identifier: Apache-2.0
// Pairs by the numbers of members, and findings by the names of nodes.
#include "app/cluster/link_screening.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <ranges>
#include <utility>

#include "base/error.hpp"
#include "stats/sample/summary.hpp"
#include "text/number_format.hpp"
#include "text/words.hpp"

namespace assay {
namespace {

using Values = std::vector<double>;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// Claims per repetition of each pair, at one point.
using PairClaims = std::vector<Values>;

void add_claims(PairClaims& claims, const VisitRecord& visit, const std::vector<Match>& pairs) {
  claims.resize(pairs.size());
  for (const JudgedBatch& judged : visit.batches | std::views::drop(visit.discarded))
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const auto& members = judged.batch.members;
      if (pairs[i].second >= members.size() || !members[pairs[i].first].claims.has(0)) continue;
      claims[i].push_back(members[pairs[i].first].claims[0] / static_cast<double>(judged.batch.reps.count));
    }
}

/// By the levels of other factors, and by round.
using ClaimsByLevel = std::map<std::string, std::map<std::size_t, PairClaims>>;

ClaimsByLevel claims_by_level(const LinkLaunch& launch, const std::string& series,
                              const std::vector<ScreeningRound>& rounds) {
  ClaimsByLevel claims;
  for (const Record& record : launch.records) {
    const auto* visit = std::get_if<VisitRecord>(&record);
    if (visit == nullptr || visit->series != series) continue;
    const auto* number = std::get_if<std::int64_t>(&visit->point.level("round"));
    if (number == nullptr || *number < 0 || static_cast<std::size_t>(*number) >= rounds.size()) continue;
    const auto round = static_cast<std::size_t>(*number);
    add_claims(claims[to_text(visit->point.without("round"))][round], *visit, rounds[round].pairs);
  }
  return claims;
}

/// NaN where a pair has no claim in that round.
double log_median(const std::map<std::size_t, PairClaims>& claims, std::size_t round, std::size_t pair) {
  const auto found = claims.find(round);
  return found == claims.end() || found->second[pair].empty() ? none : std::log(median(found->second[pair]));
}

/// Node, both ends of a link, or the part of the network.
void name_unit(cluster::ScreenedUnit& found, const NamedFabric& fabric, const FabricUnit& unit) {
  if (unit.kind == UnitKind::node) {
    found.node = fabric.nodes.at(unit.first);
  } else if (unit.kind == UnitKind::pair) {
    found.node = fabric.nodes.at(unit.first);
    found.peer = fabric.nodes.at(unit.second);
  } else {
    found.part = name_of(fabric, unit);
  }
}

std::vector<cluster::ScreenedUnit> units_of(const NamedFabric& fabric, const std::string& series,
                                            const ScreeningReport& report, ScreenVerdict verdict) {
  std::vector<cluster::ScreenedUnit> units;
  for (const Confirmed& one : report.suspects) {
    if (one.verdict != verdict) continue;
    cluster::ScreenedUnit found{series, cluster::Screened::slow, {}, {}, {}, one.ratio, one.interval, {}};
    if (verdict == ScreenVerdict::unclear) found.verdict = cluster::Screened::unclear;
    found.reason = "p = " + rounded(one.p) + ", " + counted(one.tests, "confirmation");
    name_unit(found, fabric, one.suspect.unit);
    units.push_back(std::move(found));
  }
  std::ranges::stable_sort(units, std::ranges::greater{}, &cluster::ScreenedUnit::ratio);
  return units;
}

}  // namespace

std::string pairs_text(const std::vector<ScreeningRound>& rounds, const std::vector<std::size_t>& left_out) {
  const auto is_left_out = [&](std::size_t node) { return std::ranges::find(left_out, node) != left_out.end(); };
  std::string text;
  for (const ScreeningRound& round : rounds) {
    std::string line;
    for (const Match& pair : round.pairs)
      if (!is_left_out(pair.first) && !is_left_out(pair.second))
        line += (line.empty() ? "" : " ") + std::to_string(pair.first) + '-' + std::to_string(pair.second);
    text += line + '\n';
  }
  return text;
}

std::vector<std::vector<double>> times_of(const LinkLaunch& launch, const std::string& series,
                                          const std::vector<ScreeningRound>& rounds) {
  const auto by_level = claims_by_level(launch, series, rounds);
  std::vector<std::vector<double>> times;
  for (std::size_t round = 0; round < rounds.size(); ++round) {
    Values& of_round = times.emplace_back();
    for (std::size_t pair = 0; pair < rounds[round].pairs.size(); ++pair) {
      double log_time = by_level.empty() ? none : 0;
      for (const auto& [level, claims] : by_level)
        log_time += log_median(claims, round, pair) / static_cast<double>(by_level.size());
      of_round.push_back(std::exp(log_time));
    }
  }
  return times;
}

LinkScreening::LinkScreening(NamedFabric fabric, std::string series, const ScreeningOptions& options)
    : fabric_(std::move(fabric)), series_(std::move(series)), screening_(fabric_.fabric, options) {}

void LinkScreening::lose(const std::string& node) {
  const auto found = std::ranges::find(fabric_.nodes, node);
  if (found == fabric_.nodes.end()) return;
  const auto number = static_cast<std::size_t>(found - fabric_.nodes.begin());
  if (std::ranges::find(lost_, number) == lost_.end()) lost_.push_back(number);
}

void LinkScreening::add(const LinkLaunch& launch) {
  if (launch.nodes != fabric_.nodes)
    throw ResultError("the launcher placed ranks on " + counted(launch.nodes.size(), "node") + ", not on the " +
                      std::to_string(fabric_.nodes.size()) +
                      " of before in their order, by which pairs were chosen; name a launcher that keeps it, such as "
                      "'mpirun --map-by ppr:1:node' with the same hosts, or another directory");
  screening_.add(times_of(launch, series_, screening_.next()));
}

std::vector<std::string> LinkScreening::notes() const {
  const std::string what = "screening of '" + series_ + "' between " + counted(fabric_.nodes.size(), "node");
  if (!is_done())
    return {what + " is not done: launch " + std::to_string(phase() + 1) + " is missing; the same command continues"};
  const ScreeningReport report = screening_.report();
  const auto found = findings();
  const auto nodes = static_cast<double>(fabric_.nodes.size());
  std::vector<std::string> notes;
  notes.push_back(
      what + ": " + std::to_string(report.tests) + " tests of pairs, " +
      rounded(static_cast<double>(report.tests) / nodes) + " for each node, in " + counted(report.rounds, "round") +
      "; a test varies by " + percent(report.scale) + ", so that a node's effect is known within " +
      percent(report.node_error) + " before confirmation; " + counted(report.suspects.size(), "suspect") +
      " tested again, of which slow: " + std::to_string(report.slow().size()) + "; nodes lost or without times: " +
      std::to_string(std::ranges::count(found, cluster::Screened::lacking, &cluster::ScreenedUnit::verdict)));
  notes.push_back(
      "not seen by the screening of '" + series_ + "': " + percent(report.tested_share) +
      " of all pairs of nodes were tested; one single pair that takes twice as long is missed with probability " +
      percent(report.missed_pair(2)));
  return notes;
}

std::vector<cluster::ScreenedUnit> LinkScreening::findings() const {
  std::vector<cluster::ScreenedUnit> found;
  const auto add_lacking = [&](std::size_t node, const std::string& reason) {
    found.push_back({series_, cluster::Screened::lacking, fabric_.nodes.at(node), {}, {}, 1, {}, reason});
  };
  for (const std::size_t node : lost_) add_lacking(node, "lost in a launch, as the launcher says");
  if (!is_done()) return found;
  const ScreeningReport report = screening_.report();
  std::ranges::move(units_of(fabric_, series_, report, ScreenVerdict::slow), std::back_inserter(found));
  for (const LackingNode& node : report.lacking)
    if (std::ranges::find(lost_, node.node) == lost_.end())
      add_lacking(node.node, "no times in " + std::to_string(node.without) + " of " + counted(node.tests, "test"));
  std::ranges::move(units_of(fabric_, series_, report, ScreenVerdict::unclear), std::back_inserter(found));
  return found;
}

bool LinkScreening::has_deviating() const {
  if (!lost_.empty()) return true;
  if (!is_done()) return false;
  const ScreeningReport report = screening_.report();
  return !report.slow().empty() || !report.lacking.empty();
}

}  // namespace assay
