// SPDX-License-Identifier: Apache-2.0
// What the stopping rules have in common: floors, budgets, times of interim analyses, and the words of a verdict.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "stats/rule/rule_table.hpp"
#include "stats/rule/stopping_rule.hpp"

namespace assay {

/// A rule with bounds. Knows everything but the criterion.
class BoundedRule : public StoppingRule {
 public:
  /// `spec` is resolved: possible, with every parameter that the rule uses; `budget` is what its bounds come to.
  BoundedRule(RuleSpec spec, const Budget& budget) : spec_(std::move(spec)), budget_(budget) {}
  std::string text() const override;
  Verdict check(const Sample& sample, const Spent& spent) const final;
  /// See minimum_effort.
  MinimumEffort minimum(int incarnations, int batches) const;
  /// The verdict as a part of a combination: the criterion behind its floors, but no budget. The sample is not empty
  /// and of finite values. The reason lacks "after so much".
  Verdict decide(const Sample& sample, const Spent& spent) const;
  /// The least that it needs as a part of a combination, which has its own interim analyses and budgets.
  MinimumEffort minimum_as_part(int incarnations, int batches) const;

  const RuleSpec& spec() const { return spec_; }
  /// What the rule reports, also for verdicts that have no value.
  virtual std::string statistic() const { return "median"; }

 protected:
  const Budget& budget() const { return budget_; }
  /// The relative accuracy asked for; 0 for rules that have none.
  double eps() const { return spec_.eps.value_or(0); }
  /// The absolute accuracy that suffices for an estimate of this value.
  double tolerance(double value) const;

 private:
  /// The least that the criterion alone needs.
  virtual MinimumEffort minimum_of_criterion(int /*incarnations*/, int /*batches*/) const { return {}; }
  /// The criterion alone, on a sample that is not empty and of finite values. The reason lacks "after so much".
  virtual Verdict assess(const Sample& sample, const Spent& spent) const = 0;
  /// Visits below which nothing is decided, of one batch each or of more.
  virtual std::size_t least_visits(bool of_one_batch) const;
  Verdict first_verdict(const Sample& sample, const Spent& spent) const;
  /// What the floors still lack, in words; empty when they are reached.
  std::string lacking(const Sample& sample) const;

  RuleSpec spec_;
  Budget budget_;
};

/// The least visits of so many batches that hold this many timings.
std::int64_t visits_for(std::size_t timings, int batches);

/// True after `first` visits and then whenever a quarter more of them, rounded up, has come: 8, 10, 13, 17, 22, ...
bool is_spaced_look(int visits, int first);

/// True after every visit at first, from 64 visits on after every thirty-second part of them or less: an analysis costs
/// time that grows with the sample, for rules that could be asked always.
bool is_dense_look(int visits);

/// A rule on the width of an interval, with ever rarer interim analyses: each is a chance of a false convergence.
class IntervalRule : public BoundedRule {
 public:
  using BoundedRule::BoundedRule;
  bool is_look(int visits) const override { return is_spaced_look(visits, budget().min_visits); }

 protected:
  /// Resolution first, then the width of the estimate's interval, then that of the guard where there is one.
  /// What campaigns differ by is added to the interval before.
  Verdict judged(Estimate estimate, const Sample& sample, const Spent& spent, const Interval* guard = nullptr) const;
};

/// The verdict when the clock is too coarse for the accuracy asked for; `estimate` passes through, the outcome is open
/// when the clock will do.
Verdict resolution_verdict(Estimate estimate, double tolerance, double half_step);

/// " (of which 0.9 % is what campaigns differ by)" where that alone is more than half of `eps`; else nothing.
std::string remark_on_campaigns(double between, double eps);

/// The guard's interval may be this many times as wide as the interval itself.
inline constexpr double guard_allowance = 3;
/// Converged when the interval of the verdict's estimate reaches no further than `allowed` from its value, and the
/// `guard`, unless null, no further than guard_allowance times that. `eps` is the relative accuracy, for the reason.
void judge_width(Verdict& verdict, double allowed, double eps, const Interval* guard);

/// A rule without the budget that a combination has instead.
std::unique_ptr<BoundedRule> make_part(const RuleSpec& spec);

template <class Rule>
std::unique_ptr<BoundedRule> made(const RuleSpec& spec, const Budget& budget) {
  return std::make_unique<Rule>(spec, budget);
}

}  // namespace assay
