// SPDX-License-Identifier: Apache-2.0
// Many members that want one lock: how many operations there are, and who gets them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "api/measurement.hpp"
#include "lock/placed.hpp"
#include "work/window.hpp"
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

/// All members lock, work, unlock and work in loops for one window of time; one repetition is one window. Nothing of
/// this is communication: nearly all operations are by the member that had the lock before.
template <class L>
class Contention final : public Measurement {
 public:
  static constexpr bool takes = L::exclusive;
  static Traits traits() {
    return {.vehicles = local_vehicles(), .waiting = L::waiting, .reps = CommonWindow::one_window()};
  }
  /// Indexes of the declared quantities.
  enum Index : std::size_t { time, rate, handoffs, run_length, longest_run, fairness, least_share, cohorts };

  explicit Contention(Setup& setup)
      : lock_(setup.share<typename L::Object>(setup)),
        takers_(setup.share<Takers>()),
        window_(setup),
        hold_(setup, "hold"),
        think_(setup, "think") {}

  void enter(Member& member) override {
    hold_.enter(member);
    think_.enter(member);
    LockOf<L> lock(lock_, member.rank());
    lock.enter();
    if (member.rank() == 0) try_out<L>(lock);
  }

  Claims run(Member& member, Reps) override {
    if (member.rank() == 0) takers_ = Takers();
    window_.begin(member);
    hold_.on(member, [&](auto hold) { think_.on(member, [&](auto think) { compete(member, hold, think); }); });
    window_.end(member);
    return member.rank() == 0 ? claims(member.stopwatch()) : Claims();
  }

 private:
  template <class Hold, class Think>
  void compete(const Member& member, Hold hold, Think think) {
    LockOf<L> lock(lock_, member.rank());
    window_.repeat(member, [&, rank = member.rank()] {
      lock.lock();
      takers_.taken_by(rank);
      hold();
      lock.unlock();
      think();
    });
  }

  Claims claims(const Stopwatch& watch) const {
    const std::vector<std::int64_t> shares = window_.shares();
    const auto all = static_cast<double>(takers_.operations());
    const Nanoseconds lasted = window_.lasted(watch);
    Claims claimed(lasted / all);
    if constexpr (requires { lock_.cohorts(); }) claimed.set(cohorts, static_cast<double>(lock_.cohorts()));
    return claimed.set(rate, all / lasted.count * 1e9)
        .set(handoffs, takers_.handed_over())
        .set(run_length, takers_.mean_run())
        .set(longest_run, static_cast<double>(takers_.longest_run()))
        .set(fairness, jain_index(shares))
        .set(least_share, static_cast<double>(*std::min_element(shares.begin(), shares.end())) / all);
  }

  typename L::Object& lock_;
  Takers& takers_;
  CommonWindow window_;
  Work hold_;
  Work think_;
};

}  // namespace assay
