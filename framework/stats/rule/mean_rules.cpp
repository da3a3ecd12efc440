// SPDX-License-Identifier: Apache-2.0
// Rules on means: of all values, and of the middle half.
#include <algorithm>
#include <cmath>

#include "stats/rule/estimate.hpp"
#include "stats/rule/rules.hpp"
#include "stats/sample/summary.hpp"
#include "stats/sample/visit_interval.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

/// Share of the total in values above three medians from which a mean is about interruptions.
constexpr double much_contamination = 0.05;

/// A mean with an interval to both sides; without one where the values are so large that their squares are infinite.
Estimate mean_estimate(const char* statistic, double value, double half, double half_step, double alpha) {
  if (!std::isfinite(value - half) || !std::isfinite(value + half)) return {statistic, value, {}, ""};
  return {statistic, value, widened({value - half, value + half, 1 - alpha}, half_step), "visits"};
}

class MeanCi final : public IntervalRule {
 public:
  using IntervalRule::IntervalRule;
  std::string statistic() const override { return "mean"; }

 private:
  Verdict assess(const Sample& sample, const Spent& spent) const override {
    const std::vector<double> values = sample.values();
    const Summary summary = summarize(values);
    Estimate estimate{"mean", summary.mean, {}, ""};
    if (const Interval iid = mean_interval(summary, spec().alpha); iid.available()) {
      const double half = std::max(iid.high - summary.mean, batch_means_error(sample, values, spec().alpha).half_width);
      estimate = mean_estimate("mean", summary.mean, half, spent.half_step, spec().alpha);
    }
    const auto mean_of = [](std::span<const double> some) { return moments_of(some).mean; };
    Verdict verdict =
        judged(across_incarnations(std::move(estimate), sample, mean_of, spec().alpha, spent.half_step), sample, spent);
    if (summary.contamination > much_contamination)
      verdict.reason += ", " + percent(summary.contamination) + " of the total in values above 3 medians,";
    return verdict;
  }
};

class TrimmedCi final : public IntervalRule {
 public:
  using IntervalRule::IntervalRule;
  std::string statistic() const override { return "trimmed mean"; }

 private:
  Verdict assess(const Sample& sample, const Spent& spent) const override {
    const std::vector<double> values = sample.values();
    const TrimmedMean mean = trimmed_mean(values);
    Estimate estimate{"trimmed mean", mean.value, {}, ""};
    if (mean.degrees_of_freedom > 0) {
      const double iid = student_quantile(1 - spec().alpha / 2, mean.degrees_of_freedom) * mean.standard_error;
      const double batches = batch_means_error(sample, mean.winsorised, spec().alpha).half_width / mean.kept_share;
      estimate = mean_estimate("trimmed mean", mean.value, std::max(iid, batches), spent.half_step, spec().alpha);
    }
    const auto of_values = [](std::span<const double> some) { return trimmed_mean(some).value; };
    return judged(across_incarnations(std::move(estimate), sample, of_values, spec().alpha, spent.half_step), sample,
                  spent);
  }
};

}  // namespace

constinit const RuleEntry mean_ci_rule{
    .name = "mean-ci",
    .eps = standard_accuracy,
    .budget = {8, 5, 100'000, seconds(1800)},
    .parameters = all_parameters,
    .make = &made<MeanCi>,
    .summary = "the mean is known to within eps, interruptions included; for throughput",
    .stops =
        "The half-width of the 1 - alpha interval of the mean is at most eps of it: Student's, never narrower than "
        "from groups of 1, 2 and 4 batches of visits. From 3 incarnations on their own means must satisfy eps too. "
        "Interim analyses as median-ci.",
    .reports =
        "The mean with that interval; the reason states when more than 5 % of the total is in values above 3 medians, "
        "since the mean is then dominated by interruptions.",
    .expect =
        "95 to 97 % coverage and half the timings of median-ci on light tails. With 5 % of the values twenty times "
        "slower 20000 timings do not suffice; with rare long interruptions the variance may not even exist.",
};

constinit const RuleEntry trimmed_ci_rule{
    .name = "trimmed-ci",
    .eps = standard_accuracy,
    .budget = usual_budget,
    .parameters = all_parameters,
    .make = &made<TrimmedCi>,
    .summary = "the mean of the middle half is known to within eps",
    .stops =
        "The half-width of the 1 - alpha interval of the 25 % trimmed mean is at most eps of it. Its standard error is "
        "that of the winsorised values over the kept share, never less than from groups of 1, 2 and 4 batches of "
        "visits. From 3 incarnations on their own trimmed means must satisfy eps too. Interim analyses as median-ci.",
    .reports = "The trimmed mean with that interval: SKaMPI's estimate, with its correct error.",
    .expect =
        "60 % of the timings of median-ci and 96 to 98 % coverage on independent values of one mode, interruptions "
        "included; 92 % on strongly dependent ones. Not for two modes: at weights 70/30 coverage is 73 %.",
};

}  // namespace assay
