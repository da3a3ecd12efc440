// SPDX-License-Identifier: Apache-2.0
// Whether the kernel killed for want of memory.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "platform/machine/cgroup.hpp"

namespace assay {

/// Processes that the kernel has killed for want of memory so far; nothing where it does not count them.
struct OutOfMemoryKills {
  std::optional<std::int64_t> in_group;    ///< of the calling process, and below
  std::optional<std::int64_t> on_machine;  ///< since it was started
};
OutOfMemoryKills out_of_memory_kills();

/// What a process that was killed by SIGKILL, and not by its parent, died of: "out of memory: ..." where the group's
/// counter has moved, a supposition where only the machine's has, else empty.
std::string want_of_memory(const OutOfMemoryKills& before, const OutOfMemoryKills& after);

}  // namespace assay
