// SPDX-License-Identifier: Apache-2.0
// Limits that the kernel holds this process to, and how much of each is in use.
#pragma once
#include <cstddef>
#include <limits>

namespace assay {

/// Stands for a limit that is not set, or cannot be read.
inline constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

/// A limit of this process or its user, and how much of it is in use.
struct Usage {
  std::size_t limit = unlimited;
  std::size_t used = 0;
  std::size_t left() const { return limit > used ? limit - used : 0; }
};

/// Descriptors of this process (`ulimit -n`).
Usage descriptor_usage();
/// Processes and threads of this user (`ulimit -u`), of this process at least `own`; unlimited for the superuser, whom
/// the kernel does not hold to it.
Usage thread_usage(std::size_t own = 0);
/// Processes and threads of the control group (pids.max).
Usage group_usage();
/// Bytes of address space of this process (`ulimit -v`, worker-memory).
Usage address_usage();
/// Bytes that the system can give without swapping; unlimited where it is not reported.
std::size_t memory_left();

}  // namespace assay
