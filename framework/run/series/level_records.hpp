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

/// For each plateau "NAME.L2.latency" with the quantity's own name, named by the known level that it shows
/// (known_levels_of), and "NAME.L2.size", the largest abscissa on it, whose interval ends at the first one beyond; the
/// last beyond all known levels is "NAME.main.latency". What shows no known level, or one that a longer plateau shows,
/// is called by its number, "NAME.level3.latency", and its formula says where it lies. A value that is not valid, with
/// the reason, is the latency of a known level (and of main memory) that does not show, and a size that is not known to
/// within `widest_end`.
std::vector<DerivedRecord> level_records(const LevelSearch& search, const Estimates& curve);

}  // namespace assay
