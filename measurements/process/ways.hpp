// SPDX-License-Identifier: Apache-2.0
// What the measuring process and the small program that makes the processes say to each other.
#pragma once
#include <cstdint>

namespace assay {

/// How a process is made and what becomes of it.
enum class ProcessWay : std::int32_t { fork_exit, fork_exec, shell, vfork_exec, posix_spawn, clone3 };

/// Their names, in the order of the numbers.
inline constexpr const char* process_ways[] = {"fork-exit",  "fork-exec",   "shell",
                                               "vfork-exec", "posix-spawn", "clone3"};

/// Asks for so many processes, each waited for before the next.
struct ProcessOrder {
  ProcessWay way{};
  std::int64_t count = 0;
};

/// What came of it.
struct ProcessReport {
  std::int64_t nanoseconds = 0;  ///< from before the first to after the last, by CLOCK_MONOTONIC
  std::int64_t ended = 0;        ///< processes that ended as they should
  std::int32_t status = 0;       ///< of the first that ended otherwise, as waitpid reports it
  std::int32_t error = 0;        ///< why one could not be made: errno, else 0
};

/// Exit status of the small program where its 12 bytes could not be written because nothing is open there: the proof
/// that it was started, and as it should be.
inline constexpr int nothing_open = 12;
/// Exit status of a process that does nothing else.
inline constexpr int only_ended = 1;

/// The descriptor through which the program and its starter talk.
inline constexpr int child_descriptor = 3;

}  // namespace assay
