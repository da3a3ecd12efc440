// SPDX-License-Identifier: Apache-2.0
// Processes found by a mark in their environment, whatever group, session or parent they have by now.
#pragma once
#include <string>
#include <vector>

namespace assay {

/// Removes the names of message queues that process `pid`, which has ended, had not removed yet: those that
/// channel `message-queue` gives them, "/assay-PID-N". Whatever else exists under such a name is another program's, and
/// refuses. Never fails.
void remove_queues(int pid) noexcept;

/// Environment variable by which every process that a worker started can be found: "RUN.WORKER", where RUN is the tag
/// of a supervisor (new_run_tag) and WORKER counts its workers from 1.
inline constexpr const char* run_variable = "ASSAY_RUN";

/// A text that no other run has, now or later, on this machine or another (36 characters: the kernel's random UUID).
/// Throws PlatformError.
std::string new_run_tag();

/// Live processes that were started with ASSAY_RUN=`mark`, in ascending order; or, with any_worker, by any worker of
/// the run of that tag. Those of other users cannot be seen.
std::vector<int> processes_marked(const std::string& mark, bool any_worker = false);

/// Kills every process of the mark except this one, also those that appear meanwhile, and reaps those that are children
/// of this process. Returns what was found, as "NAME (process ID)". Gives up after a second.
std::vector<std::string> end_marked(const std::string& mark, bool any_worker = false);

}  // namespace assay
