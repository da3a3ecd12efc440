// SPDX-License-Identifier: Apache-2.0
// What the guards say about a batch: its regime, and whether something disturbed it. Pure functions of reports.
#pragma once
#include <optional>

#include "api/description.hpp"
#include "base/batch.hpp"
#include "platform/placement/placement.hpp"

namespace assay {

/// Limits of the guards.
struct GuardLimits {
  double stolen_share = 0.05;                   ///< of wall time without CPU time, for members that never sleep
  Nanoseconds stolen_floor = microseconds(10);  ///< below this much missing time nothing is concluded
  Nanoseconds clock_slack = microseconds(1);    ///< how far below zero a claimed time may be: corrections overshoot
  std::int64_t sure_reps = 100;                 ///< so many take longer than reading the clock: no claim of 0 or less
  Nanoseconds late_start = microseconds(1);     ///< so late a start at an agreed time is too late
  double blocked_per_event = 0.95;              ///< voluntary switches per event in every responder: regime blocked
  double spin_per_event = 0.05;                 ///< switches of any kind per event in every member: regime spin
  double preempted_per_event = 0.5;             ///< of all members, at the least where one of them was `preempted`
  double one_sided = 0.85;                      ///< of these switches that are the one member's
  double few_elsewhere = 0.05;  ///< share of what was started that may run elsewhere, or not, and count as none, or all
};

/// Judges a batch by cause, never by value. Simulated measurements are never disturbed, and their regime is spin (solo
/// when alone). Switches, missing CPU time and major faults disturb only members that nothing may stop (Waiting none
/// and spins, and polls where members do not share CPUs). Of claims only those that count are looked at, and only
/// times. A partner is a member besides the first; it has to beat where any member does. Regime `blocked` asks for
/// voluntary switches, under Waiting::yields and polls for switches of any kind: there it says that every responder was
/// off its CPU at each event. Members that were on one CPU and preempted each other there are `mixed`, or `preempted`
/// where it was nearly always the same one. The spread is of what nothing binds, of members on one node.
Judgement judge(const Batch& batch, const Traits& traits, const Description& description, const Placement& placement,
                const GuardLimits& limits = {});

/// Which of the causes that a whole visit can be marked with leave its batches out: none where time is simulated, and
/// under Waiting::watches or with `includes_losses` only the sleep of the machine, since stolen and throttled time and
/// changes of speed are measured there.
Disturbances spoiling_visits(const Traits& traits);

/// The observation of one quantity: claims combined over members, divided as the quantity says. Nothing when a member
/// that counts claimed nothing, or the result is not finite. Throws std::out_of_range for an undeclared quantity.
std::optional<double> observe(const Batch& batch, const Description& description, std::size_t quantity,
                              const Traits& traits);

}  // namespace assay
