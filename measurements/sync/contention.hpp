// SPDX-License-Identifier: Apache-2.0
// Many members that want one lock: how many operations there are, and who gets them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "api/measurement.hpp"
#include "channel/places.hpp"
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
      : places_(
            setup, [&]() -> Contended& { return setup.share<Contended>(setup); }, objects()),
        window_(setup),
        hold_(setup, "hold"),
        think_(setup, "think") {}

  void enter(Member& member) override {
    hold_.enter(member);
    think_.enter(member);
    for (Contended* one : places_.all()) {
      LockOf<L> lock(one->lock, member.rank());
      lock.enter();
      if (member.rank() == 0) try_out<L>(lock);
    }
  }

  Claims run(Member& member, Reps) override {
    places_.wander(member.rank());
    if (member.rank() == 0) places_.of(0).takers = Takers();
    window_.begin(member);
    hold_.on(member, [&](auto hold) { think_.on(member, [&](auto think) { compete(member, hold, think); }); });
    window_.end(member);
    return member.rank() == 0 ? claims(member.stopwatch()) : Claims();
  }

 private:
  struct Contended {
    explicit Contended(Setup& setup) : lock(setup) {}
    typename L::Object lock;
    Takers takers;
  };
  static constexpr std::size_t objects() {
    if constexpr (requires { L::most_objects; }) return L::most_objects;
    return Places<Contended>::usual;
  }
  template <class Hold, class Think>
  void compete(const Member& member, Hold hold, Think think) {
    Contended& here = places_.of(member.rank());
    LockOf<L> lock(here.lock, member.rank());
    window_.repeat(member, [&, rank = member.rank(), &takers = here.takers] {
      lock.lock();
      takers.taken_by(rank);
      hold();
      lock.unlock();
      think();
    });
  }

  Claims claims(const Stopwatch& watch) const {
    const std::vector<std::int64_t> shares = window_.shares();
    const Contended& here = places_.of(0);
    const auto all = static_cast<double>(here.takers.operations());
    const Nanoseconds lasted = window_.lasted(watch);
    Claims claimed(lasted / all);
    if constexpr (requires { here.lock.cohorts(); }) claimed.set(cohorts, static_cast<double>(here.lock.cohorts()));
    return claimed.set(rate, all / lasted.count * 1e9)
        .set(handoffs, here.takers.handed_over())
        .set(run_length, here.takers.mean_run())
        .set(longest_run, static_cast<double>(here.takers.longest_run()))
        .set(fairness, jain_index(shares))
        .set(least_share, static_cast<double>(*std::min_element(shares.begin(), shares.end())) / all);
  }

  Places<Contended> places_;
  CommonWindow window_;
  Work hold_;
  Work think_;
};

}  // namespace assay
