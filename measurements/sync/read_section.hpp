// SPDX-License-Identifier: Apache-2.0
// Read sections, alone and beside a writer that replaces what is read and reclaims it, by several schemes.
#pragma once
#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <stdexcept>
#include <utility>
#include <vector>

#include "lock/kinds.hpp"
#include "logp/polling.hpp"

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

/// All members read, or all but member 0, which then replaces and reclaims until they have read. What is reclaimed is
/// marked, and no reader may see the mark.
template <ReadScheme S>
class ReadSection final : public Measurement {
  static constexpr std::size_t things = 256;
  struct Pool {
    std::array<ReadThing, things> all;
    alignas(line_size) std::atomic<ReadThing*> current{nullptr};
  };
  struct alignas(line_size) Batch {
    std::atomic<std::uint32_t> writing{0};                      // batches in which the writer has begun
    alignas(line_size) std::atomic<std::uint32_t> finished{0};  // readers, in all batches
  };

 public:
  static Traits traits() { return {.vehicles = local_vehicles(), .waiting = S::waiting, .reps = {.least = Reps{100}}}; }
  /// Indexes of the declared quantities.
  enum Index : std::size_t { time, writes, backlog };

  /// Throws Unsupported for a writer without a reader, or on a reader's CPU, and for one that readers are not protected
  /// from.
  explicit ReadSection(Setup& setup)
      : scheme_(setup),
        pool_(setup.share<Pool>()),
        batch_(setup.share<Batch>()),
        polling_(setup),
        has_writer_(setup.word("writer") == "reclaims"),
        batches_(static_cast<std::size_t>(setup.members())) {
    if (has_writer_ && setup.members() < 2) throw Unsupported("a writer needs a reader; use members = 2 or more");
    if (has_writer_ && setup.cpu_sharing() == CpuSharing::certain)
      throw Unsupported(
          "a reader and a writer on one CPU do not run beside each other: a batch would be of one of them; bind them "
          "to "
          "different CPUs");
    if (has_writer_ && !S::protects && setup.word("section") == "none")
      throw Unsupported("nothing protects readers from a writer in section = none; use writer = none");
    for (int rank = 0; rank < setup.members(); ++rank) parts_.push_back(&setup.share<Part>());
    for (ReadThing& thing : pool_.all) free_.push_back(&thing);
    replace();
  }

  Claims run(Member& member, Reps reps) override {
    const std::uint32_t number = ++batches_[static_cast<std::size_t>(member.rank())].number;
    const std::uint32_t all = readers() * number;
    if (has_writer_ && member.rank() == 0) return write(member.stopwatch(), number, all).set(time, mean());
    if (has_writer_) polling_.until([&] { return batch_.writing.load(std::memory_order_acquire) == number; });
    read(member, reps);
    if (member.rank() != 0) return {};
    polling_.until([&] { return batch_.finished.load(std::memory_order_acquire) == all; });
    return mean();
  }

 private:
  struct alignas(line_size) Batches {
    std::uint32_t number = 0;
  };
  // Of one reader in one batch.
  struct alignas(line_size) Part {
    Nanoseconds taken;
  };

  std::uint32_t readers() const { return static_cast<std::uint32_t>(parts_.size()) - (has_writer_ ? 1 : 0); }
  Nanoseconds mean() const {
    Nanoseconds all;
    for (std::size_t rank = has_writer_ ? 1 : 0; rank < parts_.size(); ++rank) all += parts_[rank]->taken;
    return all / static_cast<double>(readers());
  }

  void read(const Member& member, Reps reps) {
    bool is_broken = false;
    const Nanoseconds taken = member.timed(reps, [&, rank = member.rank()] {
      const ReadThing* const thing = scheme_.enter(rank, pool_.current);
      is_broken |= thing->value.load(std::memory_order_relaxed) == 0;
      scheme_.leave(rank);
    });
    parts_[static_cast<std::size_t>(member.rank())]->taken = taken;
    batch_.finished.fetch_add(1, std::memory_order_release);
    if (is_broken) throw std::logic_error("a read section saw what had been reclaimed");
  }
  Claims write(const Stopwatch& watch, std::uint32_t number, std::uint32_t all) {
    std::int64_t replaced = 0;
    std::size_t most = 0;
    const std::int64_t from = watch.start();
    batch_.writing.store(number, std::memory_order_release);
    while (batch_.finished.load(std::memory_order_acquire) != all) {
      if (!free_.empty()) {
        replace();
        ++replaced;
      }
      most = std::max(most, things - 1 - free_.size());
      reclaim();
    }
    const Nanoseconds lasted = watch.between(from, watch.stop());
    return Claims{}
        .set(writes, static_cast<double>(replaced) / lasted.count * 1e9)
        .set(backlog, static_cast<double>(most));
  }
  void replace() {
    ReadThing* const next = free_.front();
    free_.pop_front();
    next->value.store(++written_, std::memory_order_relaxed);
    if (ReadThing* const before = scheme_.replace(pool_.current, next)) scheme_.retire(before);
  }
  // The longest free is used next, so that a reader that comes too late finds the mark.
  void reclaim() {
    scheme_.reclaim([this](ReadThing* thing) {
      thing->value.store(0, std::memory_order_relaxed);
      free_.push_back(thing);
    });
  }

  S scheme_;
  Pool& pool_;
  Batch& batch_;
  Polling polling_;
  bool has_writer_;
  std::vector<Batches> batches_;
  std::vector<Part*> parts_;
  std::deque<ReadThing*> free_;  // of the writer
  std::uint64_t written_ = 0;
};

}  // namespace assay
