// SPDX-License-Identifier: Apache-2.0
// What a core was like at one instant, measured by two yardsticks: work of known amount, timed.
#pragma once
#include "base/units.hpp"

namespace assay {

/// Time per operation. Both zero: nothing was read.
struct CoreReading {
  Nanoseconds wide{};   ///< of independent additions: throughput, of which other work on the core takes a part
  Nanoseconds chain{};  ///< of multiplications that wait for the one before: latency, which is the core's clock
  /// Of a system call that does next to nothing: the way into the kernel and back, which has states that neither of the
  /// others tells. Read before a visit only; 0: not read.
  Nanoseconds call{};
  bool taken() const { return wide > Nanoseconds{} && chain > Nanoseconds{}; }
  friend bool operator==(const CoreReading&, const CoreReading&) = default;
};

/// A reading with the CPU on which it was taken.
struct CoreLook {
  int cpu = -1;  ///< -1: not known
  CoreReading core{};
};

}  // namespace assay
