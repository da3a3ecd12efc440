// SPDX-License-Identifier: Apache-2.0
// Pthread mutexes of every type and protocol.
#pragma once
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "lock/lock.hpp"

namespace assay {

/// The first four are types; the others are normal mutexes with one attribute each. `adaptive` keeps a spin count that
/// it learns from earlier use: its times depend on its history.
enum class MutexKind : std::uint8_t { normal, errorcheck, recursive, adaptive, robust, inheriting, ceiling, shared };

/// Attributes of one mutex. Refusals throw Unsupported.
class MutexAttributes {
 public:
  MutexAttributes(MutexKind kind, bool processes) {
    pthread_mutexattr_init(&attributes_);
    pthread_mutexattr_settype(&attributes_, type(kind));
    if (processes || kind == MutexKind::shared) pthread_mutexattr_setpshared(&attributes_, PTHREAD_PROCESS_SHARED);
    if (kind == MutexKind::robust) pthread_mutexattr_setrobust(&attributes_, PTHREAD_MUTEX_ROBUST);
    if (kind == MutexKind::inheriting) pthread_mutexattr_setprotocol(&attributes_, PTHREAD_PRIO_INHERIT);
    if (kind == MutexKind::ceiling) protect();
  }
  MutexAttributes(const MutexAttributes&) = delete;
  MutexAttributes& operator=(const MutexAttributes&) = delete;
  ~MutexAttributes() { pthread_mutexattr_destroy(&attributes_); }
  const pthread_mutexattr_t* get() const { return &attributes_; }

 private:
  static int type(MutexKind kind) {
    if (kind == MutexKind::errorcheck) return PTHREAD_MUTEX_ERRORCHECK;
    if (kind == MutexKind::recursive) return PTHREAD_MUTEX_RECURSIVE;
    return kind == MutexKind::adaptive ? PTHREAD_MUTEX_ADAPTIVE_NP : PTHREAD_MUTEX_NORMAL;
  }
  // The ceiling is the members' own priority: a higher one costs two calls of the scheduler for each lock.
  void protect() {
    sched_param own{};
    ::sched_getparam(0, &own);
    pthread_mutexattr_setprotocol(&attributes_, PTHREAD_PRIO_PROTECT);
    pthread_mutexattr_setprioceiling(&attributes_, std::max(own.sched_priority, ::sched_get_priority_min(SCHED_FIFO)));
  }
  pthread_mutexattr_t attributes_;
};

/// A mutex of one kind, shared between processes where the members are processes.
template <MutexKind kind>
class Mutex {
 public:
  using Object = Mutex;
  static constexpr Waiting waiting = Waiting::either;
  static constexpr bool exclusive = true;
  static constexpr bool any_thread =
      kind == MutexKind::normal || kind == MutexKind::adaptive || kind == MutexKind::shared;

  explicit Mutex(const Setup& setup) {
    // Under another policy the first lock is refused, and the later ones succeed without any effect on priorities.
    if (kind == MutexKind::ceiling && !setup.wakes_without_preemption())
      throw Unsupported("a mutex with a priority ceiling needs a real-time policy; ask for policy = fifo or rr", "N8");
    const MutexAttributes attributes(kind, between_processes(setup));
    if (const int error = pthread_mutex_init(&mutex_, attributes.get()); error == ENOTSUP)
      throw Unsupported("the system has no mutexes of this kind");
    else
      accept(error, "pthread_mutex_init");
  }
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;
  ~Mutex() { pthread_mutex_destroy(&mutex_); }

  static int lock(Mutex& object) { return pthread_mutex_lock(&object.mutex_); }
  static int unlock(Mutex& object) { return pthread_mutex_unlock(&object.mutex_); }
  /// For what else takes a mutex: condition variables, recovery.
  pthread_mutex_t* native() { return &mutex_; }

 private:
  pthread_mutex_t mutex_;
};

}  // namespace assay
