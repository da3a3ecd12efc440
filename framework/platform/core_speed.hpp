// SPDX-License-Identifier: Apache-2.0
// How fast the calling thread's core is right now, told by work of fixed latency.
#pragma once
#include "base/units.hpp"

namespace assay {

/// Time of one integer multiplication that waits for the one before it (3 cycles on most machines): the fastest of four
/// chains of 2000, which an interrupt cannot hit all. Takes some 8 us; needs no privilege, and works in guests.
Nanoseconds core_step();

}  // namespace assay
