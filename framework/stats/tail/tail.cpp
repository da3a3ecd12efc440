// SPDX-License-Identifier: Apache-2.0
// The choice of the threshold, and quantiles by ranks or by the law of the exceedances.
#include "stats/tail/tail.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "stats/sample/visit_interval.hpp"
#include "stats/tail/pareto.hpp"
#include "text/number_format.hpp"
#include "text/words.hpp"

namespace assay {
namespace {

constexpr std::array<double, 8> shares{0.1, 0.075, 0.05, 0.035, 0.025, 0.015, 0.01, 0.005};
constexpr double accepted = 0.1;
// More tell nothing of the tail that a higher threshold does not tell better, and cost time.
constexpr std::size_t most_exceedances = 5000;
constexpr std::uint64_t check_seed = 20010;  // of the check: the same sample has the same verdict
constexpr double irregular_shape = -0.5;

std::vector<double> sorted_finite(const Sample& sample) {
  std::vector<double> values = sample.values();
  if (std::ranges::any_of(values, [](double value) { return !std::isfinite(value); })) return {};
  std::ranges::sort(values);
  return values;
}

double dependence_of(const Sample& sample, double threshold, double share, double alpha) {
  std::vector<double> scores;
  scores.reserve(sample.size());
  for (const Observation& observation : sample.observations()) scores.push_back(observation.value > threshold ? 1 : 0);
  const double independent = share * (1 - share) / static_cast<double>(sample.size());
  const double found = batch_means_error(sample, scores, alpha).standard;
  return std::max(1.0, found * found / independent);
}

/// The distance of twice the log likelihoods within which a law is not excluded. Where the end of the law is what
/// decides, as below shape -1/2 (Smith, Maximum likelihood estimation in a class of nonregular cases, Biometrika 72,
/// 1985), it has two degrees of freedom (Hogg, On the distribution of the likelihood ratio, Annals of Mathematical
/// Statistics 27, 1956).
double distance_at(double shape, double alpha) {
  const double regular = normal_quantile(1 - alpha / 2);
  return shape < irregular_shape ? -2 * std::log(alpha) : regular * regular;
}

}  // namespace

Tail::Tail(const Sample& sample, double alpha) : sample_(sample), alpha_(alpha), sorted_(sorted_finite(sample)) {
  if (!(alpha > 0 && alpha < 1)) throw std::invalid_argument("alpha of a tail lies between 0 and 1");
  if (sorted_.size() < sample.size()) {
    reason_ = "a value is not finite";
    return;
  }
  for (const double share : shares)
    if (try_threshold(share)) return;
  if (reason_.empty())
    reason_ = counted(size(), "observation") + "; " + std::to_string(least_exceedances) +
              " in the upper tenth are needed, all above one threshold";
}

double Tail::longest() const { return sorted_.empty() ? std::numeric_limits<double>::quiet_NaN() : sorted_.back(); }

bool Tail::try_threshold(double share) {
  const auto beyond = static_cast<std::size_t>(share * static_cast<double>(size()));
  if (beyond < least_exceedances || beyond > most_exceedances) return false;
  const double threshold = sorted_[size() - 1 - beyond];
  std::vector<double> excesses;
  for (auto at = std::ranges::upper_bound(sorted_, threshold); at != sorted_.end(); ++at)
    excesses.push_back(*at - threshold);
  if (excesses.size() < least_exceedances) return false;
  const ParetoLaw law = fit_pareto(excesses);
  const double probability = pareto_check(law, excesses, check_seed);
  if (probability >= accepted) {
    accept(threshold, excesses, law, probability);
    return true;
  }
  reason_ = "exceedances follow no generalised Pareto law (test of Anderson and Darling: p = " + rounded(probability) +
            " over " + rounded(threshold) + ")";
  return false;
}

void Tail::accept(double threshold, const std::vector<double>& excesses, const ParetoLaw& law, double probability) {
  TailFit fit{.threshold = threshold,
              .exceeding = {excesses.size(), size()},
              .law = law,
              .shape = {},
              .probability = probability,
              .dependence = 1};
  fit.dependence = dependence_of(sample_, threshold, fit.exceeding.share(), alpha_);
  region_.emplace(excesses, fit.exceeding, fit.dependence * distance_at(law.shape, alpha_));
  fit.shape = region_->shape();
  fit.shape.level = 1 - alpha_;
  fit_ = fit;
  reason_.clear();
}

TailQuantile Tail::quantile(double p) const {
  if (!(p > 0 && p < 1)) throw std::invalid_argument("a quantile of a tail lies between 0 and 1");
  if (fit_ && 2 * (1 - p) <= fit_->exceeding.share()) return by_law(p);
  return by_ranks(p);
}

TailQuantile Tail::by_ranks(double p) const {
  TailQuantile found{.value = std::numeric_limits<double>::quiet_NaN(), .interval = {}, .basis = "ranks", .reason = {}};
  if (sorted_.empty()) {
    found.reason = reason_;
    return found;
  }
  const VisitInterval ranks = visit_interval(sample_, sorted_, p, alpha_, 0);
  if (!ranks.interval.available()) {
    found.reason = reason_ + (reason_.empty() ? "" : ", and ") + counted(size(), "observation") +
                   " do not reach this far by themselves";
    return found;
  }
  found.value = ranks.estimate;
  found.interval = ranks.interval;
  return found;
}

TailQuantile Tail::by_law(double p) const {
  const double beyond = 1 - p;
  Interval interval = region_->excess(beyond);
  interval.low += fit_->threshold;
  interval.high += fit_->threshold;
  interval.level = 1 - alpha_;
  const double value = fit_->threshold + fit_->law.excess_at(beyond / fit_->exceeding.share());
  return {.value = value, .interval = interval, .basis = "exceedances", .reason = {}};
}

}  // namespace assay
