// SPDX-License-Identifier: Apache-2.0
// The barriers that are measured, as a compile-time concept; crossed one after the other, with an oracle that
// distinguishes a barrier from something else.
#pragma once
#include <pthread.h>

#include <atomic>
#include <barrier>
#include <concepts>
#include <cstdint>
#include <deque>
#include <stdexcept>
#include <vector>

#include "channel/channel.hpp"
#include "channel/places.hpp"
#include "lock/lock.hpp"
#include "work/work.hpp"

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

/// Every member writes the number of the crossing it is about to make and reads all others after it: each must be as
/// far, or one further, which is as far as a member gets without this one.
class PhaseOracle {
  struct alignas(line_size) Phase {
    std::atomic<std::uint32_t> number{0};
  };

 public:
  explicit PhaseOracle(Setup& setup) : own_(static_cast<std::size_t>(setup.members())) {
    for (int rank = 0; rank < setup.members(); ++rank) phases_.push_back(&setup.share<Phase>());
  }
  void before(const Member& member) {
    const auto self = static_cast<std::size_t>(member.rank());
    phases_[self]->number.store(++own_[self].number, std::memory_order_relaxed);
  }
  /// Throws std::logic_error when any member is not where the barrier should have it.
  void after(const Member& member) const {
    const std::uint32_t here = own_[static_cast<std::size_t>(member.rank())].number;
    for (std::size_t rank = 0; rank < phases_.size(); ++rank)
      if (const std::uint32_t ahead = phases_[rank]->number.load(std::memory_order_relaxed) - here; ahead > 1)
        throw std::logic_error("member " + std::to_string(rank) + " was not at the barrier that released another");
  }

 private:
  struct alignas(line_size) Own {
    std::uint32_t number = 0;
  };
  std::vector<Phase*> phases_;
  std::vector<Own> own_;
};

/// One repetition is one crossing, after the member's work where there is any; the work alone is timed in the same
/// batch, hot. With `checked` the oracle looks on.
template <class B>
class BarrierRounds final : public Measurement {
 public:
  static Traits traits() { return B::traits(); }
  /// Indexes of the declared quantities.
  enum Index : std::size_t { time, residual, alone };

  explicit BarrierRounds(Setup& setup)
      : places_(setup, [&]() -> B& { return barriers_.emplace_back(setup); }),
        work_(setup),
        oracle_(setup),
        checked_(setup.word("checked") == "yes") {}
  void enter(Member& member) override { work_.enter(member); }

  Claims run(Member& member, Reps reps) override {
    places_.wander(member.rank());
    return work_.on(member, [&](auto work) { return cross(member, reps, work); });
  }

 private:
  template <class Doing>
  Claims cross(Member& member, Reps reps, Doing work) {
    const auto round = [&, rank = member.rank(), &barrier = places_.of(member.rank())] {
      work();
      barrier.wait(rank, [] {});
    };
    round();
    if (checked_) return member.timed(reps, [&] { check(member, round); });
    const Nanoseconds taken = member.timed(reps, round);
    if constexpr (!Doing::exists) return taken;
    const Nanoseconds hot = member.timed(reps, work);
    return Claims(taken).set(residual, taken - hot).set(alone, hot);
  }
  template <class Round>
  void check(Member& member, Round round) {
    oracle_.before(member);
    round();
    oracle_.after(member);
  }

  std::deque<B> barriers_;
  Places<B> places_;
  Work work_;
  PhaseOracle oracle_;
  bool checked_;
};

}  // namespace assay
