// SPDX-License-Identifier: Apache-2.0
// Locking and unlocking apart: all locks of an array, then all again.
#pragma once
#include <cstddef>
#include <new>
#include <string>

#include "lock/row.hpp"
#include "logp/chunks.hpp"

namespace assay {

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

}  // namespace assay
