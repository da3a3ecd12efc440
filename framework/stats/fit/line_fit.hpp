// SPDX-License-Identifier: Apache-2.0
// Room: models fitted to results: lines, pieces, plateaus, LogP, and derived quantities with their errors.
// A straight line, and a model that is linear in its parameters, through estimates by weighted least squares, with the
// errors that their intervals imply.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "stats/fit/propagation.hpp"

namespace assay {

/// One quantity's estimates over a factor.
using Estimates = std::vector<Abscissa>;

/// A line, and what the variances of its parameters are multiples of: the variance of an observation of weight 1.
struct LineFit {
  double intercept = 0;
  double slope = 0;
  double intercept_factor = 0;
  double slope_factor = 0;
  double residuals = 0;  ///< sum of the squared residuals over the squared errors
};

/// The line through the points, each weighted with 1 / error^2. Needs two different abscissas and as many errors, all
/// positive, as points.
LineFit fit_line(std::span<const Abscissa> points, std::span<const double> errors);

/// Standard errors that the intervals imply under normality. Zeros are replaced by the smallest other one, because one
/// constant sample must not outweigh all others; all zeros stay.
std::vector<double> implied_errors(std::span<const Abscissa> points);

/// Why a point cannot lie on a fitted line; empty when it can.
std::string flaw_of(const Abscissa& point);

/// Slope of the weighted least-squares line through the points, with a t interval on n - 2 degrees of freedom whose
/// residual variance is not taken below what the intervals imply. A point's weight is 1 / s^2, s being the standard
/// error that its interval's width and level imply under normality; an interval without width takes the narrowest width
/// found, and without any width the weights are equal. Needs three different abscissas. Throws std::invalid_argument
/// unless 0 < alpha < 1.
Derived slope(std::span<const Abscissa> points, double alpha);

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
