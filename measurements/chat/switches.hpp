// SPDX-License-Identifier: Apache-2.0
// Context switches of the threads that a measurement has started.
#pragma once
#include <sys/resource.h>

#include <cstdint>

namespace assay {

/// By the kernel's two kinds.
struct SwitchCount {
  std::int64_t voluntary = 0;
  std::int64_t involuntary = 0;
  SwitchCount operator-(const SwitchCount& other) const {
    return {voluntary - other.voluntary, involuntary - other.involuntary};
  }
};

/// Of all threads of the process so far but the caller, which the guards know.
inline SwitchCount switches_of_others() {
  rusage all{};
  rusage own{};
  ::getrusage(RUSAGE_SELF, &all);
  ::getrusage(RUSAGE_THREAD, &own);
  return {all.ru_nvcsw - own.ru_nvcsw, all.ru_nivcsw - own.ru_nivcsw};
}

}  // namespace assay
