// SPDX-License-Identifier: Apache-2.0
// Names that a killed process can leave in the system.
#include "platform/process/leftover_queues.hpp"

#include <mqueue.h>

#include <array>
#include <cerrno>
#include <cstdio>

namespace assay {

void remove_queues(int pid) noexcept {
  constexpr int most = 64;  // names are taken in order, and given back at once: one exists at a time
  for (int number = 0; number < most; ++number) {
    std::array<char, 40> name{};
    std::snprintf(name.data(), name.size(), "/assay-%d-%d", pid, number);
    if (::mq_unlink(name.data()) != 0 && errno == ENOENT) return;
  }
}

}  // namespace assay
