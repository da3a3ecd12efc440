// SPDX-License-Identifier: Apache-2.0
// The grounds on which a cycle counter is refused, and whether those of two CPUs are one clock, apart from any machine.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/units.hpp"

namespace assay {

/// What a machine shows of its cycle counter.
struct CounterEvidence {
  std::string architecture;  ///< "x86_64", "aarch64", or another word
  std::string cpu_info;      ///< text of /proc/cpuinfo
  std::string clock_source;  ///< the one that the kernel itself uses
  Nanoseconds read_cost{};   ///< of one fenced reading; 0 when not measured yet
};

/// Why the counter cannot be trusted; empty when there is no evidence against it. On x86-64: every CPU has the flags
/// constant_tsc and nonstop_tsc (Intel SDM volume 3, section 18.17; Linux's names), the kernel keeps its own time by
/// the counter, and a reading costs less than 100 ns (else a hypervisor traps it). On aarch64 it
/// is the virtual count of the generic timer, whose constant rate, common to all CPUs, the architecture promises (Arm
/// ARM, chapter D12) and whose ticks may be tens of ns; the other two are checked.
std::string counter_objection(const CounterEvidence& evidence);

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
