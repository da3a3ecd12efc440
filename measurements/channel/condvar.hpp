// SPDX-License-Identifier: Apache-2.0
// A counter under a mutex with a condition variable: the predicate form.
#pragma once
#include <pthread.h>

#include <cstdint>
#include <limits>

#include "channel/channel.hpp"

namespace assay {

/// Sending increments the counter under the mutex and signals after unlocking; receiving waits while the counter has
/// not moved.
class Condvar {
  struct alignas(line_size) Post {
    explicit Post(int scope) {
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
    Post(const Post&) = delete;
    Post& operator=(const Post&) = delete;
    ~Post() {
      pthread_cond_destroy(&condition);
      pthread_mutex_destroy(&mutex);
    }
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    std::uint32_t sent = 0;
  };
  static int scope(const Setup& setup) {
    return setup.vehicle() == "thread" ? PTHREAD_PROCESS_PRIVATE : PTHREAD_PROCESS_SHARED;
  }

 public:
  explicit Condvar(Setup& setup) : posts_{&setup.share<Post>(scope(setup)), &setup.share<Post>(scope(setup))} {}
  static Traits traits() { return {.vehicles = {"thread", "process"}, .waiting = Waiting::either}; }
  std::int64_t capacity() const { return std::numeric_limits<std::int32_t>::max(); }

  void enter(Member&) {}
  void settle(Member&, Direction) {}  // what is sent is there
  void send(Member&, Direction direction) {
    Post& post = *posts_[index(direction)];
    pthread_mutex_lock(&post.mutex);
    ++post.sent;
    pthread_mutex_unlock(&post.mutex);
    pthread_cond_signal(&post.condition);
  }
  void receive(Member& member, Direction direction) {
    Post& post = *posts_[index(direction)];
    const std::uint32_t seen = counters_[side(member)].received++;
    pthread_mutex_lock(&post.mutex);
    while (post.sent == seen) pthread_cond_wait(&post.condition, &post.mutex);
    pthread_mutex_unlock(&post.mutex);
  }

 private:
  std::array<Post*, 2> posts_;
  BothCounters counters_{};
};

}  // namespace assay
