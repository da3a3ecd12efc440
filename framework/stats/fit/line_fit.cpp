// SPDX-License-Identifier: Apache-2.0
// Weighted sums about the weighted means, which keep their digits over long ranges of abscissas. Boost.Accumulators has
// the means; its weighted covariance updates both at each point and rounds as often, and Boost.Math fits lines without
// weights only. Models by normal equations of a few parameters, whose echelon form shows which are determined.
#include "stats/fit/line_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "stats/fit/propagation.hpp"
#include "stats/sample/moments.hpp"
#include "stats/sample/summary.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

constexpr std::size_t fewest_abscissas = 3;

/// Why no slope can be had; empty when it can.
std::string flaw(std::span<const Abscissa> points) {
  std::set<double> abscissas;
  for (const Abscissa& point : points) {
    if (std::string found = flaw_of(point); !found.empty()) return found;
    abscissas.insert(point.x);
  }
  if (abscissas.size() >= fewest_abscissas) return {};
  return counted(abscissas.size(), "different abscissa") + ", of at least " + std::to_string(fewest_abscissas);
}

}  // namespace

LineFit fit_line(std::span<const Abscissa> points, std::span<const double> errors) {
  const auto weight = [&](std::size_t i) { return 1 / (errors[i] * errors[i]); };
  WeightedMean abscissas;
  WeightedMean ordinates;
  for (std::size_t i = 0; i < points.size(); ++i) {
    abscissas(points[i].x, acc::weight = weight(i));
    ordinates(points[i].y.value, acc::weight = weight(i));
  }
  const double total = acc::sum_of_weights(abscissas);
  const double x = acc::weighted_mean(abscissas);
  const double y = acc::weighted_mean(ordinates);
  double xx = 0;
  double xy = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    xx += weight(i) * (points[i].x - x) * (points[i].x - x);
    xy += weight(i) * (points[i].x - x) * (points[i].y.value - y);
  }
  LineFit fit{.slope = xy / xx, .intercept_factor = 1 / total + x * x / xx, .slope_factor = 1 / xx};
  fit.intercept = y - fit.slope * x;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double residual = points[i].y.value - y - fit.slope * (points[i].x - x);
    fit.residuals += weight(i) * residual * residual;
  }
  return fit;
}

std::vector<double> implied_errors(std::span<const Abscissa> points) {
  std::vector<double> errors;
  double smallest = std::numeric_limits<double>::infinity();
  for (const Abscissa& point : points) {
    const Interval& interval = point.y.interval;
    const double z = normal_quantile(0.5 + std::min(interval.level, 0.999999) / 2);
    errors.push_back((interval.high - interval.low) / 2 / z);
    if (errors.back() > 0) smallest = std::min(smallest, errors.back());
  }
  if (std::isinf(smallest)) return errors;
  for (double& error : errors) error = std::max(error, smallest);
  return errors;
}

std::string flaw_of(const Abscissa& point) {
  const std::string name = "the point at " + rounded(point.x);
  if (!std::isfinite(point.x)) return "an abscissa is not finite";
  if (!std::isfinite(point.y.value)) return name + " is not a finite number";
  if (!point.y.interval.available()) return name + " has no interval";
  if (!std::isfinite(point.y.interval.high - point.y.interval.low)) return "the interval of " + name + " is not finite";
  return {};
}

Derived slope(std::span<const Abscissa> points, double alpha) {
  if (!(alpha > 0 && alpha < 1)) throw std::invalid_argument("alpha of a slope lies between 0 and 1");
  if (std::string found = flaw(points); !found.empty()) return not_derived(std::move(found));
  std::vector<double> errors = implied_errors(points);
  // The variance of an observation of weight 1 that the intervals imply: none where no interval has a width.
  const double implied = errors.front() > 0 ? 1 : 0;
  if (implied == 0) std::ranges::fill(errors, 1.0);
  const LineFit line = fit_line(points, errors);
  const auto freedom = static_cast<double>(points.size() - 2);
  const double variance = std::max(implied, line.residuals / freedom);
  const double half = student_quantile(1 - alpha / 2, freedom) * std::sqrt(variance * line.slope_factor);
  return {line.slope, {line.slope - half, line.slope + half, 1 - alpha}, true, {}};
}

