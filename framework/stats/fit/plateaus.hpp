// SPDX-License-Identifier: Apache-2.0
// Where a curve over a geometric range of sizes stays at one value: the levels of a memory, say.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stats/fit/line_fit.hpp"
#include "stats/fit/propagation.hpp"

namespace assay {

/// A range of abscissas over which a curve stays at one value.
struct Plateau {
  double first = 0;  ///< least abscissa that lies on it
  double last = 0;   ///< largest one
  Derived level;     ///< geometric mean of the values on it, with a t interval of the logarithms
  Interval end;  ///< `last`, and the first abscissa that is beyond it for certain; not available on the last plateau
                 ///< of a curve that does not leave it
};

/// How far, relative to each other, the values of a plateau may lie apart besides their intervals.
inline constexpr double plateau_band = 0.08;
/// How far, relative to each other, the values of two plateaus lie apart at least: a smaller step, as pages that a
/// translation buffer does not hold make it, is taken for one of the same plateau.
inline constexpr double plateau_step = 0.2;

/// The plateaus of positive estimates over positive abscissas, in ascending order; values that cannot be used, or are
/// not known to within a quarter, are left out. A plateau holds two values at least, over a factor of two or more: what
/// rises by more than the band over that is a transition, and belongs to none.
///
/// Not a fit of straight pieces (stats/pieces): transitions have no common shape, and what is asked for is where there
/// is none. Of all ways to choose disjoint runs within the band, the one is taken that covers the longest range of the
/// logarithm of the abscissas with the fewest runs (dynamic programming); neighbours less than a step apart are then
/// made one. The interval's variance is that of the values about their mean and not below what their intervals imply.
/// Throws std::invalid_argument unless 0 < alpha < 1.
std::vector<Plateau> plateaus(const Estimates& estimates, double alpha);

/// How much a shoulder may rise over an octave, as a ratio.
inline constexpr double shoulder_rise = 1.35;

/// The flattest octave of a curve within (from, to], where it is no plateau and yet a level shows: as the lines of a
/// cache are displaced little by little, by pages that compete for its sets or by a neighbour that uses it too. It
/// rises by `shoulder_rise` at most, and the curve does by twice as much per octave (of the logarithm) before it and
/// behind it. The level is the geometric mean of its ends, and its interval reaches from the lower to the upper one's.
/// Nothing where there is none. Throws as plateaus does.
std::optional<Plateau> shoulder(const Estimates& estimates, double from, double to, double alpha);

/// How far apart the ends of the interval of a plateau's end may be, as a ratio: beyond it the end is not known.
inline constexpr double widest_end = 4;

/// What is known to be there: a level up to `last`, beyond the one before.
struct KnownLevel {
  std::string name;
  double last = 0;
};
/// A plateau that is of no known level.
inline constexpr std::size_t no_level = static_cast<std::size_t>(-1);
/// For each plateau the index of the known level (ascending) that it shows; `known.size()` beyond them, which the last
/// plateau of a curve also is that lies within them, and beyond them up to the end of the curve; `no_level` for one
/// that is of none. A plateau of a level ends with it, to within a fifth, and the larger part of it, by the logarithm,
/// is beyond the level before: what goes on beyond a level's end is not held in it.
std::vector<std::size_t> known_levels_of(std::span<const Plateau> found, std::span<const KnownLevel> known);

}  // namespace assay
