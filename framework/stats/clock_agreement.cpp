// SPDX-License-Identifier: Apache-2.0
// The comparison of a model with what was found afterwards.
#include "stats/clock_agreement.hpp"

#include <algorithm>

#include "stats/phrase.hpp"

namespace assay {

ClockAgreement agrees(const ClockModel& before, const FitPoint& after) {
  const Nanoseconds open = half_width(after, before.drift);
  const Nanoseconds ahead = before.to_reference(after.local) - after.reference;
  ClockAgreement agreement;
  agreement.miss = ahead < Nanoseconds{} ? -1 * ahead : ahead;
  agreement.limit = before.bound + open;
  agreement.bound = std::max(before.bound, agreement.miss + open);
  agreement.accepted = agreement.miss <= agreement.limit;
  return agreement;
}

std::string refusal(const ClockAgreement& agreement) {
  if (agreement.accepted) return {};
  return "after the stretch the model of this rank's clock was " + rounded(agreement.miss) +
         " off, where its bound and the comparison explain " + rounded(agreement.limit) +
         ": a clock changed its rate or was set, or the stretch was too long for the drift that was known; "
         "synchronize more often, or over a longer time";
}

}  // namespace assay
