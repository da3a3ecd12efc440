// SPDX-License-Identifier: Apache-2.0
// Fits the medians of visits with a line in time, each incarnation with its own level.
#include "stats/steadiness/steadiness.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "stats/sample/moments.hpp"
#include "stats/sample/summary.hpp"
#include "stats/sample/visits.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

constexpr double drift_alpha = 0.001;
constexpr double strongest_trend = 0.9;
/// Fitting a level and a slope makes neighbouring residuals look less alike than they are, by about this over n.
constexpr double fitted_away = 3;

/// Numbers less the mean of those of the same incarnation.
std::vector<double> centred(const std::vector<VisitSlice>& visits, std::vector<double> numbers) {
  std::map<int, Mean> means;
  for (std::size_t i = 0; i < visits.size(); ++i) means[visits[i].incarnation](numbers[i]);
  for (std::size_t i = 0; i < visits.size(); ++i) numbers[i] -= acc::mean(means[visits[i].incarnation]);
  return numbers;
}

/// Of numbers less their means. Boost.Accumulators has the covariance about one mean, and none of successive values.
double product(const std::vector<double>& a, const std::vector<double>& b, std::size_t lag = 0) {
  return std::inner_product(a.begin() + static_cast<std::ptrdiff_t>(lag), a.end(), b.begin(), 0.0);
}

/// The slope of a line through visits, per visit, and its standard error.
struct Trend {
  double slope = 0;
  double error = 0;
  double degrees = 0;
};

Trend trend_of(const std::vector<VisitSlice>& visits, const std::vector<double>& medians) {
  std::vector<double> times;
  for (std::size_t i = 0; i < visits.size(); ++i) times.push_back(static_cast<double>(i));
  const auto levels = std::count_if(visits.begin(), visits.end(), [](const VisitSlice& v) { return v.age == 0; });
  Trend trend;
  trend.degrees = static_cast<double>(visits.size()) - static_cast<double>(levels) - 1;
  times = centred(visits, times);
  std::vector<double> residuals = centred(visits, medians);
  const double spread = product(times, times);
  if (trend.degrees < 1 || spread <= 0) return trend;
  trend.slope = product(times, residuals) / spread;
  for (std::size_t i = 0; i < residuals.size(); ++i) residuals[i] -= trend.slope * times[i];
  const double squares = product(residuals, residuals);
  const double alike = squares > 0 ? product(residuals, residuals, 1) / squares : 0;
  const double r = std::clamp(alike + fitted_away / static_cast<double>(visits.size()), 0.0, strongest_trend);
  trend.error = std::sqrt(squares / trend.degrees / spread * (1 + r) / (1 - r));
  return trend;
}

/// The medians of the first and of the second half of the visits.
std::pair<double, double> halves_of(const Sample& sample, const std::vector<VisitSlice>& visits) {
  std::vector<double> first;
  std::vector<double> second;
  for (std::size_t v = 0; v < visits.size(); ++v)
    for (std::size_t i = 0; i < visits[v].size; ++i)
      (v < visits.size() / 2 ? first : second).push_back(sample.observations()[visits[v].first + i].value);
  return {median(std::move(first)), median(std::move(second))};
}

std::string in_words(double before, double change) {
  const std::string size = before == 0 ? rounded(std::abs(change)) : percent(std::abs(change / before));
  return "second half " + size + (change < 0 ? " below" : " above") + " the first";
}

}  // namespace

std::string drift_of(const Sample& sample, double tolerance) {
  const std::vector<VisitSlice> visits = visits_of(sample);
  const Trend trend = trend_of(visits, visit_medians(sample, visits));
  if (trend.degrees < 1) return {};
  const double change = std::abs(trend.slope) * static_cast<double>(visits.size());
  const double least = student_quantile(1 - drift_alpha / 2, trend.degrees) * trend.error;
  if (change <= tolerance || std::abs(trend.slope) <= least) return {};
  // A steady change moves the halves apart by half of it; visits that take turns between two modes do not.
  const auto [before, after] = halves_of(sample, visits);
  return std::abs(after - before) > tolerance / 2 ? in_words(before, after - before) : std::string();
}

}  // namespace assay
