// SPDX-License-Identifier: Apache-2.0
// A model that is linear in its parameters, fitted to estimates by weighted least squares.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "stats/fit/derive.hpp"

namespace assay {

/// One estimate, and what each parameter is multiplied with in it.
struct ModelRow {
  std::vector<double> factors;
  Estimate y;
};

/// What was fitted.
struct LinearModel {
  std::vector<Derived> parameters;  ///< not valid where the rows do not determine it
  std::vector<double> fitted;       ///< by row
  double misfit = 0;  ///< residuals over errors, root mean square by degrees of freedom; NaN where there are none
};

/// The parameters that minimize the squared residuals, each over the variance that the interval of its estimate implies
/// (implied_errors). Intervals are t intervals on as many degrees of freedom as there are more rows than determined
/// parameters, normal ones where there are none; the variance is not taken below what the intervals imply, so that
/// where the model fits badly its parameters are known badly. A parameter is determined where the rows span its axis.
/// Throws std::invalid_argument unless 0 < alpha < 1, all rows have `parameters` factors, and all estimates have
/// intervals.
LinearModel fit_linear(std::span<const ModelRow> rows, std::size_t parameters, double alpha);

}  // namespace assay
