// SPDX-License-Identifier: Apache-2.0
// Room: tables and verdicts of nodes and links.
// Results of units that should be equal (nodes of a cluster, CPUs of a node) and of the links between nodes, judged.
#pragma once
#include <cstddef>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "record/grouping.hpp"
#include "stats/comparison/outliers.hpp"

namespace assay::cluster {

/// Differences too small to matter. Nodes of one model differ by a few per cent (Inadomi et al., Analyzing and
/// Mitigating the Impact of Manufacturing Variability in Power-Constrained Supercomputing, SC 2015); links do by how
/// many switches lie between their nodes, and by what others send at the same time.
inline constexpr double unit_margin = 0.10;
inline constexpr double link_margin = 0.25;
/// Probability that a report names anything that is well.
inline constexpr double report_alpha = 0.02;

/// A point with its primary quantity in the regime that most points of its table were mostly in.
struct Cell {
  const PointRecord* point = nullptr;
  const Result* result = nullptr;  ///< nullptr where the point has none in that regime
};

/// A node or CPU.
struct UnitRow {
  std::string name;
  Cell cell;         ///< empty where only its links were measured
  double value = 0;  ///< headline, or the median of its links' headlines; NaN without any
  UnitFinding finding;
};

/// A measured pair, in the order of its levels `node` and `peer`.
struct Link {
  std::size_t from = 0;  ///< index of the row
  std::size_t to = 0;
  Cell cell;
  UnitFinding finding;       ///< unclear without a reason where it was not judged
  bool has_odd_end = false;  ///< explained by that: one of its nodes is the deviating one
};

/// The points of a series that differ in their unit only.
struct Table {
  const SeriesGroup* series = nullptr;
  std::string factor;  ///< what names the units: "node", else "placement"
  Point common;        ///< the other levels
  std::vector<UnitRow> units;
  std::vector<Link> links;  ///< empty where points have no factor `peer`
};

/// The tables of all series that have a factor `node`, or placements on one CPU each. Borrows the groups. All verdicts
/// together are one report: their tests share its alpha.
std::vector<Table> tables_of(const std::vector<SeriesGroup>& groups);

/// Prints the links as a matrix, a row per node and a column per peer, with marks: S and F for slow and fast links
/// beside those of marks_of. Returns the latter, for the legend. Values are in the unit above the names of the rows.
std::string print_link_matrix(std::ostream& out, const Table& table);

}  // namespace assay::cluster
