// SPDX-License-Identifier: Apache-2.0
// The action before the first visit of a fresh incarnation.
#pragma once
#include <cstdint>
#include <functional>

#include "api/description.hpp"
#include "base/clock.hpp"
#include "base/units.hpp"
#include "team/team.hpp"

namespace assay {

/// What the warm-up took.
struct WarmUp {
  Nanoseconds time{};  ///< of the action
  std::int64_t reps = 0;
  Nanoseconds took{};  ///< on the clock, with what lies between the batches
};

/// Runs batches of doubling length, from the least repetitions allowed to the most, until the action has run for
/// `wanted`: the claimed time of the primary quantity where that is a time, else the wall time of the batches. Ends as
/// well when ten times `wanted` have passed on `clock`. At least one batch, unless `wanted` is 0: nothing runs then.
/// Calls `between_batches` after each batch. Passes on what the team throws.
WarmUp warm_up(
    Team& team, const Description& description, const RepsBounds& bounds, Nanoseconds wanted, const Clock& clock,
    const std::function<void()>& between_batches = [] {});

}  // namespace assay
