// SPDX-License-Identifier: Apache-2.0
// Locks without contention: one, an array whose locks are taken and left apart, a ring performed by one side alone; a
// poll of a flag, and an empty body beside them.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>

#include "api/measurement.hpp"
#include "lock/lock.hpp"
#include "lock/placed.hpp"
#include "lock/ring.hpp"
#include "lock/row.hpp"
#include "logp/chunks.hpp"

namespace assay {

/// A body that does nothing but keep its loop.
class EmptyBody final : public Measurement {
 public:
  explicit EmptyBody(Setup&) {}
  Claims run(Member& member, Reps reps) override {
    return member.timed(reps, [] { clobber(); });
  }
};

/// One turn of a loop that waits for a flag: a look, and the spin hint of the processor. A member that waits so notices
/// a change half a turn late, on average.
class PollTurn final : public Measurement {
  struct alignas(line_size) Flag {
    std::atomic<std::uint32_t> number{0};
  };

 public:
  static Traits traits() { return {.vehicles = local_vehicles()}; }

  explicit PollTurn(Setup& setup) : flag_(setup.share<Flag>()) {}
  Claims run(Member& member, Reps reps) override {
    return member.timed(reps, [this] {
      keep(flag_.number.load(std::memory_order_acquire));
      relax();
    });
  }

 private:
  Flag& flag_;
};

/// Lock and unlock of one lock by its only user. It has been through one clean pair before it is timed.
template <class L>
class LockPair final : public Measurement {
 public:
  static constexpr bool takes = true;
  static Traits traits() { return {.vehicles = local_vehicles()}; }

  explicit LockPair(Setup& setup) : lock_(setup.share<typename L::Object>(setup), 0) {}
  void enter(Member&) override {
    lock_.enter();
    try_out<L>(lock_);
  }
  Claims run(Member& member, Reps reps) override {
    return member.timed(reps, [this] { one(); });
  }
  /// One pair.
  void one() {
    lock_.lock();
    lock_.unlock();
  }

 private:
  LockOf<L> lock_;
};

/// Locks an array of locks and then unlocks it (de Supinski and May, 1999). One repetition is one lock; an array is
/// passed as often as the repetitions need, and the clock is read around each pass.
template <class L>
class LockArray final : public Measurement {
 public:
  static constexpr bool takes = true;
  static Traits traits() { return {.vehicles = local_vehicles()}; }

  explicit LockArray(Setup& setup) : LockArray(setup, shape_of(setup)) {}
  ~LockArray() override = default;

  Claims run(Member& member, Reps reps) override {
    Nanoseconds locking, unlocking;
    in_chunks(reps, static_cast<std::int64_t>(locks_.size()), [&](Reps pass) {
      std::size_t i = 0;
      locking += member.timed(pass, [&] { L::lock(locks_[i++]); });
      i = 0;
      unlocking += member.timed(pass, [&] { L::unlock(locks_[i++]); });
    });
    return Claims(locking).set(1, unlocking);
  }
  void enter(Member&) override {
    for (std::size_t i = 0; i < locks_.size(); ++i) try_out<L>(locks_[i]);
  }

 private:
  // Page-aligned, so that the sets of the cache that the locks fall into are the shape's doing.
  class Memory {
   public:
    explicit Memory(std::size_t bytes) : bytes_(static_cast<std::byte*>(::operator new(bytes, page))) {}
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    ~Memory() { ::operator delete(bytes_, page); }
    std::byte* get() { return bytes_; }

   private:
    static constexpr std::align_val_t page{4096};
    std::byte* bytes_;
  };

  LockArray(Setup& setup, RowShape shape)
      : memory_(shape.bytes(sizeof(typename L::Object))), locks_(setup, memory_.get(), shape) {}
  static RowShape shape_of(const Setup& setup) {
    const RowShape shape{setup.level<std::size_t>("locks"), setup.level<std::size_t>("stride"),
                         setup.level<std::size_t>("skew")};
    constexpr std::size_t least = sizeof(typename L::Object);
    constexpr std::size_t alignment = alignof(typename L::Object);
    if (shape.count < 1) throw Unsupported("an array has at least one lock");
    if (shape.stride < least || shape.stride % alignment != 0 || shape.skew % alignment != 0)
      throw Unsupported("locks of " + std::to_string(least) +
                        " bytes need a stride of at least that, and stride and "
                        "skew in multiples of " +
                        std::to_string(alignment));
    if (shape.count > (std::size_t{1} << 30) / shape.stride) throw Unsupported("the array would be larger than 1 GiB");
    return shape;
  }

  Memory memory_;
  LockRow<L> locks_;
};

/// One repetition is one cycle of the main side: four unlocks and four locks of four locks, of which those that the
/// client would hold are free (de Supinski and May, 1999: no contention). The processor overlaps operations on
/// different locks, so that a pair costs less than one of the same lock.
template <class L>
class LockRingAlone final : public Measurement {
  static constexpr int pairs = four_lock_ring().round_trips;

 public:
  static constexpr bool takes = true;
  static Traits traits() { return {.vehicles = local_vehicles(), .events_per_rep = pairs}; }

  explicit LockRingAlone(Setup& setup) {
    for (auto& lock : locks_) lock = &setup.share<typename L::Object>(setup);
  }
  void enter(Member&) override {
    for (auto* lock : locks_) try_out<L>(*lock);
    for_held([](auto& lock) { L::lock(lock); });
  }
  void leave(Member&) override {
    for_held([](auto& lock) { L::unlock(lock); });
  }
  Claims run(Member& member, Reps reps) override {
    return member.timed(reps, [this] {
      perform_cycle<four_lock_ring, true>([this](RingStep step) {
        auto& lock = *locks_[static_cast<std::size_t>(step.lock)];
        if (step.act == RingStep::Act::lock)
          L::lock(lock);
        else
          L::unlock(lock);
      });
    });
  }

 private:
  template <class Act>
  void for_held(Act act) {
    for (std::size_t i = 0; i < locks_.size(); ++i)
      if (four_lock_ring().main_holds[i]) act(*locks_[i]);
  }
  std::array<typename L::Object*, 4> locks_{};
};

}  // namespace assay
