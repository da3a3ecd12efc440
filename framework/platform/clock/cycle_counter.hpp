// SPDX-License-Identifier: Apache-2.0
// The grounds on which a cycle counter is refused, apart from any machine.
#pragma once
#include <string>

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

}  // namespace assay
