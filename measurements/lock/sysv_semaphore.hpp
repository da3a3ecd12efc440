// SPDX-License-Identifier: Apache-2.0
// Semaphores of System V: objects of the kernel that every operation is a call on.
#pragma once
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/syscall.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <string>
#include <system_error>

#include "lock/lock.hpp"

namespace assay {

/// A set of one semaphore. It outlives the processes that use it: its key is of a range of our own, so that what a
/// killed process left is found and removed when the next is made.
class SysvSemaphore {
 public:
  /// Throws Unsupported where the system grants none.
  explicit SysvSemaphore(int value) : id_(made()) {
    Argument argument{};
    argument.value = value;
    ::semctl(id_, 0, SETVAL, argument);
  }
  SysvSemaphore(const SysvSemaphore&) = delete;
  SysvSemaphore& operator=(const SysvSemaphore&) = delete;
  ~SysvSemaphore() { ::semctl(id_, 0, IPC_RMID); }

  int id() const { return id_; }
  /// Adds 1. 0, or -1 with errno.
  int post() {
    order_.store(0, std::memory_order_release);
    return change(1);
  }
  /// Takes 1, or waits for it. 0, or -1 with errno.
  int wait() {
    const int result = change(-1);
    static_cast<void>(order_.load(std::memory_order_acquire));
    return result;
  }

  /// Removes the sets of our range that no living process has used last; how many. What others may not remove stays.
  static int remove_left() {
    seminfo limits{};
    Argument argument{};
    argument.limits = &limits;
    const int last = ::semctl(0, 0, SEM_INFO, argument);
    int removed = 0;
    for (int at = 0; at <= last; ++at) removed += remove_if_left(at);
    return removed;
  }

 private:
  static constexpr std::uint32_t range = 0xa55a0000U;
  static constexpr std::uint32_t keys = 0x10000U;
  // As semctl's callers have to declare it.
  union Argument {
    int value;
    semid_ds* state;
    seminfo* limits;
  };

  int change(short by) {
    sembuf operation{.sem_num = 0, .sem_op = by, .sem_flg = 0};
    return ::semop(id_, &operation, 1);
  }
  static int made() {
    remove_left();
    for (std::uint32_t i = 0; i < keys; ++i) {
      const int id = ::semget(static_cast<key_t>(range + i), 1, IPC_CREAT | IPC_EXCL | 0600);
      if (id >= 0) return id;
      if (errno != EEXIST) break;
    }
    throw Unsupported("the system has no further semaphore of System V: " + std::generic_category().message(errno) +
                      "; see ipcs -s and /proc/sys/kernel/sem");
  }
  static int remove_if_left(int at) {
    semid_ds state{};
    Argument argument{};
    argument.state = &state;
    const int id = ::semctl(at, 0, SEM_STAT, argument);
    if (id < 0 || (static_cast<std::uint32_t>(state.sem_perm.__key) & ~(keys - 1)) != range) return 0;
    // By the process that changed it last: 0 between its creation and its first value.
    const int user = ::semctl(id, 0, GETPID);
    if (user <= 0 || ::kill(user, 0) == 0 || errno != ESRCH) return 0;
    return ::semctl(id, 0, IPC_RMID) == 0;
  }

  int id_;
  std::atomic<int> order_{0};  // what was written before a post is seen after the wait: by the language's rules too
};

/// One that is 1 as a lock.
struct SysvLock {
  struct Object {
    explicit Object(const Setup&) : semaphore(1) {}
    SysvSemaphore semaphore;
  };
  static constexpr Waiting waiting = Waiting::either;
  static constexpr bool exclusive = true;
  static constexpr bool any_thread = true;
  static constexpr std::size_t most_objects = 1;  // the kernel has few, and where they are is up to it
  static int lock(Object& object) {
    for (;;) {
      if (object.semaphore.wait() == 0) return 0;
      if (errno != EINTR) return errno;
    }
  }
  static int unlock(Object& object) { return object.semaphore.post() == 0 ? 0 : errno; }
};

}  // namespace assay
