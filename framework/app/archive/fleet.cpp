// SPDX-License-Identifier: Apache-2.0
// Nodes over all rounds: offences, and where their level changed.
#include "app/archive/fleet.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace assay::history {
namespace {

constexpr double least_alpha = 0.001;  // changes are sought among 2000 orders
constexpr int fewest_offences = 2;

// What a node was like at one place, by round.
std::vector<Deviation> at_place(const std::vector<Deviation>& all, std::size_t place) {
  std::vector<Deviation> found;
  for (const Deviation& one : all)
    if (one.place == place) found.push_back(one);
  return found;
}

/// A part of a node's rounds with one level.
struct Segment {
  std::size_t first = 0;  ///< index of the first value
  double level = 1;
  double p = std::numeric_limits<double>::quiet_NaN();  ///< of the change that it begins with
  bool is_bad() const { return level > 1 + fleet_margin; }
};

std::vector<Segment> segments_of(const std::vector<Deviation>& values, double alpha) {
  std::vector<KnownValue> known;
  std::vector<double> ratios;
  for (const Deviation& one : values) {
    known.push_back({one.ratio, one.interval});
    ratios.push_back(one.ratio);
  }
  const auto changes = change_points(known, {alpha, usual_margin});
  std::vector<Segment> segments{{0, changes.empty() ? median(ratios) : changes.front().before}};
  for (const ChangePoint& change : changes) segments.push_back({change.at, change.after, change.p});
  return segments;
}

// The first bad level of a node at one place; nothing where it has none.
std::optional<FirstBad> first_bad_at(const Fleet& fleet, const std::vector<Deviation>& values, std::size_t place,
                                     double alpha) {
  const auto segments = segments_of(values, alpha);
  const auto bad = std::ranges::find_if(segments, &Segment::is_bad);
  if (bad == segments.end()) return std::nullopt;
  const auto date = [&](const Segment& segment) { return fleet.rounds[values[segment.first].round].started; };
  FirstBad found;
  found.started = date(*bad);
  found.place = place;
  if (bad != segments.begin()) found.before = std::prev(bad)->level;
  found.after = bad->level;
  found.p = bad->p;
  const auto well = std::find_if(bad, segments.end(), [](const Segment& one) { return !one.is_bad(); });
  if (well != segments.end()) found.well_again = date(*well);
  return found;
}

// The earliest over the places where it was bad.
std::optional<FirstBad> first_bad_of(const Fleet& fleet, const std::vector<Deviation>& all,
                                     const std::vector<std::size_t>& places, double alpha) {
  const double each = std::max(least_alpha, alpha / static_cast<double>(std::max<std::size_t>(1, places.size())));
  std::optional<FirstBad> first;
  for (const std::size_t place : places) {
    const auto found = first_bad_at(fleet, at_place(all, place), place, each);
    if (found && (!first || found->started < first->started)) first = found;
  }
  return first;
}

// Places where it was bad, the most frequent first.
std::vector<std::size_t> bad_places(const std::vector<Deviation>& all) {
  std::map<std::size_t, int> counts;
  for (const Deviation& one : all)
    if (one.is_bad) ++counts[one.place];
  std::vector<std::size_t> places;
  for (const auto& [place, count] : counts) places.push_back(place);
  std::ranges::stable_sort(places, std::greater<>(), [&](std::size_t place) { return counts[place]; });
  return places;
}

// All but what takes the other nodes to say.
NodeHistory history_of(const std::string& node, const std::vector<Deviation>& all) {
  NodeHistory found;
  found.node = node;
  std::set<std::size_t> rounds;
  std::set<std::size_t> lacking;
  std::map<std::size_t, double> worst;
  for (const Deviation& one : all) {
    rounds.insert(one.round);
    if (one.is_lacking) lacking.insert(one.round);
    if (one.is_bad) worst[one.round] = std::max(worst[one.round], one.ratio);
  }
  found.rounds = {static_cast<int>(worst.size()), static_cast<int>(rounds.size())};
  found.lacking = static_cast<int>(lacking.size());
  std::vector<double> ratios;
  for (const auto& [round, ratio] : worst)
    if (!lacking.contains(round)) ratios.push_back(ratio);
  if (!ratios.empty()) found.how_bad = median(ratios);
  found.places = bad_places(all);
  return found;
}

bool goes_before(const NodeHistory& a, const NodeHistory& b) {
  if (a.is_offender != b.is_offender) return a.is_offender;
  if (a.finding.share.low != b.finding.share.low) return a.finding.share.low > b.finding.share.low;
  if (a.rounds.bad != b.rounds.bad) return a.rounds.bad > b.rounds.bad;
  return a.node < b.node;
}

}  // namespace

FleetReport report_on(const Fleet& fleet, double alpha) {
  Deviations found = deviations_of(fleet);
  FleetReport report{std::move(found.places), {}, found.rounds, found.too_small};
  std::vector<Offences> offences;
  for (const auto& [node, all] : found.by_node) {
    report.nodes.push_back(history_of(node, all));
    offences.push_back(report.nodes.back().rounds);
  }
  const auto findings = test_offences(offences);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    NodeHistory& node = report.nodes[i];
    node.finding = findings[i];
    node.is_offender = findings[i].adjusted_p <= alpha && node.rounds.bad >= fewest_offences;
    if (node.is_offender) node.first_bad = first_bad_of(fleet, found.by_node[node.node], node.places, alpha);
  }
  std::ranges::stable_sort(report.nodes, goes_before);
  return report;
}

}  // namespace assay::history
