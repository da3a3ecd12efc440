// SPDX-License-Identifier: Apache-2.0
// Times reported in cycles of the cores that they were measured on.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "record/record.hpp"
#include "record/shown_value.hpp"

namespace assay {

/// A time in ns in cycles of a clock that is known, its interval wider by what the clock may be wrong.
Estimate in_cycles(const Estimate& time, const CoreClock& clock);
/// The headline in cycles; nothing where the result has no clock. `why_no_cycles` then says why.
std::optional<Estimate> cycles_of(const Result& result);
std::string why_no_cycles(const Result& result);
/// The headline in cycles as text, with the digits that its interval supports, or all of them; "-" where it has none.
ShownValue shown_cycles(const Result& result, bool raw = false);

/// A clock that all of them have; nothing where one has none, they differ by more than 1 %, or there are none.
std::optional<CoreClock> common_clock(const std::vector<const Result*>& results);

/// Stands for a step of the chain where none was timed, so that throughput over latency is throughput. Readings are
/// rounded to 1e-5 ns (platform/clock/yardstick.cpp), so that none is by chance what this is: a core of 3 GHz takes 1
/// ns.
inline constexpr Nanoseconds no_clock{1 + 1e-9};

}  // namespace assay
