// SPDX-License-Identifier: Apache-2.0
// Rules on quantiles: any quantile by visits, and the median by a confidence sequence.
#include <algorithm>
#include <cmath>

#include "base/value.hpp"
#include "stats/rule/estimate.hpp"
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
    return judged(across_incarnations(std::move(estimate), sample, of_values, spec().alpha, spent.half_step), sample,
                  spent, &visits.guard);
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
    return judged({"median", quantile(values, 0.5), interval, interval.available() ? "values" : ""}, sample, spent);
  }
};

}  // namespace

constinit const RuleEntry quantile_ci_rule{
    .name = "quantile-ci",
    .argument = "p",
    .kind = ArgumentKind::share,
    .standard = 0.1,
    .eps = standard_accuracy,
    .budget = usual_budget,
    .parameters = all_parameters,
    .make = &made<QuantileCi>,
    .summary = "the p-quantile is known to within eps; quantile-ci:0.25 is the lower quartile",
    .stops =
        "As median-ci, with the same guard and interim analyses, with p in place of 1/2 and h at least "
        "z*sqrt(p*(1-p)/n). From 3 incarnations on their own quantiles must satisfy eps too.",
    .reports =
        "The p-quantile with the interval that decided. The lower decile is the most reproducible estimate of the cost "
        "of code without interference.",
    .expect =
        "96 to 99 % coverage, dependent values and two modes included. 200 timings above a floor or within modes, 900 "
        "on normal values that scatter by 10 %, where a decile is harder to estimate than the median. Where the "
        "clock's resolution per event is coarser than eps it converges by chance or not at all.",
};

constinit const RuleEntry median_cs_rule{
    .name = "median-cs",
    .eps = standard_accuracy,
    .budget = usual_budget,
    .parameters = all_parameters,
    .make = &made<MedianCs>,
    .summary = "the median is known to within eps, by a confidence sequence",
    .stops =
        "The half-width of the confidence sequence of the median is at most eps of it: ranks n*(1/2+-f) with f = "
        "1.5*sqrt(l/(4*n))+0.8*l/n and l = 1.4*ln(ln(2.1*n))+ln(10/alpha) (Howard and Ramdas 2022). With probability 1 "
        "- alpha it covers the median at all n simultaneously. Interim analyses after every visit, beyond 64 visits "
        "after about every thirtieth part of them; at least 40 timings for an interval to exist.",
    .reports = "The median with the interval of the confidence sequence.",
    .expect =
        "Three times the timings of median-ci on independent values, and coverage of practically 100 %. There is no "
        "guarantee for dependent ones: 80 % with an autocorrelation of 0.9.",
};

}  // namespace assay
