// SPDX-License-Identifier: Apache-2.0
// The pthread read-write lock, taken for writing or for reading.
#pragma once
#include <pthread.h>

#include "lock/lock.hpp"

namespace assay {

/// With the library's default preference, which is for readers.
class RwLockObject {
 public:
  explicit RwLockObject(const Setup& setup) {
    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
    if (between_processes(setup)) pthread_rwlockattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    const int error = pthread_rwlock_init(&lock, &attributes);
    pthread_rwlockattr_destroy(&attributes);
    accept(error, "pthread_rwlock_init");
  }
  RwLockObject(const RwLockObject&) = delete;
  RwLockObject& operator=(const RwLockObject&) = delete;
  ~RwLockObject() { pthread_rwlock_destroy(&lock); }

  pthread_rwlock_t lock;
};

/// One way to hold it.
template <bool writes>
struct RwLock {
  using Object = RwLockObject;
  static constexpr Waiting waiting = Waiting::either;
  static constexpr bool exclusive = writes;
  static constexpr bool any_thread = false;
  static int lock(Object& object) {
    return writes ? pthread_rwlock_wrlock(&object.lock) : pthread_rwlock_rdlock(&object.lock);
  }
  static int unlock(Object& object) { return pthread_rwlock_unlock(&object.lock); }
};
using WriteLock = RwLock<true>;
using ReadLock = RwLock<false>;

}  // namespace assay
