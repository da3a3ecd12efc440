// SPDX-License-Identifier: Apache-2.0
// Limits that control groups (version 1 and 2) set to the calling process and all above it, and whether the kernel
// killed for want of memory.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

/// Where control groups are found; tests put a directory of their own here.
struct CgroupView {
  std::string mount = "/sys/fs/cgroup";
  std::string membership;  ///< text of /proc/self/cgroup
};
/// The calling process's view. `membership` is empty where the kernel has no control groups.
CgroupView own_cgroups();

/// The smallest CPU bandwidth limit from the process's group up to the root, in CPUs (0.3 is 30 % of one). Nothing
/// without a limit.
std::optional<double> cpu_quota(const CgroupView& view);

/// The file that counts the periods in which the tightest of these limits was used up ("nr_throttled"). Empty without a
/// limit.
std::string throttle_file(const CgroupView& view);

/// The smallest room, limit less use that cannot be reclaimed, in bytes, from the process's group up to the root.
/// Nothing without a limit.
std::optional<std::int64_t> memory_room(const CgroupView& view);

/// The smallest room for more threads, from the process's group up to the root. Nothing without a limit.
std::optional<std::int64_t> thread_room(const CgroupView& view);

/// Processes that were killed for want of memory in the process's group and below. Nothing where that is not counted.
std::optional<std::int64_t> out_of_memory_kills(const CgroupView& view);

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
