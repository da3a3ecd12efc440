// SPDX-License-Identifier: Apache-2.0
// The generalised Pareto law, continuous at shape 0.
#include "stats/tail/pareto_law.hpp"

#include <cmath>

namespace assay {

namespace {
constexpr double nearly_zero = 1e-9;  // below it the next term of the series is lost in a double
}

double excess_of(double theta, double w) {
  return std::abs(theta * w) < nearly_zero ? w : std::expm1(theta * w) / theta;
}

double ParetoLaw::above(double y) const {
  if (y <= 0) return 1;
  const double ratio = shape * y / scale;
  if (ratio <= -1) return 0;
  if (std::abs(ratio) < nearly_zero) return std::exp(-y / scale);
  return std::exp(-std::log1p(ratio) / shape);
}

double ParetoLaw::excess_at(double probability) const {
  return excess_of(shape / scale, -scale * std::log(probability));
}

}  // namespace assay
