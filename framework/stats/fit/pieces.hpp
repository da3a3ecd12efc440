// SPDX-License-Identifier: Apache-2.0
// Piecewise straight lines through estimates of several quantities over one factor: where the law changes, and the
// lines between.
#pragma once
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "stats/fit/line_fit.hpp"
#include "stats/fit/propagation.hpp"

namespace assay {

/// The line of one quantity over one piece. Neither parameter is valid where fewer than three abscissas of the piece
/// have a usable estimate of it; the reason is in both.
struct PieceLine {
  Derived intercept;
  Derived slope;
};

/// A range of the factor over which every quantity is a line.
struct Piece {
  double first = 0;  ///< least abscissa that belongs to it
  double last = 0;   ///< largest one
  Interval start;    ///< where the law changed: from the last abscissa that may belong to the piece before to the first
                     ///< that cannot. Of the first piece its least abscissa, exactly
  std::vector<PieceLine> lines{};  ///< one per quantity, in their order
};

/// Standard error, relative to the value, below which no estimate is believed: differences of a thousandth are not
/// taken for another law.
inline constexpr double least_relative_error = 0.001;

/// The pieces of the quantities, in ascending order; their breaks are common to all, because a protocol that changes
/// changes for all. Empty when no quantity has three usable abscissas.
///
/// Segmentation: for each number of pieces the one with the least sum of squared residuals, each relative to the error
/// that the estimate's interval implies (dynamic programming: Bellman and Roth, Journal of the American Statistical
/// Association 64, 1969; Bai and Perron, Journal of Applied Econometrics 18, 2003). A further break, or two at once,
/// are accepted where the gain is beyond what noise gives the best of all places by chance: F test, divided by the
/// number of places, at `alpha`. Where a quantity scatters about its neighbours by more than its intervals say, that
/// scatter (by its median, which breaks do not lift) is the noise. Each piece has three abscissas of one quantity at
/// least.
///
/// `start` holds the places at which the fit is worse by at most the 1 - alpha quantile of the likelihood ratio of a
/// break's place (Eo and Morley, Quantitative Economics 6, 2015).
///
/// Intervals of the lines are weighted least squares with t quantiles, the residual variance of a quantity pooled over
/// its pieces and not taken below what the intervals imply. Not refits by incarnation: points are measured by processes
/// of their own, so that an incarnation of one point has nothing in common with one of another. Throws
/// std::invalid_argument unless 0 < alpha < 1.
std::vector<Piece> pieces(std::span<const Estimates> quantities, double alpha);

/// Sum of squared residuals over squared errors, and how many parameters the lines have that left them.
struct Misfit {
  double residuals = 0;
  std::size_t parameters = 0;
  bool admissible = false;  ///< some quantity has enough abscissas for a line that could miss one

  /// What divisions are compared by: a parameter takes one residual away by itself, and must do better.
  double cost() const {
    return admissible ? residuals + 2 * static_cast<double>(parameters) : std::numeric_limits<double>::infinity();
  }
};

/// Usable estimates of one quantity, ascending, with an error for each.
struct Weighed {
  Estimates points;
  std::vector<double> errors;
};

/// Least-squares lines over every run of abscissas. A run is named by its first and last index.
class Segmentation {
 public:
  /// Fewest abscissas of one quantity in a piece.
  static constexpr std::size_t fewest = 3;

  explicit Segmentation(std::span<const Weighed> quantities);

  /// All abscissas, ascending; the indices of runs are theirs.
  const std::vector<double>& abscissas() const { return abscissas_; }
  std::size_t observations() const { return observations_; }
  const Misfit& misfit(std::size_t first, std::size_t last) const { return misfits_[first * abscissas_.size() + last]; }
  /// First indices of the pieces of the best division into `count`; nothing where there is none.
  std::optional<std::vector<std::size_t>> divided(std::size_t count) const;
  /// The sum over the pieces that begin there.
  Misfit misfit(const std::vector<std::size_t>& starts) const;

 private:
  std::vector<double> abscissas_;
  std::size_t observations_ = 0;
  std::vector<Misfit> misfits_;
};

}  // namespace assay
