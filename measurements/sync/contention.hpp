// SPDX-License-Identifier: Apache-2.0
// Many members that want one lock: how many operations there are, and who gets them.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "api/measurement.hpp"
#include "lock/lock.hpp"
#include "logp/polling.hpp"
#include "work/work.hpp"

namespace assay {

/// Runs and hand-offs of a lock. Protected by the lock, on a line of its own that travels with it.
class alignas(line_size) Takers {
 public:
  void taken_by(int rank) {
    ++operations_;
    if (rank == last_) {
      ++run_;
    } else {
      handoffs_ += last_ >= 0;
      last_ = rank;
      run_ = 1;
    }
    longest_ = std::max(longest_, run_);
  }

  std::int64_t operations() const { return operations_; }
  std::int64_t longest_run() const { return longest_; }
  /// Operations in a row by one member, on average. NaN before the first.
  double mean_run() const {
    return static_cast<double>(operations_) / static_cast<double>(handoffs_ + (operations_ > 0));
  }
  /// Share of the operations, but for the first, that were by another member than the one before; 0 before the second.
  double handed_over() const {
    return operations_ < 2 ? 0 : static_cast<double>(handoffs_) / static_cast<double>(operations_ - 1);
  }

 private:
  int last_ = -1;
  std::int64_t run_ = 0;
  std::int64_t longest_ = 0;
  std::int64_t handoffs_ = 0;
  std::int64_t operations_ = 0;
};

/// Jain's index of fairness: 1 for equal shares, 1/n when one has all (Jain, Chiu and Hawe, 1984). NaN when none has
/// any.
inline double jain_index(const std::vector<std::int64_t>& shares) {
  double sum = 0;
  double squares = 0;
  for (const std::int64_t share : shares) {
    const auto x = static_cast<double>(share);
    sum += x;
    squares += x * x;
  }
  return sum * sum / (static_cast<double>(shares.size()) * squares);
}

/// All members lock, work, unlock and work in loops for one window of time; one repetition is one window. Who finds
/// that the window is over notifies the others. Nothing of this is communication: nearly all operations are by the
/// member that had the lock before.
template <class L>
class Contention final : public Measurement {
 public:
  static constexpr bool takes = L::exclusive;
  static Traits traits() {
    return {.vehicles = local_vehicles(), .waiting = L::waiting, .reps = {.least = Reps{1}, .most = Reps{1}}};
  }
  /// Indexes of the declared quantities.
  enum Index : std::size_t { time, rate, handoffs, run_length, longest_run, fairness, least_share };

  explicit Contention(Setup& setup)
      : lock_(setup.share<typename L::Object>(setup)),
        takers_(setup.share<Takers>()),
        window_(setup.share<Window>()),
        polling_(setup),
        hold_(setup, "hold"),
        think_(setup, "think"),
        length_{setup.level<double>("window")},
        batches_(static_cast<std::size_t>(setup.members())) {
    if (length_ <= Nanoseconds{}) throw Unsupported("a window is longer than 0");
    for (int rank = 0; rank < setup.members(); ++rank) parts_.push_back(&setup.share<Part>());
  }

  void enter(Member& member) override {
    hold_.enter(member);
    think_.enter(member);
    if (member.rank() == 0) try_out<L>(lock_);
  }

  Claims run(Member& member, Reps) override {
    const auto members = static_cast<std::uint32_t>(member.members());
    const std::uint32_t batch = ++batches_[static_cast<std::size_t>(member.rank())].number;
    if (member.rank() == 0) takers_ = Takers();
    meet(window_.here, members * batch);
    hold_.on(member, [&](auto hold) { think_.on(member, [&](auto think) { compete(member, batch, hold, think); }); });
    meet(window_.out, members * batch);
    return member.rank() == 0 ? claims(member.stopwatch()) : Claims();
  }

 private:
  struct alignas(line_size) Window {
    alignas(line_size) std::atomic<std::uint32_t> here{0};
    alignas(line_size) std::atomic<std::uint32_t> out{0};
    alignas(line_size) std::atomic<std::uint32_t> over{0};  // batches whose window is over
  };
  // What one member did in a batch.
  struct alignas(line_size) Part {
    std::int64_t operations = 0;
    std::int64_t from = 0;
    std::int64_t to = 0;
  };
  struct alignas(line_size) Batches {
    std::uint32_t number = 0;
  };

  void meet(std::atomic<std::uint32_t>& arrived, std::uint32_t all) {
    arrived.fetch_add(1, std::memory_order_acq_rel);
    polling_.until([&] { return arrived.load(std::memory_order_acquire) >= all; });
  }

  template <class Hold, class Think>
  void compete(const Member& member, std::uint32_t batch, Hold hold, Think think) {
    const Stopwatch& watch = member.stopwatch();
    const int rank = member.rank();
    std::int64_t operations = 0;
    std::int64_t next_look = 1;
    const std::int64_t from = watch.start();
    while (window_.over.load(std::memory_order_relaxed) != batch) {
      L::lock(lock_);
      takers_.taken_by(rank);
      hold();
      L::unlock(lock_);
      think();
      if (++operations != next_look) continue;
      const Nanoseconds spent = watch.between(from, watch.start());
      if (spent >= length_) window_.over.store(batch, std::memory_order_relaxed);
      next_look += until_next_look(operations, spent);
    }
    *parts_[static_cast<std::size_t>(rank)] = {operations, from, watch.stop()};
  }
  // Operations in a sixty-fourth of the window, as far as this member knows; at most 64, so that looks cost little.
  std::int64_t until_next_look(std::int64_t operations, Nanoseconds spent) const {
    const double expected = static_cast<double>(operations) * (length_ / std::max(spent, Nanoseconds{1})) / 64;
    return static_cast<std::int64_t>(std::clamp(expected, 1.0, 64.0));
  }

  Claims claims(const Stopwatch& watch) const {
    std::vector<std::int64_t> shares;
    std::int64_t from = parts_[0]->from;
    std::int64_t to = parts_[0]->to;
    for (const Part* part : parts_) {
      shares.push_back(part->operations);
      from = std::min(from, part->from);
      to = std::max(to, part->to);
    }
    const auto all = static_cast<double>(takers_.operations());
    const Nanoseconds lasted = watch.between(from, to);
    return Claims(lasted / all)
        .set(rate, all / lasted.count * 1e9)
        .set(handoffs, takers_.handed_over())
        .set(run_length, takers_.mean_run())
        .set(longest_run, static_cast<double>(takers_.longest_run()))
        .set(fairness, jain_index(shares))
        .set(least_share, static_cast<double>(*std::min_element(shares.begin(), shares.end())) / all);
  }

  typename L::Object& lock_;
  Takers& takers_;
  Window& window_;
  Polling polling_;
  Work hold_;
  Work think_;
  Nanoseconds length_;
  std::vector<Part*> parts_;
  std::vector<Batches> batches_;
};

}  // namespace assay
