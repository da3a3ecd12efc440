// SPDX-License-Identifier: Apache-2.0
// A straight line through points some of which are far off it.
#pragma once
#include <optional>
#include <span>

namespace assay {

/// A point.
struct Dot {
  double x = 0;
  double y = 0;
};

/// The slope of a line, and what is known of it.
struct RankLine {
  double slope = 0;
  double error = 0;   ///< its standard error
  double middle = 0;  ///< median of the abscissas
};

/// The rank regression line (Jaeckel 1972; with Wilcoxon scores): its slope is the median of those of all pairs of
/// points, each weighted with the distance of their abscissas. Points that are off, less than a quarter of them, move
/// it little; its standard error is that of least squares over 0.98, for normal residuals, whose deviation is estimated
/// by the median of the absolute ones. Of more than 100 points every so many are taken, in the order given. Nothing
/// with fewer than three, or where all have one abscissa.
std::optional<RankLine> rank_line(std::span<const Dot> dots);

/// A point over two abscissas, and its slopes over both.
struct PlaneDot {
  double first = 0;
  double second = 0;
  double y = 0;
};
struct RankPlane {
  std::optional<RankLine> first;
  std::optional<RankLine> second;
};

/// Both slopes in turn, each of what the other one leaves. Their errors hold where the abscissas are hardly correlated.
RankPlane rank_plane(std::span<const PlaneDot> dots);

}  // namespace assay
