// SPDX-License-Identifier: Apache-2.0
// Quantiles and probabilities of the standard distributions; the one place that includes Boost.Math.
#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

#include "stats/fisher.hpp"
#include "stats/summary.hpp"

namespace assay {

double normal_quantile(double p) { return boost::math::quantile(boost::math::normal{}, p); }

double student_quantile(double p, double degrees_of_freedom) {
  return boost::math::quantile(boost::math::students_t{degrees_of_freedom}, p);
}

double chi_square_above(double x, double degrees_of_freedom) {
  const boost::math::chi_squared law{degrees_of_freedom};
  return boost::math::cdf(boost::math::complement(law, std::max(0.0, x)));
}

double fisher_above(double x, double numerator_freedom, double denominator_freedom) {
  const boost::math::fisher_f law{numerator_freedom, denominator_freedom};
  return boost::math::cdf(boost::math::complement(law, std::max(0.0, x)));
}

double binomial_cdf(int k, int n, double p) {
  if (k < 0) return 0;
  if (k >= n) return 1;
  return boost::math::cdf(boost::math::binomial{static_cast<double>(n), p}, static_cast<double>(k));
}

}  // namespace assay
