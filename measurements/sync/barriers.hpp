// SPDX-License-Identifier: Apache-2.0
// The barriers that are measured, as a compile-time concept.
#pragma once
#include <pthread.h>

#include <atomic>
#include <barrier>
#include <concepts>
#include <cstdint>

#include "channel/sleeping.hpp"
#include "lock/lock.hpp"

namespace assay {

/// All members of a team wait for each other. `wait` is given the member's rank and calls `each_poll` for every poll of
/// a barrier that polls, and never otherwise.
template <class B>
concept Barrier = std::constructible_from<B, Setup&> && requires(B barrier, void (*each_poll)()) {
  barrier.wait(0, each_poll);
  { B::traits() } -> std::same_as<Traits>;
};

/// A barrier whose members are found asleep at `sleeping_place`.
template <class B>
concept SleepingBarrier = Barrier<B> && requires(const B barrier) {
  { barrier.sleeping_place() } -> std::same_as<SleepingPlace>;
};

/// The library's barrier, constructed where all members can reach it.
class PthreadBarrierObject {
 public:
  explicit PthreadBarrierObject(const Setup& setup) {
    pthread_barrierattr_t attributes;
    pthread_barrierattr_init(&attributes);
    if (between_processes(setup)) pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    const int error = pthread_barrier_init(&barrier_, &attributes, static_cast<unsigned>(setup.members()));
    pthread_barrierattr_destroy(&attributes);
    accept(error, "pthread_barrier_init");
  }
  PthreadBarrierObject(const PthreadBarrierObject&) = delete;
  PthreadBarrierObject& operator=(const PthreadBarrierObject&) = delete;
  ~PthreadBarrierObject() { pthread_barrier_destroy(&barrier_); }
  void wait() { pthread_barrier_wait(&barrier_); }

 private:
  pthread_barrier_t barrier_;
};

/// pthread_barrier_wait.
class PthreadBarrier {
 public:
  explicit PthreadBarrier(Setup& setup) : barrier_(setup.share<PthreadBarrierObject>(setup)) {}
  static Traits traits() { return {.vehicles = local_vehicles(), .waiting = Waiting::either}; }
  SleepingPlace sleeping_place() const { return in_futex_of(barrier_); }
  template <class EachPoll>
  void wait(int, EachPoll) {
    barrier_.wait();
  }

 private:
  PthreadBarrierObject& barrier_;
};

/// std::barrier. Its state lies on the heap and its waits are private to a process: threads only.
class StdBarrier {
 public:
  explicit StdBarrier(Setup& setup) : barrier_(setup.share<std::barrier<>>(setup.members())) {}
  static Traits traits() { return {.vehicles = {"thread"}, .waiting = Waiting::either}; }
  SleepingPlace sleeping_place() const { return in_any_futex(); }
  template <class EachPoll>
  void wait(int, EachPoll) {
    barrier_.arrive_and_wait();
  }

 private:
  std::barrier<>& barrier_;
};

/// A counter that the last to arrive resets, and a generation that the others poll: the centralized barrier of
/// Mellor-Crummey and Scott (1991), with a growing number in place of a sense that is reversed.
class CentralBarrier {
  struct alignas(line_size) Missing {
    explicit Missing(int members) : count(members) {}
    std::atomic<int> count;
  };
  struct alignas(line_size) Generation {
    std::atomic<std::uint32_t> number{0};
  };

 public:
  explicit CentralBarrier(Setup& setup)
      : members_(setup.members()), missing_(setup.share<Missing>(members_)), generation_(setup.share<Generation>()) {}
  static Traits traits() { return {.vehicles = local_vehicles(), .waiting = Waiting::spins}; }
  template <class EachPoll>
  void wait(int, EachPoll each_poll) {
    const std::uint32_t own = generation_.number.load(std::memory_order_relaxed);  // cannot grow before this arrival
    if (missing_.count.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      missing_.count.store(members_, std::memory_order_relaxed);
      generation_.number.store(own + 1, std::memory_order_release);
      return;
    }
    for (; generation_.number.load(std::memory_order_acquire) == own; relax()) each_poll();
  }

 private:
  int members_;
  Missing& missing_;
  Generation& generation_;
};

}  // namespace assay
