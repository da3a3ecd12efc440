// SPDX-License-Identifier: Apache-2.0
// Results of units that should be equal (nodes of a cluster, CPUs of a node) and of the links between nodes, judged.
#pragma once
#include <cstddef>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "record/grouping.hpp"
#include "stats/outliers.hpp"

namespace assay::cluster {

/// A point with its primary quantity in the regime that most points of its table were mostly in.
struct Cell {
  const PointRecord* point = nullptr;
  const Result* result = nullptr;  ///< nullptr where the point has none in that regime
};

/// A node or CPU.
struct UnitRow {
  std::string name;
  Cell cell;         ///< empty where only its links were measured
  double value = 0;  ///< headline, or the better quartile of its links' headlines; NaN without any
  UnitFinding finding;
};

/// A measured pair, in the order of its levels `node` and `peer`.
struct Link {
  std::size_t from = 0;  ///< index of the row
  std::size_t to = 0;
  Cell cell;
  UnitFinding finding;       ///< unclear without a reason where it was not judged
  bool has_odd_end = false;  ///< not judged: one of its nodes is the odd one
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
