// SPDX-License-Identifier: Apache-2.0
// The processes that the test's supervisors have started.
#pragma once
#include <unistd.h>

#include <vector>

#include "platform/process/process.hpp"
#include "platform/procfs/procfs.hpp"

namespace assay::test {

/// Live children of this process without sentinels, which end with their supervisor.
inline std::vector<int> children() {
  std::vector<int> all = children_of(static_cast<int>(::getpid()));
  std::erase_if(all, [](int pid) {
    const auto stat = process_stat(pid);
    return stat && stat->name == "assay-sentinel";
  });
  return all;
}

}  // namespace assay::test
