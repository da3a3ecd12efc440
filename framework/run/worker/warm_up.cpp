// SPDX-License-Identifier: Apache-2.0
// Warming up by doubling, bounded by the action's time and by the wall clock.
#include "run/worker/warm_up.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay {
namespace {

constexpr double warm_up_patience = 10;  ///< wall time allowed, as a multiple of the time wanted

/// The longest claim of the primary quantity; a claim that is no number or negative counts as nothing.
Nanoseconds claimed(const Batch& batch) {
  Nanoseconds longest{};
  for (const MemberReport& report : batch.members)
    if (report.claims.has(0) && std::isfinite(report.claims[0]))
      longest = std::max(longest, Nanoseconds{report.claims[0]});
  return longest;
}

Reps doubled(Reps reps, const RepsBounds& bounds) {
  return reps.count > bounds.most.count / 2 ? bounds.most : Reps{2 * reps.count};
}

}  // namespace

WarmUp warm_up(Team& team, const Description& description, const RepsBounds& bounds, Nanoseconds wanted,
               const Clock& clock, const std::function<void()>& between_batches) {
  WarmUp done;
  if (wanted <= Nanoseconds{}) return done;
  const bool claims_time = description.quantities.at(0).unit == Unit::nanoseconds;
  const Instant from = clock.now();
  Instant before = from;
  Reps reps = bounds.least;
  do {
    const Batch batch = team.run(reps);
    const Instant after = clock.now();
    between_batches();
    done.time += claims_time ? claimed(batch) : after - before;
    done.reps += std::min(reps.count, std::numeric_limits<std::int64_t>::max() - done.reps);
    before = after;
    reps = doubled(reps, bounds);
  } while (done.time < wanted && before - from < warm_up_patience * wanted);
  done.took = clock.now() - from;
  return done;
}

}  // namespace assay
