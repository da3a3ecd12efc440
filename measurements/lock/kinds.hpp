// SPDX-License-Identifier: Apache-2.0
// The locks that there are, by their words.
#pragma once
#include <pthread.h>

#include "ck/locks.hpp"
#include "lock/cohort.hpp"
#include "lock/lock.hpp"
#include "lock/mutex.hpp"
#include "lock/queue.hpp"
#include "lock/sysv_semaphore.hpp"
#include "lock/ticket.hpp"

namespace assay {

/// Waits in user space only.
class Spinlock {
 public:
  using Object = Spinlock;
  static constexpr Waiting waiting = Waiting::spins;
  static constexpr bool exclusive = true;
  static constexpr bool any_thread = true;

  explicit Spinlock(const Setup& setup) {
    accept(pthread_spin_init(&lock_, between_processes(setup) ? PTHREAD_PROCESS_SHARED : PTHREAD_PROCESS_PRIVATE),
           "pthread_spin_init");
  }
  Spinlock(const Spinlock&) = delete;
  Spinlock& operator=(const Spinlock&) = delete;
  ~Spinlock() { pthread_spin_destroy(&lock_); }

  static int lock(Spinlock& object) { return pthread_spin_lock(&object.lock_); }
  static int unlock(Spinlock& object) { return pthread_spin_unlock(&object.lock_); }

 private:
  pthread_spinlock_t lock_;
};

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

/// Calls `use<L>(word)` for each kind of lock of which a member can hold several at a time.
template <class Use>
void for_each_lock(Use use) {
  for_each_mutex(use);
  use.template operator()<Spinlock>("spinlock");
  use.template operator()<WriteLock>("rwlock-write");
  use.template operator()<ReadLock>("rwlock-read");
  use.template operator()<TicketLock>("ticket");
  use.template operator()<SysvLock>("sysv-sem");
}

/// Calls `use<L>(word)` for each kind of lock in which members have places.
template <class Use>
void for_each_placed_lock(Use use) {
  use.template operator()<McsLock>("mcs");
  use.template operator()<ClhLock>("clh");
  use.template operator()<CohortLock>("cohort");
  use.template operator()<CkTicket>("ck-ticket");
  use.template operator()<CkMcs>("ck-mcs");
  use.template operator()<CkClh>("ck-clh");
}

}  // namespace assay
