// SPDX-License-Identifier: Apache-2.0
// Rules on the spread of the values: standard deviation (homogeneity) and standard error of the mean.
#include <span>

#include "stats/rule/estimate.hpp"
#include "stats/rule/rules.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

constexpr Budget skampi{1, 8, 33, seconds(5)};

class SpreadRule : public BoundedRule {
 public:
  using BoundedRule::BoundedRule;
  std::string statistic() const override { return "mean"; }

 private:
  virtual double spread(const Summary& summary) const = 0;
  virtual bool suffices(double spread, double tolerance) const = 0;
  virtual std::string_view what() const = 0;
  /// How many of the n timings, the first ones, the criterion uses.
  virtual std::size_t tested(std::size_t n) const { return n; }
  Verdict assess(const Sample& sample, const Spent& spent) const override;
  void judge(Verdict& verdict, const Summary& summary) const;
};

Verdict SpreadRule::assess(const Sample& sample, const Spent& spent) const {
  const std::vector<double> values = sample.values();
  const Summary all = moments_of(values);
  const Interval interval = widened(mean_interval(all, spec().alpha), spent.half_step);
  Estimate mean{"mean", all.mean, interval, interval.available() ? "values" : ""};
  Verdict verdict =
      resolution_verdict(with_campaigns(std::move(mean), sample, spent.between), tolerance(all.mean), spent.half_step);
  if (verdict.stop()) return verdict;
  const std::size_t n = tested(values.size());
  judge(verdict, n < values.size() ? moments_of(std::span(values).first(n)) : all);
  if (n < values.size()) verdict.reason += " of the first " + counted(n, "timing");
  return verdict;
}

void SpreadRule::judge(Verdict& verdict, const Summary& summary) const {
  verdict.reason = "one value has no spread";
  if (summary.n < 2) return;
  const double width = spread(summary);
  const double allowed = tolerance(summary.mean);
  verdict.reason = comparison(what(), width, allowed, summary.mean, eps());
  // Equal values are as homogeneous as can be, also where their mean is 0.
  if (width == 0 || suffices(width, allowed)) verdict.outcome = Outcome::converged;
}

class StddevRule final : public SpreadRule {
 public:
  using SpreadRule::SpreadRule;

 private:
  double spread(const Summary& summary) const override { return summary.stddev; }
  bool suffices(double spread, double tolerance) const override { return spread < tolerance; }
  std::string_view what() const override { return "standard deviation"; }
};

class StderrRule final : public SpreadRule {
 public:
  using SpreadRule::SpreadRule;

 private:
  double spread(const Summary& summary) const override { return summary.standard_error; }
  bool suffices(double spread, double tolerance) const override { return spread <= tolerance; }
  std::string_view what() const override { return "standard error"; }
  /// SKaMPI times in blocks of its least number and tests only when a block is full: at 8, 16, 24, 32 and 40.
  std::size_t tested(std::size_t n) const override {
    const std::size_t block = budget().min_timings;
    return n < block ? n : n - n % block;
  }
};

}  // namespace

constinit const RuleEntry stddev_rule{
    .name = "stddev",
    .eps = 0.1,
    .budget = skampi,
    .parameters = all_parameters,
    .make = &made<StddevRule>,
    .summary = "the standard deviation is below eps of the mean: a test of homogeneity, not accuracy",
    .stops =
        "s < eps*|mean|, the rule of SKaMPI's paper of 1999. Interim analyses after every visit from min-timings on.",
    .reports = "The mean with the t interval of independent values.",
    .expect =
        "It stops at once or never: more timings do not make values more homogeneous. At 10 % it converges on 1 % of "
        "samples that scatter by 30 %, and on 42 % of those with interruptions, all of which are then far off. Use the "
        "headline instead.",
};

constinit const RuleEntry stderr_rule{
    .name = "stderr",
    .eps = 0.1,
    .budget = skampi,
    .parameters = all_parameters,
    .make = &made<StderrRule>,
    .summary = "the standard error of the mean is at most eps of it, as SKaMPI 5 does",
    .stops = "s/sqrt(n) <= eps*|mean|, tested when a block of min-timings is full: at 8, 16, 24, 32 and 40 timings.",
    .reports =
        "The mean of all values with the t interval of independent values. SKaMPI prints the mean of the middle half "
        "with an error that is half of the correct one; trimmed-ci corrects that.",
    .expect =
        "8 timings, and a mean within 2 % in 20 to 50 % of campaigns. The interval covers the mean in 91 to 97 % on "
        "independent values, 41 % on strongly dependent ones, 0 % with interruptions: it stops where it observed none. "
        "Use the headline instead.",
};

}  // namespace assay
