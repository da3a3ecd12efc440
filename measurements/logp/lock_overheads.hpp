// SPDX-License-Identifier: Apache-2.0
// Send and receive overhead of a lock: unlocking many that no member waits for, then locking those.
#pragma once
#include <array>
#include <cstddef>

#include "lock/row.hpp"
#include "logp/chunks.hpp"
#include "logp/polling.hpp"

namespace assay {

/// Member 0 holds a row of locks and times unlocking them, while member 1 is alive and takes none; then member 1 times
/// locking them, and both undo it, untimed; repetitions come in parts of a row. No lock is ever contended: one that was
/// makes its next unlock a system call. Member 0 holds as `Main`, member 1 as `Client`.
template <class Main, class Client>
class LockOverheads final : public Measurement {
  static constexpr RowShape shape{.count = 256};  // with one line each half a common first-level cache
  static_assert(sizeof(typename Main::Object) <= shape.stride);
  struct alignas(4096) Memory {
    std::array<std::byte, shape.bytes(shape.stride)> bytes;
  };

 public:
  /// Indexes of the declared quantities.
  enum Index : std::size_t { send, receive };

  /// Members wait at gates only, where they can give up the processor.
  static Traits traits() { return {.vehicles = local_vehicles(), .waiting = Waiting::either}; }

  explicit LockOverheads(Setup& setup)
      : locks_(setup, setup.share<Memory>().bytes.data(), shape), unlocked_(setup), returned_(setup) {}
  void enter(Member& member) override {
    if (member.rank() != 0) return;
    for (std::size_t i = 0; i < shape.count; ++i) {
      try_out<Main>(locks_[i]);
      accept(Main::lock(locks_[i]), "the locks of a row cannot be acquired");
    }
  }
  void leave(Member& member) override {
    if (member.rank() == 0) each(shape.count, [](auto& lock) { Main::unlock(lock); });
  }

  Claims run(Member& member, Reps reps) override {
    const bool sends = member.rank() == 0;
    Nanoseconds time;
    in_chunks(reps, shape.count, [&](Reps part) { time += sends ? give(member, part) : take(member, part); });
    return Claims{}.set(sends ? send : receive, time);
  }

 private:
  Nanoseconds give(Member& member, Reps part) {
    std::size_t i = 0;
    const Nanoseconds time = member.timed(part, [&] { Main::unlock(locks_[i++]); });
    unlocked_.open();
    returned_.pass();
    each(i, [](auto& lock) { Main::lock(lock); });
    return time;
  }
  Nanoseconds take(Member& member, Reps part) {
    unlocked_.pass();
    std::size_t i = 0;
    const Nanoseconds time = member.timed(part, [&] { Client::lock(locks_[i++]); });
    each(i, [](auto& lock) { Client::unlock(lock); });
    returned_.open();
    return time;
  }
  template <class Act>
  void each(std::size_t count, Act act) {
    for (std::size_t i = 0; i < count; ++i) act(locks_[i]);
  }

  LockRow<Main> locks_;
  Gate unlocked_;
  Gate returned_;
};

}  // namespace assay
