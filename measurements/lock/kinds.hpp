// SPDX-License-Identifier: Apache-2.0
// The locks that there are, by their words.
#pragma once
#include "lock/mutex.hpp"
#include "lock/rwlock.hpp"
#include "lock/spinlock.hpp"

namespace assay {

/// Calls `use<L>(word)` for each kind of mutex.
template <class Use>
void for_each_mutex(Use use) {
  use.template operator()<Mutex<MutexKind::normal>>("mutex");
  use.template operator()<Mutex<MutexKind::errorcheck>>("mutex-errorcheck");
  use.template operator()<Mutex<MutexKind::recursive>>("mutex-recursive");
  use.template operator()<Mutex<MutexKind::adaptive>>("mutex-adaptive");
  use.template operator()<Mutex<MutexKind::robust>>("mutex-robust");
  use.template operator()<Mutex<MutexKind::inheriting>>("mutex-pi");
  use.template operator()<Mutex<MutexKind::ceiling>>("mutex-pp");
  use.template operator()<Mutex<MutexKind::shared>>("mutex-shared");
}

/// Calls `use<L>(word)` for each kind of lock.
template <class Use>
void for_each_lock(Use use) {
  for_each_mutex(use);
  use.template operator()<Spinlock>("spinlock");
  use.template operator()<WriteLock>("rwlock-write");
  use.template operator()<ReadLock>("rwlock-read");
}

}  // namespace assay
