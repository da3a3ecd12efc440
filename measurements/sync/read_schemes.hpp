// SPDX-License-Identifier: Apache-2.0
// Ways to read what a pointer leads to while a writer replaces it and reclaims what no member reads any more.
#pragma once
#include <pthread.h>

#include <array>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "lock/kinds.hpp"

namespace assay {

/// What is read. Its value is 0 while it is reclaimed.
struct alignas(line_size) ReadThing {
  std::atomic<std::uint64_t> value{0};
};

/// `enter` returns what the pointer leads to, which then stays until `leave` of the same member. There is one writer:
/// it gives `retire` what it has replaced, and `reclaim(free)` calls `free` for what no member can read any more.
template <class S>
concept ReadScheme =
    std::constructible_from<S, Setup&> && requires(S scheme, const std::atomic<ReadThing*>& current, ReadThing* thing,
                                                   void (*free)(ReadThing*), std::atomic<ReadThing*>& pointer) {
      { scheme.enter(0, current) } -> std::same_as<ReadThing*>;
      scheme.leave(0);
      { scheme.replace(pointer, thing) } -> std::same_as<ReadThing*>;
      scheme.retire(thing);
      scheme.reclaim(free);
      { S::waiting } -> std::convertible_to<Waiting>;
      { S::protects } -> std::convertible_to<bool>;
    };

/// The load of the pointer alone: what there is without a writer.
class UnprotectedReads {
 public:
  static constexpr Waiting waiting = Waiting::spins;
  static constexpr bool protects = false;
  explicit UnprotectedReads(Setup&) {}
  ReadThing* enter(int, const std::atomic<ReadThing*>& current) { return current.load(std::memory_order_acquire); }
  void leave(int) {}
  ReadThing* replace(std::atomic<ReadThing*>& current, ReadThing* next) { return current.exchange(next); }
  void retire(ReadThing* thing) { retired_.push_back(thing); }
  template <class Free>
  void reclaim(Free free) {
    for (ReadThing* thing : std::exchange(retired_, {})) free(thing);
  }

 private:
  std::vector<ReadThing*> retired_;
};

/// Hazard pointers (Michael, 2004), one for each member: a reader publishes the pointer, looks whether it is still
/// current, and clears what it has published afterwards. Sequential consistency orders the publication before the look,
/// and the replacement before the writer's scan.
class HazardReads {
  struct alignas(line_size) Hazard {
    std::atomic<ReadThing*> pointer{nullptr};
  };

 public:
  static constexpr Waiting waiting = Waiting::spins;
  static constexpr bool protects = true;
  explicit HazardReads(Setup& setup) {
    for (int rank = 0; rank < setup.members(); ++rank) hazards_.push_back(&setup.share<Hazard>());
  }
  ReadThing* enter(int rank, const std::atomic<ReadThing*>& current) {
    auto& own = hazards_[static_cast<std::size_t>(rank)]->pointer;
    ReadThing* seen = current.load(std::memory_order_relaxed);
    for (;;) {
      own.store(seen);
      ReadThing* const now = current.load();
      if (now == seen) return seen;
      seen = now;
    }
  }
  void leave(int rank) { hazards_[static_cast<std::size_t>(rank)]->pointer.store(nullptr, std::memory_order_release); }
  ReadThing* replace(std::atomic<ReadThing*>& current, ReadThing* next) { return current.exchange(next); }
  void retire(ReadThing* thing) { retired_.push_back(thing); }
  template <class Free>
  void reclaim(Free free) {
    std::erase_if(retired_, [&](ReadThing* thing) {
      for (const Hazard* hazard : hazards_)
        if (hazard->pointer.load() == thing) return false;
      free(thing);
      return true;
    });
  }

 private:
  std::vector<Hazard*> hazards_;
  std::vector<ReadThing*> retired_;  // of the writer
};

/// Epochs (Fraser, 2004): a reader publishes the epoch that it has entered in. The writer begins the next when all
/// readers inside have seen this one; what was retired in the one before is then out of reach.
class EpochReads {
  struct alignas(line_size) Reader {
    std::atomic<std::uint64_t> entered{outside};
  };
  struct alignas(line_size) Epoch {
    std::atomic<std::uint64_t> number{2};
  };

 public:
  static constexpr Waiting waiting = Waiting::spins;
  static constexpr bool protects = true;
  explicit EpochReads(Setup& setup) : epoch_(setup.share<Epoch>()) {
    for (int rank = 0; rank < setup.members(); ++rank) readers_.push_back(&setup.share<Reader>());
  }
  ReadThing* enter(int rank, const std::atomic<ReadThing*>& current) {
    readers_[static_cast<std::size_t>(rank)]->entered.store(epoch_.number.load(std::memory_order_acquire));
    return current.load();
  }
  void leave(int rank) { readers_[static_cast<std::size_t>(rank)]->entered.store(outside, std::memory_order_release); }
  ReadThing* replace(std::atomic<ReadThing*>& current, ReadThing* next) { return current.exchange(next); }
  void retire(ReadThing* thing) { of(epoch_.number.load(std::memory_order_relaxed)).push_back(thing); }
  template <class Free>
  void reclaim(Free free) {
    const std::uint64_t now = epoch_.number.load(std::memory_order_relaxed);
    for (const Reader* reader : readers_)
      if (const std::uint64_t entered = reader->entered.load(); entered != outside && entered != now) return;
    epoch_.number.store(now + 1);
    for (ReadThing* thing : std::exchange(of(now - 1), {})) free(thing);
  }

 private:
  static constexpr std::uint64_t outside = 0;
  std::vector<ReadThing*>& of(std::uint64_t epoch) { return retired_[epoch % retired_.size()]; }

  Epoch& epoch_;
  std::vector<Reader*> readers_;
  std::array<std::vector<ReadThing*>, 3> retired_;  // of the writer, by epoch
};

/// A read-write lock of the library: the writer waits for the readers, and reclaims at once.
class LockedReads {
 public:
  static constexpr Waiting waiting = ReadLock::waiting;
  static constexpr bool protects = true;
  explicit LockedReads(Setup& setup) : lock_(setup.share<RwLockObject>(setup)) {}
  ReadThing* enter(int, const std::atomic<ReadThing*>& current) {
    ReadLock::lock(lock_);
    return current.load(std::memory_order_relaxed);
  }
  void leave(int) { ReadLock::unlock(lock_); }
  ReadThing* replace(std::atomic<ReadThing*>& current, ReadThing* next) {
    WriteLock::lock(lock_);
    ReadThing* const before = current.exchange(next, std::memory_order_relaxed);
    WriteLock::unlock(lock_);
    return before;
  }
  void retire(ReadThing* thing) { retired_.push_back(thing); }
  template <class Free>
  void reclaim(Free free) {
    for (ReadThing* thing : std::exchange(retired_, {})) free(thing);
  }

 private:
  RwLockObject& lock_;
  std::vector<ReadThing*> retired_;  // of the writer
};

}  // namespace assay
