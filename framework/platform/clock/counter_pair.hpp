// SPDX-License-Identifier: Apache-2.0
// Whether the cycle counters of two CPUs are one clock, found out by taking turns.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace assay {

/// Reads a counter on the CPU that the caller is bound to; `side` is 0 or 1.
using ReadCounter = std::function<std::int64_t(int side)>;

/// Stamps of two threads bound to the CPUs, in turns: each is taken after the other side's last one was seen. Shorter
/// than `turns` when a CPU does not answer for a second. Throws PlatformError when a CPU is not available.
std::vector<std::int64_t> stamps_in_turns(int cpu, int other, int turns, const ReadCounter& read);

/// Why one-way times cannot be determined from such time stamps: one lies before the one that it was taken after, or
/// there are fewer than ten. Empty when there is no evidence against it.
std::string pair_objection(std::span<const std::int64_t> stamps, double ns_per_tick);

/// The same for what `read` reads on two CPUs, looked at by a child process, so that no thread was ever in this
/// one. A child that fails is an objection.
std::string counter_pair_objection(int cpu, int other, double ns_per_tick, const ReadCounter& read);

}  // namespace assay