namespace {

using Matrix = std::vector<std::vector<double>>;

constexpr double negligible_diagonal = 1e-9;  // of factors that are of the order of 1

// Reduces to echelon form in place, with pivots chosen in the first `columns`; the pivots' columns by row.
std::vector<std::size_t> reduce(Matrix& rows, std::size_t columns) {
  std::vector<std::size_t> pivots;
  for (std::size_t column = 0; column < columns && pivots.size() < rows.size(); ++column) {
    const std::size_t at = pivots.size();
    const auto first = rows.begin() + static_cast<std::ptrdiff_t>(at);
    const auto largest = std::max_element(
        first, rows.end(), [&](const auto& a, const auto& b) { return std::abs(a[column]) < std::abs(b[column]); });
    if (std::abs((*largest)[column]) < negligible_diagonal) continue;
    std::swap(*first, *largest);
    const double pivot = rows[at][column];
    for (double& entry : rows[at]) entry /= pivot;
    for (std::size_t other = 0; other < rows.size(); ++other) {
      const double share = rows[other][column];
      if (other == at || share == 0) continue;
      for (std::size_t i = 0; i < rows[other].size(); ++i) rows[other][i] -= share * rows[at][i];
    }
    pivots.push_back(column);
  }
  return pivots;
}

// The columns that a basic solution has, and whether each parameter is the same in all solutions.
struct Determined {
  std::vector<std::size_t> basic;
  std::vector<bool> is_unique;
};

Determined determined(std::span<const ModelRow> rows, std::size_t parameters) {
  Matrix echelon;
  for (const ModelRow& row : rows) echelon.push_back(row.factors);
  Determined found{reduce(echelon, parameters), std::vector<bool>(parameters, false)};
  for (std::size_t at = 0; at < found.basic.size(); ++at) {
    const auto others = std::count_if(echelon[at].begin(), echelon[at].end(),
                                      [](double entry) { return std::abs(entry) >= negligible_diagonal; });
    found.is_unique[found.basic[at]] = others == 1;
  }
  return found;
}

// Solution and inverse of the normal equations of the basic parameters, scaled to a diagonal of 1.
struct Solution {
  std::vector<double> values;
  std::vector<double> variances;
};

Solution solve(std::span<const ModelRow> rows, std::span<const double> errors, const std::vector<std::size_t>& basic) {
  const std::size_t n = basic.size();
  Matrix equations(n, std::vector<double>(2 * n + 1));
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t i = 0; i < n; ++i) {
      const double weighted = rows[r].factors[basic[i]] / (errors[r] * errors[r]);
      for (std::size_t j = 0; j < n; ++j) equations[i][j] += weighted * rows[r].factors[basic[j]];
      equations[i][2 * n] += weighted * rows[r].y.value;
    }
  std::vector<double> scale;
  for (std::size_t i = 0; i < n; ++i) scale.push_back(std::sqrt(equations[i][i]));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) equations[i][j] /= scale[i] * scale[j];
    equations[i][2 * n] /= scale[i];
    equations[i][n + i] = 1;
  }
  reduce(equations, n);
  Solution solution;
  for (std::size_t i = 0; i < n; ++i) {
    solution.values.push_back(equations[i][2 * n] / scale[i]);
    solution.variances.push_back(equations[i][n + i] / (scale[i] * scale[i]));
  }
  return solution;
}

void check(std::span<const ModelRow> rows, std::size_t parameters, double alpha) {
  if (!(alpha > 0 && alpha < 1)) throw std::invalid_argument("alpha of a model lies between 0 and 1");
  for (const ModelRow& row : rows) {
    if (row.factors.size() != parameters) throw std::invalid_argument("a row has another number of factors");
    if (std::string flaw = flaw_of({0, row.y}); !flaw.empty()) throw std::invalid_argument("of a model " + flaw);
  }
}

std::vector<double> errors_of(std::span<const ModelRow> rows) {
  std::vector<Abscissa> estimates;
  for (const ModelRow& row : rows) estimates.push_back({0, row.y});
  std::vector<double> errors = implied_errors(estimates);
  // None has a width: weights are equal, and nothing is implied.
  if (!errors.empty() && errors.front() == 0) std::ranges::fill(errors, 1.0);
  return errors;
}

}  // namespace

LinearModel fit_linear(std::span<const ModelRow> rows, std::size_t parameters, double alpha) {
  check(rows, parameters, alpha);
  const std::vector<double> errors = errors_of(rows);
  const Determined found = determined(rows, parameters);
  const Solution solution = solve(rows, errors, found.basic);
  LinearModel model;
  double squares = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    double fitted = 0;
    for (std::size_t i = 0; i < found.basic.size(); ++i) fitted += rows[r].factors[found.basic[i]] * solution.values[i];
    const double residual = (rows[r].y.value - fitted) / errors[r];
    squares += residual * residual;
    model.fitted.push_back(fitted);
  }
  const auto freedom = static_cast<double>(rows.size() - found.basic.size());
  model.misfit = freedom > 0 ? std::sqrt(squares / freedom) : std::numeric_limits<double>::quiet_NaN();
  const double quantile = freedom > 0 ? student_quantile(1 - alpha / 2, freedom) : normal_quantile(1 - alpha / 2);
  const double inflation = freedom > 0 ? std::max(1.0, model.misfit) : 1.0;
  model.parameters.assign(parameters, not_derived("what was measured does not determine it"));
  for (std::size_t i = 0; i < found.basic.size(); ++i) {
    if (!found.is_unique[found.basic[i]]) continue;
    const double half = quantile * inflation * std::sqrt(solution.variances[i]);
    model.parameters[found.basic[i]] = {
        solution.values[i], {solution.values[i] - half, solution.values[i] + half, 1 - alpha}, true, {}};
  }
  return model;
}

}  // namespace assay
