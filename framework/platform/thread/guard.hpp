// SPDX-License-Identifier: Apache-2.0
// Room: threads and what they share: CPUs, policies, futexes, memory, counters around timed regions.
// What the kernel knows about the calling thread: counters around a batch, binding and its proof.
#pragma once
#include <cstdint>
#include <vector>

#include "base/batch.hpp"

namespace assay {

/// A snapshot of the calling thread's counters. Costs two system calls; taken outside timed regions.
struct GuardReading {
  std::int64_t voluntary = 0;
  std::int64_t involuntary = 0;
  std::int64_t major_faults = 0;
  std::int64_t cpu_ns = 0;
  std::int64_t wall_ns = 0;
  int cpu = -1;
};
/// Takes one. `cpu_ns` and `wall_ns` are read next to each other, innermost: last for a reading before the batch
/// (`closing` false), first for one after it.
GuardReading read_guards(bool closing) noexcept;
/// Writes the differences into the report (all but claims and beats).
void store_guards(const GuardReading& before, const GuardReading& after, MemberReport& report) noexcept;

/// Binds the calling thread to the CPUs and reads the binding back. Throws PlatformError when refused or not in effect.
/// CPU sets are dynamic: any number of CPUs.
void bind_self(const std::vector<int>& cpus);
/// The calling thread's affinity mask, ascending.
std::vector<int> binding_of_self();

}  // namespace assay
