// SPDX-License-Identifier: Apache-2.0
// Room: what the kernel reports about processes and threads.
// Other processes as procfs shows them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// The ids of all processes that can be seen, in ascending order, zombies included. `root` stands before /proc.
std::vector<int> process_ids(const std::string& root = {});

/// A file of a process, or of one of its threads by "task/ID/NAME"; empty when the process is gone or does not show it.
std::string process_file(int pid, const std::string& name);

/// The fields of the stat file of a process or thread.
struct ProcessStat {
  std::string name;
  char state = '?';
  int parent = 0;
  int group = 0;
  std::int64_t cpu_ticks = 0;  ///< user and system time
};
/// Nothing for text that is not of that form. A name may hold anything, parentheses and spaces too.
std::optional<ProcessStat> parse_stat(std::string_view text);
/// Nothing when the process is gone.
std::optional<ProcessStat> process_stat(int pid);

}  // namespace assay
