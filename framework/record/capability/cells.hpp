// SPDX-License-Identifier: Apache-2.0
// The results of sync/line that the capability model is fitted to.
#pragma once
#include <string>
#include <vector>

#include "record/grouping.hpp"

namespace assay::capability {

/// Factors of the measurements, and those that name parameters in the records.
inline constexpr const char* operation_factor = "operation";
inline constexpr const char* line_factor = "line";
inline constexpr const char* holder_factor = "holder";
inline constexpr const char* placement_factor = "placement";
inline constexpr const char* members_factor = "members";
inline constexpr const char* sharers_factor = "sharers";
inline constexpr const char* distance_factor = "distance";

/// One result: an access of an operation to a line in a state at a placement.
struct Cell {
  Point point;    ///< with the distance of the members in ns, where results of the machine were taken at several
  Point machine;  ///< the levels that have no place in the model: one model for each
  std::string operation;
  std::string line;
  std::string holder;
  std::string placement;
  int members = 1;
  double distance = 0;  ///< ns, reference round trip of the members; 0: none was taken
  Estimate time;

  /// Whether a cache of the accessing member has the line.
  bool is_local() const { return line != "invalid" && holder != "other"; }
  /// How many other members lose a copy of a line that the accessing member has, too; 0 where the access leaves them.
  int invalidated() const;
};

/// Those of dependent accesses whose time has an interval, at each distance of the members by itself.
std::vector<Cell> accesses_of(const std::vector<SeriesGroup>& groups);
/// Those of sync/line_contended: time is per operation of all members.
std::vector<Cell> contended_of(const std::vector<SeriesGroup>& groups);

}  // namespace assay::capability
