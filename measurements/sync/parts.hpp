// SPDX-License-Identifier: Apache-2.0
// The parts of group `sync`, each compiled by itself.
#pragma once
#include "api/measurement.hpp"

namespace assay {

/// Locks that one member uses alone.
void register_uncontended(Registry& registry);
/// Condition variables without a message: unheard signals, waits that do not wait, broadcasts.
void register_conditions(Registry& registry);

/// Barriers of all members.
void register_barriers(Registry& registry);

/// The kernel's calls on words that members sleep on, and its memory barrier.
void register_futex(Registry& registry);

/// Reads beside a writer that reclaims.
void register_reads(Registry& registry);

/// Members that wake each other by turns, in batches and in windows of time; locks counted in windows.
void register_turns(Registry& registry);

/// Locks that many want, one whose owner is gone, and atomics that share their waiters' place.
void register_contended(Registry& registry);

}  // namespace assay
