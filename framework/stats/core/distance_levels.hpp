// SPDX-License-Identifier: Apache-2.0
// The levels that distances between members fall on, and which of them a visit was at.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace assay {

/// Distances of members, by their reference round trips, that differ by more than this factor are two.
inline constexpr double same_distance = 1.25;

/// By which factor two distances differ, 1 or more; 1 where one is not known, being 0.
double factor_between(double a, double b);

/// As a level is named.
double in_three_digits(double value);

/// Where distances are densest, and how many of them lie there.
struct DistanceLevel {
  double middle = 0;  ///< their median, in three digits; ns
  std::size_t visits = 0;
};

/// The levels of distances in ns, ascending; those that are not above 0 are left out. A level is a mode of their
/// logarithms: between it and each denser one lies a place with less than half as many around it, so that what a
/// neighbour delayed joins no two levels, however many visits there are. Besides the densest, levels have three visits
/// and 3 % of all at the least: fewer are delays that happen to be alike.
std::vector<DistanceLevel> distance_levels(std::span<const double> distances);

/// The middle of the level that a distance is at: the nearest by ratio, if within `same_distance`; 0 where it is at
/// none.
double level_at(std::span<const DistanceLevel> levels, double distance);

}  // namespace assay
