// SPDX-License-Identifier: Apache-2.0
// Puts the parts of a look together: trims, then estimates what remains.
#include "stats/rule/look.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "stats/rule/estimate.hpp"
#include "stats/sample/visits.hpp"
#include "stats/steadiness/drift.hpp"
#include "stats/steadiness/modes.hpp"
#include "stats/steadiness/shift.hpp"
#include "stats/steadiness/trim.hpp"

namespace assay {
namespace {

/// Correlation of the indicators "below the median" of neighbours in a visit, or of successive visits of one value.
double autocorrelation_of(const Sample& sample, double median) {
  const bool across = has_single_visits(sample);
  const auto& all = sample.observations();
  double products = 0;
  double pairs = 0;
  double squares = 0;
  double before = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double excess = indicator(all[i].value, median) - 0.5;
    squares += excess * excess;
    if (i > 0 && (across || all[i].visit == all[i - 1].visit)) {
      products += excess * before;
      pairs += 1;
    }
    before = excess;
  }
  return pairs > 0 && squares > 0 ? products / pairs / (squares / static_cast<double>(all.size())) : 0;
}

/// Independent values that would tell the median with this standard error of the share below it.
double effective_number(double share_error, std::size_t n) {
  if (!(share_error > 0)) return 0;
  return std::min(static_cast<double>(n), 0.25 / (share_error * share_error));
}

/// A change within the sessions tells more than one between them.
std::string change_of(const Sample& sample, double tolerance) {
  std::string drift = drift_of(sample, tolerance);
  return drift.empty() ? shift_of(sample.by_incarnation(), tolerance) : drift;
}

}  // namespace

Look look_at(const Sample& sample, const Accuracy& accuracy) {
  const auto& [alpha, eps, floor, half_step] = accuracy;
  Look look;
  const bool finite = !sample.empty() && count_not_finite(sample) == 0;
  Trimmed trimmed = finite ? without_warm_up(sample) : Trimmed{sample, 0};
  look.kept = std::move(trimmed.sample);
  std::vector<double> sorted = look.kept.values();
  if (finite) std::sort(sorted.begin(), sorted.end());
  // Where a value is no number that could be computed with, nothing is known, as of an empty sample.
  look.visits =
      finite ? visit_interval(look.kept, sorted, 0.5, alpha, half_step) : visit_interval({}, {}, 0.5, alpha, half_step);
  look.headline = headline_over(look.kept, look.visits, alpha, half_step);
  if (!finite) return look;
  const double median = look.visits.estimate;
  look.steadiness = {trimmed.dropped, effective_number(look.visits.share_error, look.kept.size()),
                     autocorrelation_of(look.kept, median),
                     change_of(look.kept, std::max(eps * std::abs(median), floor)),
                     modes_of(look.kept, sorted, alpha, half_step)};
  return look;
}

}  // namespace assay
