// SPDX-License-Identifier: Apache-2.0
// The clock that ranks have in common, for measurements that compare stamps of different ranks.
#pragma once
#include <optional>

#include "base/clock.hpp"
#include "base/units.hpp"

namespace assay {

/// The clock that the ranks of a place have in common, as one of them reads it: CLOCK_MONOTONIC of the first rank.
/// There for measurements whose Traits say that they compare stamps, and for batches that start at agreed times;
/// reading it elsewhere throws std::logic_error.
class CommonTime {
 public:
  virtual ~CommonTime() = default;
  /// Now: a reading of the own clock, converted.
  virtual Instant now() const = 0;
  /// The same for an earlier reading of this rank's own CLOCK_MONOTONIC, in nanoseconds as a Stopwatch has it.
  virtual Instant of(Instant own) const = 0;
  /// The agreed start of the batch that runs; nothing where it started otherwise.
  virtual std::optional<Instant> agreed_start() const = 0;
};

}  // namespace assay
