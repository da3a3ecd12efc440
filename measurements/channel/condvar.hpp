// SPDX-License-Identifier: Apache-2.0
// A counter under a mutex with a condition variable: the predicate form.
#pragma once
#include <pthread.h>

#include <cstdint>
#include <limits>

#include "channel/channel.hpp"

namespace assay {

/// A counter that is changed and waited for under a mutex, with a condition variable on a line of its own.
struct alignas(line_size) GuardedCounter {
  /// Shared between processes where members are.
  explicit GuardedCounter(bool within_process) {
    const int scope = within_process ? PTHREAD_PROCESS_PRIVATE : PTHREAD_PROCESS_SHARED;
    pthread_mutexattr_t mutex_attributes;
    pthread_mutexattr_init(&mutex_attributes);
    pthread_mutexattr_setpshared(&mutex_attributes, scope);
    pthread_mutex_init(&mutex, &mutex_attributes);
    pthread_mutexattr_destroy(&mutex_attributes);
    pthread_condattr_t condition_attributes;
    pthread_condattr_init(&condition_attributes);
    pthread_condattr_setpshared(&condition_attributes, scope);
    pthread_cond_init(&condition, &condition_attributes);
    pthread_condattr_destroy(&condition_attributes);
  }
  GuardedCounter(const GuardedCounter&) = delete;
  GuardedCounter& operator=(const GuardedCounter&) = delete;
  ~GuardedCounter() {
    pthread_cond_destroy(&condition);
    pthread_mutex_destroy(&mutex);
  }
  void lock() { pthread_mutex_lock(&mutex); }
  void unlock() { pthread_mutex_unlock(&mutex); }
  void signal() { pthread_cond_signal(&condition); }
  /// Until the counter is no longer `seen`; under the mutex.
  void wait_beyond(std::uint32_t seen) {
    while (count == seen) pthread_cond_wait(&condition, &mutex);
  }

  pthread_mutex_t mutex;
  pthread_cond_t condition;
  std::uint32_t count = 0;
};

/// Where a sender signals: when it has released the mutex, or while it holds it. A woken receiver needs the mutex.
enum class Signalling : unsigned char { after_unlocking, inside };

/// Sending increments the counter under the mutex and signals; receiving waits while the counter has not moved.
template <Signalling where>
class Condvar {
 public:
  explicit Condvar(Setup& setup)
      : posts_{&setup.share<GuardedCounter>(within_process(setup)),
               &setup.share<GuardedCounter>(within_process(setup))} {}
  static Traits traits() { return {.vehicles = {"thread", "process"}, .waiting = Waiting::either}; }
  std::int64_t capacity() const { return std::numeric_limits<std::int32_t>::max(); }

  static constexpr Delivery delivery = Delivery::queued;
  SleepingPlace sleeping_place(Direction direction) const { return in_futex_of(posts_[index(direction)]->condition); }

  void enter(Member&) {}
  void leave(Member&) {}
  void settle(Member&, Direction) {}  // what is sent is there
  void send(Member&, Direction direction) {
    GuardedCounter& post = *posts_[index(direction)];
    post.lock();
    ++post.count;
    if constexpr (where == Signalling::inside) post.signal();
    post.unlock();
    if constexpr (where == Signalling::after_unlocking) post.signal();
  }
  void receive(Member& member, Direction direction) {
    GuardedCounter& post = *posts_[index(direction)];
    const std::uint32_t seen = counters_[side(member)].received++;
    post.lock();
    post.wait_beyond(seen);
    post.unlock();
  }

 private:
  std::array<GuardedCounter*, 2> posts_;
  BothCounters counters_{};
};

}  // namespace assay
