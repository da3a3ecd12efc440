// SPDX-License-Identifier: Apache-2.0
// For a process that must not wait forever for another one that may have died.
#pragma once
#include "base/units.hpp"

namespace assay {

/// Ends this process with exit code 1 and `why` on standard error unless called again within `patience`, rounded up to
/// seconds; a patience of 0 takes it back. One per process, by the kernel's timer and SIGALRM: nothing of it runs until
/// then. `why` is borrowed. Throws PlatformError.
void hold_dead_mans_switch(Nanoseconds patience, const char* why);

}  // namespace assay
