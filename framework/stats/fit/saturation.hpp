// SPDX-License-Identifier: Apache-2.0
// The gap by saturation: bursts that grow until the mean time per message settles.
#pragma once
#include <span>

#include "stats/fit/derive.hpp"

namespace assay {

/// The mean time per message of the first burst at which it has settled: it differs by less than 1 % from that of a
/// burst of half the length or less before it, and the round trip that each burst contains, the time of the shortest
/// one, is less than eps / 2 of the whole (Kielmann, Bal and Verstoep, Fast Measurement of LogP Parameters for Message
/// Passing Platforms, IPDPS workshops 2000). `bursts` are times over the number of messages, in any order, the shortest
/// of one message. Not valid, with the reason, while it does not settle, without a burst of one message, or where an
/// estimate has no interval. Throws std::invalid_argument unless 0 < eps < 1.
Derived saturation(std::span<const Abscissa> bursts, double eps);

}  // namespace assay
