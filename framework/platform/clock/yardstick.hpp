// SPDX-License-Identifier: Apache-2.0
// How much of its core the calling thread has right now, and how fast that core is.
#pragma once
#include "base/core_reading.hpp"

namespace assay {

/// Times some 10 000 independent additions, then 400 multiplications that wait for each other: 0.9 and 0.4 us at 3 GHz,
/// longer where the clock's step is coarse. One try each: the best of several would hide a neighbour that works on and
/// off. What reading the clock costs is taken off. Needs no privilege and works in guests. A second hardware thread at
/// work on the core shows by 20 to 100 % in `wide` and hardly in `chain`; a change of the clock shows in both alike.
/// `length`: of the usual amount of work, for those who compare amounts. Never throws.
CoreReading read_core(double length = 1) noexcept;

/// The same for a thread that was asleep or did something else: the third of three. The first two after that are 7 and
/// 3 % slower in `wide` on a core that is alone (the loops' code, and branches that are predicted wrongly until their
/// length is known): nearly as much as the effect of a neighbour.
/// Then 16 system calls or more, by the clock's step, timed in four groups of which the first is slower: some 3 us; not
/// read where they take more than 4 us each, as below a tracer.
/// With the CPU; none where the thread was moved meanwhile. Never throws.
CoreLook look_at_core() noexcept;

/// Core cycles that one step of CoreReading::chain takes, by comparison with dependent additions of one cycle each: 3
/// on most machines. 0 where that yields no whole number, or the core was not left alone long enough. Takes a
/// millisecond at most.
int cycles_per_chain_step() noexcept;

}  // namespace assay
