// SPDX-License-Identifier: Apache-2.0
// The default rule: the headline interval of the median is narrow enough, and the median lies in no gap.
#include <cmath>
#include <utility>

#include "stats/estimate.hpp"
#include "stats/phrase.hpp"
#include "stats/rules.hpp"

namespace assay {
namespace {

/// The guard's interval may be this many times as wide as the interval itself.
constexpr double guard_allowance = 3;

/// Next look after this many visits: a quarter more, rounded up.
int next_look(int visits) { return (5 * visits + 3) / 4; }

class MedianCi final : public BoundedRule {
 public:
  using BoundedRule::BoundedRule;
  bool is_look(int visits) const override;

 private:
  Verdict assess(const Sample& sample, const Spent& spent) const override;
  std::size_t least_visits(const Sample& sample) const override;
  void judge_width(Verdict& verdict, const Sample& sample, const VisitInterval& visits) const;
  /// Visits that suffice when each is one long batch.
  int least_long_visits() const { return spec().budget.min_visits.value_or(fewest_visits); }
};

bool MedianCi::is_look(int visits) const {
  // Below the floor of ordinary visits only long actions are decided.
  if (visits < budget().min_visits) return visits >= least_long_visits();
  int look = budget().min_visits;
  while (look < visits) look = next_look(look);
  return look == visits;
}

std::size_t MedianCi::least_visits(const Sample& sample) const {
  return static_cast<std::size_t>(has_single_visits(sample) ? least_long_visits() : budget().min_visits);
}

void MedianCi::judge_width(Verdict& verdict, const Sample& sample, const VisitInterval& visits) const {
  const Estimate& estimate = verdict.estimate;
  const double allowed = tolerance(estimate.value);
  const double half = reach(estimate.value, estimate.interval);
  const double eps = spec().eps.value_or(0);
  verdict.reason = std::isinf(half) ? "no interval" : comparison("half-width", half, allowed, estimate.value, eps);
  if (half > allowed) return;
  const double guard = is_few_long(sample) ? 0 : reach(estimate.value, visits.guard);
  if (guard <= guard_allowance * allowed) {
    verdict.outcome = Outcome::converged;
    return;
  }
  verdict.reason += std::isinf(guard) ? ", but there is no guard interval"
                                      : ", but " + comparison("that of the guard", guard, guard_allowance * allowed,
                                                              estimate.value, guard_allowance * eps);
}

Verdict MedianCi::assess(const Sample& sample, const Spent& spent) const {
  const VisitInterval visits = visit_interval(sample, 0.5, spec().alpha, spent.half_step);
  Estimate estimate = headline_over(sample, visits, spec().alpha, spent.half_step);
  const double allowed = tolerance(estimate.value);
  Verdict verdict = resolution_verdict(std::move(estimate), allowed, spent.half_step);
  if (!verdict.stop()) judge_width(verdict, sample, visits);
  return verdict;
}

}  // namespace

std::unique_ptr<StoppingRule> make_median_ci(const RuleSpec& spec, const Budget& budget) {
  return std::make_unique<MedianCi>(spec, budget);
}

}  // namespace assay
