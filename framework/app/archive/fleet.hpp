// SPDX-License-Identifier: Apache-2.0
// The nodes of a fleet over weeks: which are bad again and again, and since when.
#pragma once
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/archive/store.hpp"
#include "app/results/listing.hpp"
#include "stats/comparison/offenders.hpp"

namespace assay::history {

/// What measured several nodes at one time: a campaign of `assay cluster`, or the campaigns of one day (UTC) that asked
/// for the same on several nodes.
struct Round {
  std::string started;  ///< of its first campaign, UTC
  std::size_t campaign = 0;
};

/// A result of one node in a round.
struct OfNode {
  std::string node;
  std::size_t round = 0;
  std::size_t campaign = 0;  ///< index of the entry that it is from
  Found found;               ///< its place is without the node
};

/// A fleet's results. Of several that a round has of one node and place the last one counts.
struct Fleet {
  std::vector<Round> rounds;    ///< by date
  std::vector<OfNode> results;  ///< by round
};

/// What is a round where campaigns are of one node each.
enum class RoundBy : std::uint8_t { day, campaign };

/// Headlines of usual results with their nodes: the level `node` of a point, else the campaign's own node.
Fleet fleet_of(const std::vector<Entry>& entries, const std::vector<Dated>& results, RoundBy by = RoundBy::day);

/// Relative difference from the other nodes above which a node is slow; nodes of one model differ by a few per cent.
inline constexpr double fleet_margin = 0.10;
/// Nodes of a round with a number at a place, below which none of them is judged.
inline constexpr std::size_t fewest_nodes = 4;
/// What a node that lacks a result that the others have counts as: so many times as long.
inline constexpr double lacking_ratio = 2;

/// How a node stood at one place in one round.
struct Deviation {
  std::size_t round = 0;
  std::size_t place = 0;    ///< index into FleetReport::places
  double ratio = 1;         ///< to the median of the nodes: above 1 is worse, for rates too
  Interval interval;        ///< of the ratio, by the node's own
  bool is_lacking = false;  ///< it failed, or was too noisy, where most others have a number
  bool is_bad = false;      ///< lacking; or worse with its whole interval beyond the margin, and by more than three
                            ///< times the spread of the nodes (1.4826 times the median absolute deviation)
};

/// Since when a node is bad, and where.
struct FirstBad {
  std::string started;  ///< of the round
  std::size_t place = 0;
  double before = std::numeric_limits<double>::quiet_NaN();  ///< ratio until then; NaN: bad from the start
  double after = 1;
  double p = std::numeric_limits<double>::quiet_NaN();  ///< of the change
  std::string well_again;  ///< the round from which on it is no longer bad; empty: bad to the end
};

/// How every node stood in every round, by node; and the places that `Deviation::place` counts.
struct Deviations {
  std::vector<PlaceOfResult> places;
  std::map<std::string, std::vector<Deviation>> by_node;
  std::size_t rounds = 0;     ///< in which nodes were judged
  std::size_t too_small = 0;  ///< with fewer nodes than can be judged
};
Deviations deviations_of(const Fleet& fleet);

/// A node over all rounds.
struct NodeHistory {
  std::string node;
  Offences rounds;  ///< in which it was judged, and was bad somewhere
  OffenceFinding finding;
  bool is_offender = false;
  double how_bad = std::numeric_limits<double>::quiet_NaN();  ///< median over bad rounds of the worst ratio in each
  int lacking = 0;                                            ///< rounds in which it lacked something
  std::vector<std::size_t> places;                            ///< where it was bad, the most frequent first
  std::optional<FirstBad> first_bad;
};

/// What is said of a fleet.
struct FleetReport {
  std::vector<PlaceOfResult> places;
  std::vector<NodeHistory> nodes;  ///< offenders first, those with the largest certain share first
  std::size_t rounds = 0;
  std::size_t too_small = 0;
};

/// Judges each node against the others of each round, then over all rounds: an offender was bad in two rounds or more,
/// and more often than chance and the others allow at `alpha` (test_offences). Its first bad day is where change points
/// (change_points(), at `alpha` over all its places) part the ratios into a level within the margin and one beyond it.
FleetReport report_on(const Fleet& fleet, double alpha);

/// A report as rows of kind `fleet`, one for each node.
Listing fleet_listing(const FleetReport& report);
/// Writes a report as a table, and what is left to say below it.
void print_fleet(std::ostream& out, const FleetReport& report, double alpha);

/// Apache Otava's file of one node: `time`, `host`, `version`, `marks` and a column for each result, a row for each
/// round. Otava reads no empty cells: the columns are the results that more than half of the rounds have, the rows the
/// rounds that have all of these. Returns sentences on what is left out. Writes nothing where the fleet has no such
/// node.
std::vector<std::string> write_node_otava(std::ostream& out, const std::vector<Entry>& entries, const Fleet& fleet,
                                          const std::string& node);

}  // namespace assay::history
