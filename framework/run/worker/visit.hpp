// SPDX-License-Identifier: Apache-2.0
// One visit on an open team: reference, discarded batches, kept batches; and the action before the first one.
#pragma once
#include <cstdint>
#include <functional>

#include "api/description.hpp"
#include "base/clock.hpp"
#include "base/units.hpp"
#include "run/host.hpp"
#include "team/team.hpp"

namespace assay {

/// Exchanges of the reference channel beside a visit. The first few show whether the members are on CPUs of their own:
/// where they take turns on one, there is no distance to be known, and all of the exchanges would take several times as
/// long as the visit. Who was only held up has another chance.
inline constexpr int reference_round_trips = 5 * reference_places;
inline constexpr int reference_probe = 2;
inline constexpr int reference_probes = 3;

/// Executes a visit. A probe of the cores comes first, then the reference batch where the order contains it. While the
/// first kept batch is slower than 1.05 times the slowest of the others, it is discarded as well and one more batch is
/// run, until `most_discard` have been discarded. Slow is what takes long: the primary observation where it is an
/// unsigned time, else the wall time of the slowest member. Calls `between_batches` after each. Passes on what the team
/// throws.
VisitYield execute_visit(
    Team& team, const VisitOrder& order, const Description& description, const Traits& traits,
    const std::function<void()>& between_batches = [] {});

/// What the warm-up took.
struct WarmUp {
  Nanoseconds time{};  ///< of the action, as it claims it
  std::int64_t reps = 0;
  Nanoseconds took{};  ///< on the clock, with what lies between the batches
};

/// Runs batches of doubling length, from the least repetitions allowed to the most, and (where time is not simulated)
/// no longer than is expected to fill what is left, until the action has run for `wanted`: the wall time of the slowest
/// member, or what the primary quantity claims where that is a longer time, or where time is simulated. Ends as well
/// when three times `wanted` have passed on `clock`. At least one batch, unless `wanted` is 0: nothing runs then. Calls
/// `between_batches` after each batch. Passes on what the team throws.
WarmUp warm_up(
    Team& team, const Description& description, const Traits& traits, Nanoseconds wanted, const Clock& clock,
    const std::function<void()>& between_batches = [] {});

}  // namespace assay
