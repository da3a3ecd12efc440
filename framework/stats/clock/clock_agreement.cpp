// SPDX-License-Identifier: Apache-2.0
// The comparison of a model with what was found afterwards.
#include "stats/clock/clock_agreement.hpp"

#include <algorithm>
#include <cmath>

#include "text/number_format.hpp"

namespace assay {

ClockAgreement agrees(const ClockModel& before, const FitPoint& after) {
  constexpr Nanoseconds rounding{1.5};  // of stamps and of conversions
  // The model is ahead of the reference by so much at least, and so much at most.
  const Nanoseconds least = before.to_reference(after.most.local) - after.most.reference;
  const Nanoseconds most = before.to_reference(after.least.local) - after.least.reference;
  const Nanoseconds open = (most - least) / 2 + rounding;
  ClockAgreement agreement;
  agreement.miss = {std::abs((most + least).count) / 2};
  agreement.limit = before.bound_at(std::max(after.most.local, after.least.local)) + open;
  agreement.bound = std::max(before.bound, agreement.miss + open);
  agreement.accepted = agreement.miss <= agreement.limit;
  return agreement;
}

std::string refusal(const ClockAgreement& agreement) {
  if (agreement.accepted) return {};
  return "at the end of the period the model of this rank's clock was " + rounded(agreement.miss) +
         " off, where its bound and the comparison explain " + rounded(agreement.limit) +
         ": a clock was set or changed its rate";
}

}  // namespace assay
