// SPDX-License-Identifier: Apache-2.0
// The slope of a line through estimates, by weighted least squares.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <vector>

#include "stats/fit/derive.hpp"
#include "stats/fit/line_fit.hpp"
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

}  // namespace assay
