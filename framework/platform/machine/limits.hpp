// SPDX-License-Identifier: Apache-2.0
// Limits of resources: what is left of them, and which of them refused something.
#pragma once
#include <cstddef>
#include <limits>
#include <optional>
#include <string>

#include "base/units.hpp"

namespace assay {

/// Stands for a limit that is not set, or cannot be read.
inline constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

/// How many more threads (a process is at least one) and descriptors the limits allow now.
struct Headroom {
  std::size_t threads = 0;      ///< of the user, and of the control group where it limits them
  std::size_t descriptors = 0;  ///< of this process
};
Headroom process_headroom();

/// The limit that keeps this process from starting so many more threads or processes, with its number and how to change
/// it; the most likely one where none plainly does.
std::string thread_limit(std::size_t threads = 1);

/// The limit behind an error number: of descriptors for EMFILE and ENFILE. Empty for errors that are no limit's.
std::string limit_behind(int error_number);

/// CPU time after which the kernel would end this process (RLIMIT_CPU), less what it has used; nothing without a limit.
std::optional<Nanoseconds> cpu_time_left();

}  // namespace assay
