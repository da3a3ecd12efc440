// SPDX-License-Identifier: Apache-2.0
// The default rule: the headline interval of the median is narrow enough, and the median lies in no gap.
#include "stats/estimate.hpp"
#include "stats/rules.hpp"

namespace assay {
namespace {

class MedianCi final : public IntervalRule {
 public:
  using IntervalRule::IntervalRule;
  bool is_look(int visits) const override;

 private:
  Verdict assess(const Sample& sample, const Spent& spent) const override;
  std::size_t least_visits(const Sample& sample) const override;
  /// Visits that suffice when each is one long batch.
  int least_long_visits() const { return spec().budget.min_visits.value_or(fewest_visits); }
};

bool MedianCi::is_look(int visits) const {
  // Below the floor of ordinary visits only long actions are decided.
  if (visits < budget().min_visits) return visits >= least_long_visits();
  return IntervalRule::is_look(visits);
}

std::size_t MedianCi::least_visits(const Sample& sample) const {
  return static_cast<std::size_t>(has_single_visits(sample) ? least_long_visits() : budget().min_visits);
}

Verdict MedianCi::assess(const Sample& sample, const Spent& spent) const {
  const VisitInterval visits = visit_interval(sample, 0.5, spec().alpha, spent.half_step);
  return judged(headline_over(sample, visits, spec().alpha, spent.half_step), spent,
                is_few_long(sample) ? nullptr : &visits.guard);
}

}  // namespace

std::unique_ptr<BoundedRule> make_median_ci(const RuleSpec& spec, const Budget& budget) {
  return std::make_unique<MedianCi>(spec, budget);
}

}  // namespace assay
