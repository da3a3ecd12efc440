// SPDX-License-Identifier: Apache-2.0
// The protocol that every member obeys: wait for a lease, enter, run, report.
#pragma once
#include "api/measurement.hpp"
#include "base/batch.hpp"
#include "team/mailbox.hpp"

namespace assay {

/// Runs one batch on the calling member between two guard readings; exceptions pass through.
MemberReport run_guarded(Measurement& measurement, Member& member, Reps reps, const Heartbeat& heartbeat);

/// The life of members 1..n-1 after enter: serves leases until told to leave, then calls leave on the measurement. What
/// it throws is written to the slot and ends the loop; returns false then.
bool serve(Measurement& measurement, Member& member, Mailbox& mailbox);

/// Member 0's side. Publishes a lease and waits until all others have left the mailbox for it.
void publish(Mailbox& mailbox, Command command, Reps reps);
/// Waits until every other member has finished the current lease. Throws MemberFailed when one has failed.
void collect(Mailbox& mailbox);

/// One side of the reference channel: `round_trips` strictly alternating exchanges, bounded spinning with a yield.
void exchange(Mailbox& mailbox, bool initiator, int round_trips);

}  // namespace assay
