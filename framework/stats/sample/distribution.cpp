// SPDX-License-Identifier: Apache-2.0
// Quantiles and probabilities of the standard distributions; the one place that includes those of Boost.Math.
#include "stats/sample/distribution.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/binomial.hpp>

#include "stats/sample/summary.hpp"

namespace assay {

namespace {

/// In double throughout: long double, which Boost takes for more digits than any statistic here has, is many times
/// slower, and tables for it are computed at the start of every process, a worker's as well.
using InDouble = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
using InfiniteAtMost =
    boost::math::policies::policy<boost::math::policies::promote_double<false>,
                                  boost::math::policies::overflow_error<boost::math::policies::ignore_error>>;
using Normal = boost::math::normal_distribution<double, InDouble>;
using Student = boost::math::students_t_distribution<double, InDouble>;
using ChiSquare = boost::math::chi_squared_distribution<double, InDouble>;
using Fisher = boost::math::fisher_f_distribution<double, InDouble>;
using Binomial = boost::math::binomial_distribution<double, InDouble>;

}  // namespace

double normal_quantile(double p) { return boost::math::quantile(Normal{}, p); }

double normal_above(double x) { return boost::math::cdf(boost::math::complement(Normal{}, x)); }

double student_quantile(double p, double degrees_of_freedom) {
  return boost::math::quantile(Student{degrees_of_freedom}, p);
}

double chi_square_above(double x, double degrees_of_freedom) {
  const ChiSquare law{degrees_of_freedom};
  return boost::math::cdf(boost::math::complement(law, std::max(0.0, x)));
}

double fisher_above(double x, double numerator_freedom, double denominator_freedom) {
  const Fisher law{numerator_freedom, denominator_freedom};
  return boost::math::cdf(boost::math::complement(law, std::max(0.0, x)));
}

double binomial_cdf(int k, int n, double p) {
  if (k < 0) return 0;
  if (k >= n) return 1;
  return boost::math::cdf(Binomial{static_cast<double>(n), p}, static_cast<double>(k));
}

double binomial_coefficient(std::size_t n, std::size_t k) {
  return boost::math::binomial_coefficient<double>(static_cast<unsigned>(n), static_cast<unsigned>(k),
                                                   InfiniteAtMost{});
}

}  // namespace assay
