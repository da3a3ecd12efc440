// SPDX-License-Identifier: Apache-2.0
// Room: facts of the machine and checks of its settings.
// Facts about the machine and its settings, for provenance.
#pragma once
#include <string>
#include <vector>

#include "platform/topology/topology.hpp"

namespace assay {

/// One fact. Keys are stable words: "cpu.model", "kernel.release", "clock.source", ... A fact that cannot be read has
/// the value "not available: why".
struct Fact {
  std::string key;
  std::string value;
};

/// CPU, kernel, C library and thread library, clock source, hypervisor, governor, turbo, SMT, limits, huge pages, the
/// system's shell, address randomisation, load, cgroup quota; in the order of their keys. Reads /proc and /sys only;
/// never fails as a whole.
std::vector<Fact> machine_facts(const Topology& topology);

/// What says how the kernel preempts itself; each may be empty.
struct PreemptionTexts {
  std::string modes;      ///< "none (voluntary) full", of the scheduler's directory in debugfs
  std::string parameter;  ///< of `preempt=` on the kernel's command line
  std::string options;    ///< that the kernel was built with, a line each
  std::string version;    ///< "#1 SMP PREEMPT_DYNAMIC ..."
};

/// "none", "voluntary", "lazy", "full", "real-time", by the first text that says it, or "none or voluntary" where the
/// version names no preemption. Throws PlatformError where it can be changed while the system runs, and is not
/// readable.
std::string preemption_of(const PreemptionTexts& texts);

/// The C library and thread library that this process runs with: "glibc 2.36, NPTL 2.36".
std::string own_library();

/// True where the kernel knows of no second hardware thread on any core and no hypervisor could hide one: no other work
/// shares a core at the same time. Never throws; false where it is not known.
bool one_thread_per_core();

/// True in the guest of a hypervisor, as far as the processor says so. Never throws.
bool is_virtual_machine();

/// Bytes of memory that can be used without swapping: what the kernel says is available, or the room that control
/// groups leave where that is less. Throws PlatformError where the kernel does not say.
std::size_t available_memory();

}  // namespace assay
