// SPDX-License-Identifier: Apache-2.0
// A counter of each CPU's own, added to without an atomic operation: by a restartable sequence.
#pragma once
#include <cstdint>
#include <memory>

#include "api/measurement.hpp"

namespace assay {

/// Additions of 1 to the counter of the CPU that the thread is on, whichever that is: the kernel restarts a sequence
/// of instructions that was interrupted before its last one (rseq; Desnoyers, 2018). Defined in one of two sources,
/// chosen when the program is configured.
class PerCpuCounter {
 public:
  virtual ~PerCpuCounter() = default;
  /// The time of so many additions.
  virtual Nanoseconds add(const Member& member, Reps reps) = 0;
  /// Over all CPUs.
  virtual std::int64_t sum() const = 0;
};

/// Throws Unsupported where the processor, the C library or the kernel has none, and says which.
std::unique_ptr<PerCpuCounter> make_per_cpu_counter();

}  // namespace assay
