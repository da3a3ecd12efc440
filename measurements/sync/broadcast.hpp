// SPDX-License-Identifier: Apache-2.0
// One broadcast to many waiters: what it costs to call, and when the first and the last of them are released.
#pragma once
#include <semaphore.h>

#include <cerrno>
#include <cstdint>
#include <utility>

#include "lock/mutex.hpp"
#include "sync/barriers.hpp"
#include "sync/condition.hpp"
#include "sync/stamps.hpp"

namespace assay {

/// All members but the first wait for the next generation. The last of them to register says so while it holds the
/// mutex, so that member 0, once it has the mutex, knows that all are inside their wait. It then broadcasts, with the
/// mutex held or after giving it back. Waiters stamp when their wait returns, which is when they have the mutex.
class Broadcast final : public Measurement {
  // What the mutex protects, and how member 0 hears that all have registered.
  struct Generation {
    explicit Generation(const Setup& setup) { ::sem_init(&all_registered, between_processes(setup), 0); }
    Generation(const Generation&) = delete;
    Generation& operator=(const Generation&) = delete;
    ~Generation() { ::sem_destroy(&all_registered); }
    std::uint64_t number = 0;
    int registered = 0;
    sem_t all_registered;
  };

 public:
  /// Indexes of the declared quantities.
  static constexpr std::size_t call = 0;
  static constexpr std::size_t first = 1;
  static constexpr std::size_t last = 2;

  explicit Broadcast(Setup& setup)
      : mutex_(setup.share<Mutex<MutexKind::normal>>(setup)),
        condition_(setup.share<Condition>(setup)),
        generation_(setup.share<Generation>(setup)),
        meeting_(setup.share<PthreadBarrierObject>(setup)),
        stamps_(setup),
        waiters_(setup.members() - 1),
        held_(setup.word("held") == "yes") {}

  Claims run(Member& member, Reps reps) override {
    if (member.rank() == 0) return broadcast(member, reps);
    for (std::int64_t i = 0; i < reps.count; ++i) wait(member);
    return {};
  }

 private:
  Claims broadcast(Member& member, Reps reps) {
    const Stopwatch& watch = member.stopwatch();
    Nanoseconds calls, firsts, lasts;
    for (std::int64_t i = 0; i < reps.count; ++i) {
      const auto [from, to] = release_all(watch);
      meeting_.wait();
      calls += watch.between(from, to);
      firsts += watch.between(from, stamps_.earliest(0));
      lasts += watch.between(from, stamps_.latest(0));
    }
    return Claims{}.set(call, calls).set(first, firsts).set(last, lasts);
  }
  std::pair<std::int64_t, std::int64_t> release_all(const Stopwatch& watch) {
    while (::sem_wait(&generation_.all_registered) != 0 && errno == EINTR) {
    }
    pthread_mutex_lock(mutex_.native());
    ++generation_.number;
    if (!held_) pthread_mutex_unlock(mutex_.native());
    const std::int64_t from = watch.start();
    pthread_cond_broadcast(&condition_.native);
    const std::int64_t to = watch.stop();
    if (held_) pthread_mutex_unlock(mutex_.native());
    return {from, to};
  }
  void wait(Member& member) {
    pthread_mutex_lock(mutex_.native());
    const std::uint64_t seen = generation_.number;
    if (++generation_.registered == waiters_) {
      generation_.registered = 0;
      ::sem_post(&generation_.all_registered);
    }
    while (generation_.number == seen) pthread_cond_wait(&condition_.native, mutex_.native());
    stamps_.set(member, member.stopwatch().stop());
    pthread_mutex_unlock(mutex_.native());
    meeting_.wait();
  }

  Mutex<MutexKind::normal>& mutex_;
  Condition& condition_;
  Generation& generation_;
  PthreadBarrierObject& meeting_;  // where all sleep until the last is released
  MemberStamps stamps_;
  int waiters_;
  bool held_;
};

}  // namespace assay
