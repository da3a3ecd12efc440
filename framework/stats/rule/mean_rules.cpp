// SPDX-License-Identifier: Apache-2.0
// Rules on means: of all values, and of the middle half.
#include <algorithm>
#include <cmath>

#include "stats/rule/estimate.hpp"
#include "stats/rule/incarnations.hpp"
#include "stats/rule/rules.hpp"
#include "stats/sample/batch_means.hpp"
#include "stats/sample/trimmed_mean.hpp"
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
        judged(across_incarnations(std::move(estimate), sample, mean_of, spec().alpha, spent.half_step), spent);
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
    return judged(across_incarnations(std::move(estimate), sample, of_values, spec().alpha, spent.half_step), spent);
  }
};

}  // namespace

std::unique_ptr<BoundedRule> make_mean_ci(const RuleSpec& spec, const Budget& budget) {
  return std::make_unique<MeanCi>(spec, budget);
}

std::unique_ptr<BoundedRule> make_trimmed_ci(const RuleSpec& spec, const Budget& budget) {
  return std::make_unique<TrimmedCi>(spec, budget);
}

}  // namespace assay
