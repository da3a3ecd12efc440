// SPDX-License-Identifier: Apache-2.0
// Repetitions in parts that a channel can hold without a receiver.
#pragma once
#include <algorithm>
#include <cstdint>

#include "base/units.hpp"

namespace assay {

/// Calls `part` with parts of `reps` of at most `most` (1 or more) repetitions each, in the same way on every member.
template <class Part>
void in_chunks(Reps reps, std::int64_t most, Part part) {
  for (std::int64_t left = reps.count; left > 0;) {
    const Reps now{std::min(left, most)};
    part(now);
    left -= now.count;
  }
}

}  // namespace assay
