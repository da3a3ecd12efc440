// SPDX-License-Identifier: Apache-2.0
// Threads that create threads: never more than so many at a time, the oldest joined first.
#pragma once
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <ctime>
#include <mutex>
#include <string>
#include <vector>

#include "api/measurement.hpp"
#include "thread/threads.hpp"
#include "work/work.hpp"

namespace assay {

/// What one creator creates: so many threads, so many of them at a time.
struct CreatorShare {
  std::int64_t creations = 0;
  std::int64_t slots = 0;
  friend bool operator==(const CreatorShare&, const CreatorShare&) = default;
};

/// The shares of all creators: each gets an equal part of what the ones before it have left, in whole numbers, so that
/// the totals are exact.
inline std::vector<CreatorShare> shares_of(CreatorShare all, std::int64_t creators) {
  std::vector<CreatorShare> shares;
  for (std::int64_t left = creators; left > 0; --left) {
    shares.push_back({all.creations / left, all.slots / left});
    all.creations -= shares.back().creations;
    all.slots -= shares.back().slots;
  }
  return shares;
}

/// What a created thread does: `rounds` times it computes (`loop` dependent multiplications), in `work` per cent of the
/// cases, by chance, or sleeps for 10 ms. Without rounds it ends at once.
struct ThreadLife {
  std::int64_t rounds = 0;
  std::int64_t work = 0;
  std::int64_t loop = 0;
  std::uint64_t seed = 1;

  void live(std::uint64_t number) const {
    std::uint64_t state = seed + number;
    for (std::int64_t i = 0; i < rounds; ++i) live_round(next(state) % 100);
  }

 private:
  void live_round(std::uint64_t chance) const {
    constexpr timespec ten_milliseconds{0, 10'000'000};
    if (static_cast<std::int64_t>(chance) < work)
      Compute{loop}();
    else
      ::nanosleep(&ten_milliseconds, nullptr);
  }
  // SplitMix64 (Steele, Lea and Flood, 2014).
  static std::uint64_t next(std::uint64_t& state) {
    std::uint64_t z = state += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }
};

/// As pthread_create; tests have others.
using CreateThread = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

/// What creators have in common.
struct CreatorPlan {
  ThreadAttributes attributes;
  bool is_joinable = true;
  ThreadLife life;
  CreateThread create = pthread_create;
};

/// The first refusal of any creator, which ends them all.
class FirstRefusal {
 public:
  bool has_come() const { return has_come_.load(std::memory_order_relaxed); }
  void tell(int error, const ThreadAttributes& attributes, std::size_t creator) {
    const std::lock_guard lock(mutex_);
    if (has_come()) return;
    Refusal refusal = refused_now(error, attributes);
    refusal.creator = creator;
    text_ = refusal_text(refusal, thread_limits(refusal.alive));
    has_come_.store(true, std::memory_order_relaxed);
  }
  /// Throws Unsupported where there was one. When all creators have ended.
  void raise() {
    if (!has_come_.exchange(false)) return;
    throw Unsupported(text_);
  }

 private:
  std::mutex mutex_;
  std::atomic<bool> has_come_{false};
  std::string text_;
};

/// Creates its share, and returns when all its threads have ended: joined, the oldest first, or, where they are
/// detached, when each has said so as the last thing that it does. A creator that has as many threads as it may waits
/// for one of them before it creates the next.
class Creator {
 public:
  /// All borrowed. `number` counts from 1.
  Creator(const CreatorPlan& plan, FirstRefusal& refusal, std::size_t number, std::int64_t most_slots)
      : plan_(plan), refusal_(refusal), number_(number), threads_(static_cast<std::size_t>(most_slots)) {}
  Creator(const Creator&) = delete;
  Creator& operator=(const Creator&) = delete;
  ~Creator() {
    pthread_cond_destroy(&ended_);
    pthread_mutex_destroy(&mutex_);
  }

  void create_all(CreatorShare share) {
    created_ = joined_ = most_alive_ = 0;
    while (created_ < share.creations && !refusal_.has_come()) {
      most_alive_ = std::max(most_alive_, await_fewer(share.slots) + 1);
      if (!create_one()) break;
    }
    await_fewer(1);
  }
  /// Of the last time: threads that were created, and the most of them that were there at a time.
  std::int64_t created() const { return created_; }
  std::int64_t most_alive() const { return most_alive_; }

 private:
  static void* live(void* creator) {
    auto& own = *static_cast<Creator*>(creator);
    const ThreadLife& life = own.plan_.life;
    if (life.rounds > 0) life.live(own.lives_.fetch_add(1, std::memory_order_relaxed) << 20U);
    if (!own.plan_.is_joinable) own.tell_end();
    return nullptr;
  }
  void tell_end() {
    pthread_mutex_lock(&mutex_);
    ++joined_;
    pthread_cond_signal(&ended_);
    pthread_mutex_unlock(&mutex_);
  }

  // Waits until there are fewer threads than that; how many there are.
  std::int64_t await_fewer(std::int64_t threads) {
    if (plan_.is_joinable) {
      while (created_ - joined_ >= threads) pthread_join(threads_[index(joined_++)], nullptr);
      return created_ - joined_;
    }
    pthread_mutex_lock(&mutex_);
    while (created_ - joined_ >= threads) pthread_cond_wait(&ended_, &mutex_);
    const std::int64_t alive = created_ - joined_;
    pthread_mutex_unlock(&mutex_);
    return alive;
  }
  bool create_one() {
    const int error = plan_.create(&threads_[index(created_)], plan_.attributes.get(), live, this);
    if (error != 0) {
      refusal_.tell(error, plan_.attributes, number_);
      return false;
    }
    ++created_;
    return true;
  }
  std::size_t index(std::int64_t thread) const { return static_cast<std::size_t>(thread) % threads_.size(); }

  const CreatorPlan& plan_;
  FirstRefusal& refusal_;
  std::size_t number_;
  std::vector<pthread_t> threads_;  // joinable ones, by creation modulo their number
  std::int64_t created_ = 0;
  std::int64_t joined_ = 0;  // or ended; of detached threads protected by the mutex
  std::int64_t most_alive_ = 0;
  std::atomic<std::uint64_t> lives_{0};
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t ended_ = PTHREAD_COND_INITIALIZER;
};

}  // namespace assay
