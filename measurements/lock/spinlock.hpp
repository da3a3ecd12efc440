// SPDX-License-Identifier: Apache-2.0
// The pthread spinlock.
#pragma once
#include <pthread.h>

#include "lock/lock.hpp"

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

}  // namespace assay
