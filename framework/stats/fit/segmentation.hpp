// SPDX-License-Identifier: Apache-2.0
// The best division of several quantities' estimates into so many straight pieces.
#pragma once
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "stats/fit/line_fit.hpp"

namespace assay {

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
