// SPDX-License-Identifier: Apache-2.0
// The levels that a curve shows, as derived values, held against those that the machine says to have.
#pragma once
#include <vector>

#include "record/record.hpp"
#include "stats/fit/plateaus.hpp"

namespace assay {

/// What levels are searched in, and how the values are named.
struct LevelSearch {
  DerivedRecord like;               ///< series, group, regime and quantity of all; its name stands before theirs
  Unit unit = Unit::count;          ///< of the abscissas
  std::vector<KnownLevel> known{};  ///< ascending; beyond the last is main memory. None: nothing is known
  double alpha = 0.05;
};

/// For each plateau "NAME.level1.latency" with the quantity's own name and "NAME.level1.size", the largest abscissa on
/// it, whose interval ends at the first one beyond; the last beyond all known levels is "NAME.main.latency". For each
/// known level (and main memory) that does not show a value "NAME.L2" that is not valid, with the reason.
std::vector<DerivedRecord> level_records(const LevelSearch& search, const Estimates& curve);

}  // namespace assay
