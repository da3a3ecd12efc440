// SPDX-License-Identifier: Apache-2.0
// The reference channel: an exchange of the same kind on every machine, measured beside each visit.
#pragma once
#include <functional>
#include <optional>

#include "api/stopwatch.hpp"
#include "base/units.hpp"
#include "team/local/mailbox.hpp"

namespace assay {

/// One side of the reference channel: `round_trips` strictly alternating exchanges, polled, with a yield occasionally
/// where the other side does not come. Returns false when not all were made: the initiator gives up once another member
/// has failed, or at a yield after `patience`, and the responder with it. The next exchange goes on from there.
bool exchange(Mailbox& mailbox, bool initiator, int round_trips, Nanoseconds patience = seconds(2));

/// The same where the lines are all that both sides share, between processes that sit on different CPUs: either side
/// gives up after `patience`, and the other with it.
bool exchange(ReferenceLines& lines, bool initiator, int round_trips, Nanoseconds patience);
/// How long a round trip takes, from the side that leads: `exchange_some` makes as many as it is told, and says whether
/// it made all of them. Each pass over all places is timed, and the median of their means is the answer: what holds up
/// one of them has no say. Fewer than a pass are one. Nothing where not all were made.
std::optional<Nanoseconds> time_round_trips(const Stopwatch& watch, int round_trips,
                                            const std::function<bool(int)>& exchange_some);
/// Before an exchange, while none is under way: whatever one before it came to, both sides start at the same turn.
void reset(ReferenceLines& lines);

}  // namespace assay
