// SPDX-License-Identifier: Apache-2.0
// The usual places where a receiver sleeps.
#pragma once
#include <sys/syscall.h>

#include "channel/channel.hpp"

namespace assay {

/// In a futex wait on a word inside `object`.
template <class T>
SleepingPlace in_futex_of(const T& object) {
  const auto low = reinterpret_cast<std::uint64_t>(&object);
  return {{SYS_futex, -1}, low, low + sizeof(T) - 1};
}

/// In a futex wait on a word that the library chose.
inline SleepingPlace in_any_futex() { return {{SYS_futex, -1}}; }

/// In `call` on a descriptor.
inline SleepingPlace on_descriptor(long call, int descriptor) {
  return {{call, -1}, static_cast<std::uint64_t>(descriptor), static_cast<std::uint64_t>(descriptor)};
}

}  // namespace assay
