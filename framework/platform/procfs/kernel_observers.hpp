// SPDX-License-Identifier: Apache-2.0
// Who has the kernel count or record what it does, which makes it slower for everyone.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace assay {

/// While one process counts events of its threads, the kernel takes a longer path in every switch between threads, of
/// all processes, and for a second afterwards (perf_sched_events in kernel/events/core.c of Linux): here 3 to 5 %.
/// The same holds for statistics of the scheduler and for tracing, which cost more.
struct KernelObservers {
  std::vector<std::string> found;  ///< "perf (123) counts performance events", "the tracer 'function' is on"
  std::size_t hidden = 0;          ///< processes whose descriptors this one may not see
};

inline constexpr const char* observers_meaning =
    "each switch between threads takes longer in all processes, by 3 to 5 % where events are counted, more where the "
    "kernel records";

/// Those there are now, but for this process and its descendants. `root` stands before /proc and /sys. Takes some 10 us
/// for each process.
KernelObservers kernel_observers(const std::string& root = {});

/// "perf (123) counts performance events, and the tracer 'function' is on"; of many the first three. Empty for none.
std::string to_text(const KernelObservers& observers);

}  // namespace assay
