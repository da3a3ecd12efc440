// SPDX-License-Identifier: Apache-2.0
// The protocol that every member obeys: wait for a lease, enter, run, report.
#pragma once
#include <functional>
#include <string>

#include "api/measurement.hpp"
#include "api/simulated_cores.hpp"
#include "base/batch.hpp"
#include "team/local/mailbox.hpp"

namespace assay {

/// What a batch is guarded with.
struct Guarding {
  const Heartbeat& heartbeat;
  bool reads_core = true;  ///< the machine's; else what simulated cores say, if the measurement has any
  /// Where the members part together: the mailbox through which, and the number of the lease.
  Mailbox* meeting = nullptr;
  std::uint32_t number = 0;
};

/// The measurement's simulated cores; nullptr where it has none.
SimulatedCores* cores_of(Measurement& measurement);
/// What the calling member's core is like while the others rest: the machine's, or a simulated one. Not taken where
/// there is neither.
CoreLook look_at_core(Measurement& measurement, Member& member, const Mailbox& mailbox);

/// Runs one batch on the calling member between two guard readings, and these between two readings of its core; on a
/// simulated core there are no guards, and its time is the member's own; exceptions pass through. `gate` is called
/// after the first readings, right before the batch. Members that part together take the readings behind it one after
/// the other, when all are through: on a CPU that they share, what one does behind its part would else be in the part
/// of another, which waits for the CPU.
MemberReport run_guarded(
    Measurement& measurement, Member& member, Reps reps, const Guarding& guarding,
    const std::function<void()>& gate = [] {});

/// Called with rank and reason on a member that fails in a batch, after its slot has the reason. Must not throw.
using OnFailure = std::function<void(int rank, const std::string& why)>;

/// The life of members 1..n-1 of this process once in place: serves leases until the command to leave, then calls leave
/// on the measurement if it has entered. What it throws is written to its slot and ends the loop; returns false then.
bool serve(Measurement& measurement, Member& member, int slot, Mailbox& mailbox, const OnFailure& on_failure = {});
/// Tells the first member that the first lease is done, or that the exception being handled ended this one.
void report_in_place(int slot, Mailbox& mailbox) noexcept;
void report_not_in_place(int slot, Mailbox& mailbox) noexcept;

/// Member 0's side. Publishes a lease and waits until all others have left the mailbox for it, or any has failed.
void publish(Mailbox& mailbox, Command command, Reps reps);
/// Member 0's own batch: its guards are taken when all others have entered, and it starts when they are about to, as
/// far as that is possible by polling for a few microseconds. Where the mailbox awaits it, `start` is called then, and
/// all start when it returns.
MemberReport run_first(
    Measurement& measurement, Member& member, Mailbox& mailbox, Reps reps, const std::function<void()>& start = [] {});
/// Waits until every other member has finished the current lease. Throws what a member that failed has thrown
/// (mailbox.hpp), without waiting for the others.
void collect(Mailbox& mailbox);
/// Publishes the last lease, without waiting.
void dismiss(Mailbox& mailbox) noexcept;

}  // namespace assay
