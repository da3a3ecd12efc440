// SPDX-License-Identifier: Apache-2.0
// The processes of a campaign of the built program, told by what they are, never by their place in a list.
#pragma once
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

#include "platform/process/process.hpp"
#include "platform/procfs/procfs.hpp"

namespace assay::test {

/// The live workers of a supervisor. What a sanitizer starts for a moment looks like its program, and hangs that when
/// it is killed: hence the command line.
inline std::vector<int> workers_of(int supervisor) {
  std::vector<int> all = children_of(supervisor);
  std::erase_if(
      all, [](int pid) { return process_file(pid, "cmdline").find(std::string("\0worker", 7)) == std::string::npos; });
  return all;
}

/// True when a process has ended, whether or not it has been waited for.
inline bool is_gone(int pid) {
  const auto stat = process_stat(pid);
  return !stat || stat->state == 'Z' || stat->state == 'X';
}

/// Whether something comes true before two minutes are over: long enough for any machine that is merely busy.
inline bool comes_true(const std::function<bool()>& condition) {
  for (int i = 0; i < 12'000; ++i) {
    if (condition()) return true;
    ::usleep(10'000);
  }
  return false;
}

}  // namespace assay::test
