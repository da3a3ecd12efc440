// SPDX-License-Identifier: Apache-2.0
// Pieces that pass through the measured round trips, where the straight lines of LogGP do not.
#pragma once
#include "record/simulator/message_parameters.hpp"

namespace assay::simulator {

/// Of a measured round trip, by which a piece's line may miss it and still stand for it.
inline constexpr double most_missed = 0.05;

/// The channel for a simulator that takes as many pieces as there are: a piece whose line misses a measured round trip
/// by more than most_missed becomes one piece between each two of its sizes, straight between what was measured. What
/// falls from one size to the next is level, as isotonic regression (pool adjacent violators) has it. The overheads
/// keep their lines; where they are more than half of one of the round trips, all of them are shortened by as much. The
/// remarks say which pieces these are.
MessageChannel through_measured(MessageChannel channel);

}  // namespace assay::simulator
