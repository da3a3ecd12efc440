// SPDX-License-Identifier: Apache-2.0
// The mark of readings from before cores were asked for their clock.
#pragma once
#include "base/units.hpp"

namespace assay {

/// Stands for a step of the chain where none was timed, so that throughput over latency is throughput. Readings are
/// rounded to 1e-5 ns (platform/clock/yardstick.cpp), so that none is by chance what this is: a core of 3 GHz takes 1
/// ns.
inline constexpr Nanoseconds no_clock{1 + 1e-9};

}  // namespace assay
