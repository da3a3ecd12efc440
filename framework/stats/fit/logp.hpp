// SPDX-License-Identifier: Apache-2.0
// The LogP parameters that are computed, not measured: the latency by regime, and the identities that it rests on.
#pragma once
#include <optional>

#include "stats/fit/derive.hpp"

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

}  // namespace assay
