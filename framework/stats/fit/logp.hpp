// SPDX-License-Identifier: Apache-2.0
// The LogP parameters that are computed, not measured: the latency by regime, the identities that it rests on, and the
// gap by saturation.
#pragma once
#include <optional>
#include <span>

#include "stats/fit/propagation.hpp"

namespace assay {

/// An estimate multiplied by a positive factor, interval and all.
Estimate scaled(Estimate estimate, double factor);

/// L while both members poll: RTT / 2 - o_s - o_r[ready] (Culler et al., LogP: Towards a Realistic Model of Parallel
/// Computation, PPoPP 1993; extraction as in Assessing Fast Network Interfaces, IEEE Micro 16, 1996), half-widths
/// combined as by difference(). Not valid, with value and interval kept, when the interval contains 0, and when it
/// lies below 0: the overheads then overlap with the message's way (code N5 at the start of the reason).
Derived polled_latency(const Estimate& rtt, const Estimate& o_s, const Estimate& o_r);

/// L + o_r: RTT / 2 - o_s, for a receiver that polls what the message changes, whose overhead is no separate number.
Derived polled_delivery(const Estimate& rtt, const Estimate& o_s);

/// L of a message to a receiver asleep: max(0, D), where D is the time from the return of the send to the return of the
/// receive. Not valid when D's interval contains 0, and when D is negative: the receiver was through before the sender
/// (N5). The receiver's processor time is never subtracted: most of it is spent before the message arrives.
Derived blocked_latency(const Estimate& d);

/// The same latency, not valid (N5) where D of the same regime is below 0 beyond its interval.
Derived unless_overlapped(Derived latency, const std::optional<Estimate>& d);

/// Whether two routes to one number agree: true when their ratio lies within `tolerance` of 1, false when it does not,
/// nothing when there is no ratio.
std::optional<bool> agrees(const Derived& ratio, double tolerance);

/// True when the gap is shorter than an overhead of the same regime beyond both intervals: regimes were mixed, or the
/// bursts were too short. An estimate without interval contradicts nothing.
bool contradicts(const Estimate& gap, const Estimate& overhead);

/// The mean time per message of the first burst at which it has settled: it differs by less than 1 % from that of a
/// burst of half the length or less before it, and the round trip that each burst contains, the time of the shortest
/// one, is less than eps / 2 of the whole (Kielmann, Bal and Verstoep, Fast Measurement of LogP Parameters for Message
/// Passing Platforms, IPDPS workshops 2000). `bursts` are times over the number of messages, in any order, the shortest
/// of one message. Not valid, with the reason, while it does not settle, without a burst of one message, or where an
/// estimate has no interval. Throws std::invalid_argument unless 0 < eps < 1.
Derived saturation(std::span<const Abscissa> bursts, double eps);

}  // namespace assay
