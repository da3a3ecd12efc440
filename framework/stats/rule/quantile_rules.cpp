// SPDX-License-Identifier: Apache-2.0
// Rules on quantiles: any quantile by visits, and the median by a confidence sequence.
#include <algorithm>
#include <cmath>

#include "base/value.hpp"
#include "stats/rule/estimate.hpp"
#include "stats/rule/incarnations.hpp"
#include "stats/rule/rules.hpp"

namespace assay {
namespace {

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  std::sort(copy.begin(), copy.end());
  return copy;
}

class QuantileCi final : public IntervalRule {
 public:
  using IntervalRule::IntervalRule;
  std::string statistic() const override { return "quantile " + to_text(p()); }

 private:
  double p() const { return spec().argument.value_or(0); }
  Verdict assess(const Sample& sample, const Spent& spent) const override {
    const VisitInterval visits = visit_interval(sample, p(), spec().alpha, spent.half_step);
    const auto of_values = [this](std::span<const double> values) { return quantile(sorted(values), p()); };
    Estimate estimate{statistic(), visits.estimate, visits.interval, visits.interval.available() ? "visits" : ""};
    return judged(across_incarnations(std::move(estimate), sample, of_values, spec().alpha, spent.half_step), spent,
                  &visits.guard);
  }
};

/// Half-width, as a share of the ranks, of the confidence sequence of a quantile: with probability 1 - alpha it holds
/// at every n at once, for independent values of any law. Source: Howard and Ramdas, Sequential estimation of quantiles
/// (Bernoulli 28, 2022), theorem 1 with the constants given there.
double stitched_half_width(std::size_t size, double p, double alpha) {
  const auto n = static_cast<double>(size);
  const double log_term = 1.4 * std::log(std::log(2.1 * n)) + std::log(10 / alpha);
  return 1.5 * std::sqrt(p * (1 - p) * log_term / n) + 0.8 * log_term / n;
}

class MedianCs final : public IntervalRule {
 public:
  using IntervalRule::IntervalRule;
  bool is_look(int visits) const override { return visits >= budget().min_visits && is_dense_look(visits); }

 private:
  Verdict assess(const Sample& sample, const Spent& spent) const override {
    const auto values = sorted(sample.values());
    const double half = stitched_half_width(values.size(), 0.5, spec().alpha);
    const Interval interval = widened(between_ranks(values, 0.5, half, 1 - spec().alpha), spent.half_step);
    return judged({"median", quantile(values, 0.5), interval, interval.available() ? "values" : ""}, spent);
  }
};

}  // namespace

std::unique_ptr<BoundedRule> make_quantile_ci(const RuleSpec& spec, const Budget& budget) {
  return std::make_unique<QuantileCi>(spec, budget);
}

std::unique_ptr<BoundedRule> make_median_cs(const RuleSpec& spec, const Budget& budget) {
  return std::make_unique<MedianCs>(spec, budget);
}

}  // namespace assay
