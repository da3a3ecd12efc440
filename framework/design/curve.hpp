// SPDX-License-Identifier: Apache-2.0
// A measured curve y(x): interpolation in two bases, and what extrapolating its neighbours says about each gap.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "design/axis.hpp"

namespace assay {

/// A usable point of a curve; `sigma` is the standard deviation of y.
struct Node {
  double x = 0;
  double y = 0;
  double sigma = 0;
};

/// In which coordinates the curve is taken to be straight between its points.
enum class Basis : std::uint8_t { linear, logarithmic };

/// The interpolant at x (at least two nodes, ascending; beyond the ends the outer segments are continued).
double interpolate(std::span<const Node> nodes, double x, Basis basis);
/// The basis with the smaller leave-one-out error, weighted with the widths; linear where logarithms do not exist.
Basis choose_basis(std::span<const Node> nodes, const Axis& axis);

/// By how much a value misses the straight line through two others, and the standard deviation that the noise of all
/// three gives this miss; both relative to the curve.
struct Miss {
  double size = 0;
  double noise = 0;
  /// The part of the miss that so many standard deviations of noise do not explain.
  double beyond(double deviations) const;
};

/// What is known of the gap between two neighbouring nodes.
struct Gap {
  double low = 0;
  double high = 0;
  double width = 0;    ///< on the axis' scale
  double error = 0;    ///< estimated relative error of the interpolant, less one standard deviation of noise
  double certain = 0;  ///< the same, less two standard deviations: what decides about stopping
  double evident = 0;  ///< the same, less four: what is believed where the noise exceeds the tolerance
  double noise = 0;    ///< standard deviation of the misses, on average
  bool jump = false;   ///< too narrow to split, and missed from every side by more than the tolerance
  /// Worth of splitting: error plus a little for exploring, times width^0.75.
  double key() const;
};

/// Estimated errors below this are rounding, and not reported.
inline constexpr double smallest_told = 1e-6;

/// Which neighbours of a gap are extrapolated across it: all, or only those that are resolved.
enum class Neighbours : std::uint8_t { all, resolved };

/// Assesses all gaps. For a gap [b, c] the neighbours beyond b and c are extrapolated across it; the mean of both
/// misses, less their noise, is the error. A neighbour that is itself missed from every side by more than the tolerance
/// holds a jump or a bend that is not resolved yet: a line through its two ends says nothing about the gaps beside it,
/// and, with Neighbours::resolved, is used for them only where there is no other.
std::vector<Gap> assess(std::span<const Node> nodes, Basis basis, const Axis& axis, double tolerance,
                        Neighbours neighbours = Neighbours::resolved);
/// The logarithmic basis, linear where logarithms do not exist.
Basis logarithmic_if_positive(std::span<const Node> nodes);

/// The nodes that stand alone: away from their neighbours' interpolation by more than two standard deviations of noise,
/// while the curve without them is quiet there. Indices, ascending. A jump or a bend has no such node; a disturbed
/// value and a bump narrower than the gaps do.
std::vector<std::size_t> lone_peaks(std::span<const Node> nodes, Basis basis, double tolerance);

}  // namespace assay
