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

/// What is known of the gap between two neighbouring nodes.
struct Gap {
  double low = 0;
  double high = 0;
  double width = 0;    ///< on the axis' scale
  double error = 0;    ///< estimated relative error of the interpolant, less one standard deviation of noise
  double certain = 0;  ///< the same, less two standard deviations: what decides about stopping
  bool jump = false;   ///< too narrow to split, and missed from every side by more than the tolerance
  /// Worth of splitting: error plus a little for exploring, times width^0.75.
  double key() const;
};

/// Assesses all gaps. For a gap [b, c] the neighbours beyond b and c are extrapolated across it; the mean of both
/// misses, less their noise, is the error. Neighbours beyond a jump say nothing about a gap and are not used.
std::vector<Gap> assess(std::span<const Node> nodes, Basis basis, const Axis& axis, double tolerance);

}  // namespace assay
