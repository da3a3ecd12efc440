// SPDX-License-Identifier: Apache-2.0
// Rules on the spread of the values: standard deviation (homogeneity) and standard error of the mean.
#include <utility>

#include "stats/estimate.hpp"
#include "stats/phrase.hpp"
#include "stats/rules.hpp"

namespace assay {
namespace {

class SpreadRule : public BoundedRule {
 public:
  using BoundedRule::BoundedRule;

 private:
  virtual double spread(const Summary& summary) const = 0;
  virtual bool suffices(double spread, double tolerance) const = 0;
  virtual std::string_view what() const = 0;
  std::string_view statistic() const override { return "mean"; }
  Verdict assess(const Sample& sample, const Spent& spent) const override;
};

Verdict SpreadRule::assess(const Sample& sample, const Spent& spent) const {
  const std::vector<double> values = sample.values();
  const Summary summary = summarize(values);
  const Interval interval = widened(t_interval(values, spec().alpha), spent.half_step);
  const double allowed = tolerance(summary.mean);
  Verdict verdict = resolution_verdict({"mean", summary.mean, interval, interval.available() ? "values" : ""}, allowed,
                                       spent.half_step);
  if (verdict.stop()) return verdict;
  verdict.reason = "one value has no spread";
  if (values.size() < 2) return verdict;
  const double width = spread(summary);
  verdict.reason = comparison(what(), width, allowed, summary.mean, spec().eps.value_or(0));
  // Equal values are as homogeneous as can be, also where their mean is 0.
  if (width == 0 || suffices(width, allowed)) verdict.outcome = Outcome::converged;
  return verdict;
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
};

}  // namespace

std::unique_ptr<StoppingRule> make_stddev(const RuleSpec& spec, const Budget& budget) {
  return std::make_unique<StddevRule>(spec, budget);
}

std::unique_ptr<StoppingRule> make_stderr(const RuleSpec& spec, const Budget& budget) {
  return std::make_unique<StderrRule>(spec, budget);
}

}  // namespace assay
