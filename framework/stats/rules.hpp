// SPDX-License-Identifier: Apache-2.0
// What the stopping rules have in common: floors, budgets, and the words of a verdict.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "stats/stopping_rule.hpp"

namespace assay {

/// A rule with bounds. Knows everything but the criterion.
class BoundedRule : public StoppingRule {
 public:
  /// `spec` is possible and its eps set; `budget` is what its bounds come to.
  BoundedRule(RuleSpec spec, const Budget& budget) : spec_(std::move(spec)), budget_(budget) {}
  std::string text() const override;
  Verdict check(const Sample& sample, const Spent& spent) const final;

 protected:
  const RuleSpec& spec() const { return spec_; }
  const Budget& budget() const { return budget_; }
  /// The absolute accuracy that suffices for an estimate of this value.
  double tolerance(double value) const;

 private:
  /// The criterion alone, on a sample that is not empty and of finite values. The reason lacks "after so much".
  virtual Verdict assess(const Sample& sample, const Spent& spent) const = 0;
  /// What the rule reports, for verdicts that have no value.
  virtual std::string_view statistic() const { return "median"; }
  /// Visits below which nothing is decided.
  virtual std::size_t least_visits(const Sample& sample) const;
  Verdict first_verdict(const Sample& sample, const Spent& spent) const;
  /// What the floors still lack, in words; empty when they are reached.
  std::string lacking(const Sample& sample) const;

  RuleSpec spec_;
  Budget budget_;
};

/// The verdict when the clock is too coarse for the accuracy asked for; `estimate` passes through, the outcome is open
/// when the clock will do.
Verdict resolution_verdict(Estimate estimate, double tolerance, double half_step);

/// The rules by name, from possible specs with eps set.
std::unique_ptr<StoppingRule> make_median_ci(const RuleSpec& spec, const Budget& budget);
std::unique_ptr<StoppingRule> make_stddev(const RuleSpec& spec, const Budget& budget);
std::unique_ptr<StoppingRule> make_stderr(const RuleSpec& spec, const Budget& budget);
std::unique_ptr<StoppingRule> make_fixed(const RuleSpec& spec, const Budget& budget);

}  // namespace assay
