// SPDX-License-Identifier: Apache-2.0
// Read sections, alone and beside a writer that replaces what is read and reclaims it.
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <stdexcept>
#include <vector>

#include "logp/polling.hpp"
#include "sync/read_schemes.hpp"

namespace assay {

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
