// SPDX-License-Identifier: Apache-2.0
// Two actions timed in one batch, so that one can be subtracted from the other.
#pragma once
#include <cstdint>

#include "api/measurement.hpp"

namespace assay {

/// The times of as many repetitions of each.
struct AroundTimes {
  Nanoseconds whole{}, base{};
  /// What the whole takes longer; negative where it does not.
  Nanoseconds net() const { return whole - base; }
};

/// Half of the repetitions of `whole`, all of `base`, and the other half: what drifts steadily cancels in the
/// difference.
template <class Whole, class Base>
AroundTimes timed_around(const Member& member, Reps reps, Whole whole, Base base) {
  const Reps half{reps.count / 2};
  AroundTimes times;
  if (half.count > 0) times.whole = member.timed(half, whole);
  times.base = member.timed(reps, base);
  times.whole += member.timed(Reps{reps.count - half.count}, whole);
  return times;
}

}  // namespace assay
