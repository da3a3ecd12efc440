// SPDX-License-Identifier: Apache-2.0
// What the threads of a process group are doing: how a deadlock is distinguished from an endless loop.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace assay {

/// The name of a call that can wait or that spinning threads repeat; "system call 123" for another.
std::string system_call_name(long number);

/// What one thread of a worker's process group was doing when it was killed, as procfs reported it.
struct ThreadState {
  int process = 0;
  int thread = 0;
  std::string name;
  std::string state;           ///< the letter of procfs: R running, S sleeping, D uninterruptible, T stopped, Z gone
  std::int64_t cpu_ticks = 0;  ///< used between two looks: more than 0 for one that spins
  std::string waits_in;        ///< function of the kernel; empty when it cannot be read or nothing is waited for
  std::string system_call;     ///< its name or number; empty when it cannot be read or none is being executed
};

/// Every thread of the group's processes, by process and thread. Looks twice, 50 ms apart: who used CPU time in between
/// is not waiting. System calls can be seen in children of this process, and by the superuser.
std::vector<ThreadState> threads_of_group(int group);

/// The same in words: "both threads wait in futex", "the only thread spins", "1 of 3 threads spins, 2 wait in read".
/// Threads that have ended are left out; empty when there are no others.
std::string describe_threads(const std::vector<ThreadState>& threads);

}  // namespace assay
