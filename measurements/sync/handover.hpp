// SPDX-License-Identifier: Apache-2.0
// Two members that take turns at one variable under a mutex.
#pragma once
#include <sched.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lock/mutex.hpp"
#include "sync/condition.hpp"
#include "thread/threads.hpp"

namespace assay {

/// Waiting for one's turn in a condition variable of one's own.
class CondvarTurns {
 public:
  static constexpr Waiting waiting = Waiting::either;
  explicit CondvarTurns(Setup& setup)
      : mutex_(setup.share<Mutex<MutexKind::normal>>(setup)),
        conditions_{&setup.share<Condition>(setup), &setup.share<Condition>(setup)} {}
  void lock() { pthread_mutex_lock(mutex_.native()); }
  void unlock() { pthread_mutex_unlock(mutex_.native()); }
  template <class Ready>
  void await(int rank, Ready ready) {
    while (!ready()) pthread_cond_wait(&conditions_[static_cast<std::size_t>(rank)]->native, mutex_.native());
  }
  void wake(int rank) { pthread_cond_signal(&conditions_[static_cast<std::size_t>(rank)]->native); }

 private:
  Mutex<MutexKind::normal>& mutex_;
  std::array<Condition*, 2> conditions_;
};

/// Giving the mutex and the CPU up for as long as it is not one's turn.
class YieldTurns {
 public:
  static constexpr Waiting waiting = Waiting::yields;
  explicit YieldTurns(Setup& setup) : mutex_(setup.share<Mutex<MutexKind::normal>>(setup)) {}
  void lock() { pthread_mutex_lock(mutex_.native()); }
  void unlock() { pthread_mutex_unlock(mutex_.native()); }
  template <class Ready>
  void await(int, Ready ready) {
    while (!ready()) {
      unlock();
      ::sched_yield();
      lock();
    }
  }
  void wake(int) {}

 private:
  Mutex<MutexKind::normal>& mutex_;
};

/// Each member may only act when the variable says that it is its turn, and then makes it the other's. A turn is a
/// hand-over there and one back; every change of the variable is counted by who makes it, and that they alternate is
/// looked at under the mutex. After the context test of pthreadbench (Wienand, 2003): "a fight over a variable locked
/// by some mutexes".
template <class Turns>
class Handover {
 public:
  /// A batch has so many turns that its beginning and end are a small part of its switches.
  static Traits traits() { return local_traits(Turns::waiting, Reps{32}); }
  static std::vector<Quantity> own_quantities() {
    return {{.name = "switches",
             .unit = Unit::ratio,
             .per = Per::batch,
             .summary = "context switches of both members per hand-over, as the kernel counts them"}};
  }
  static std::int64_t turns_per_rep() { return 1; }

  explicit Handover(Setup& setup) : turns_(setup), state_(setup.share<State>()) {}
  void enter(Member&) {}

  /// One turn that does not count: the other member is there.
  void begin(Member& member) {
    led_ = 0;
    lead(member, [first = true]() mutable { return std::exchange(first, false); });
    state_.changes = 0;
    led_ = 0;
    switches_ = switches_of_caller();
  }
  template <class More>
  std::int64_t lead(Member&, More more) {
    for (; more(); ++led_) pass(0);
    turns_.lock();
    turns_.await(0, [this] { return state_.owner == 0; });
    turns_.unlock();
    return 2 * led_;
  }
  /// Throws std::logic_error when the members did not take turns strictly, or did not count the same.
  void end(Member&, Claims& claims, std::size_t first) {
    const std::int64_t own_switches = switches_of_caller() - switches_;
    const State found = dismiss();
    if (found.out_of_turn != 0 || found.changes != 2 * led_ || found.followed != led_ + 1)
      throw std::logic_error("of " + std::to_string(2 * led_) + " hand-overs " + std::to_string(found.changes) +
                             " were counted, " + std::to_string(found.followed - 1) +
                             " of them by the second member; " + std::to_string(found.out_of_turn) +
                             " were out of turn");
    if (led_ == 0) return;
    // The second member counts over its whole run, which has one turn more.
    const double others = static_cast<double>(found.switches) / static_cast<double>(found.followed);
    claims.set(first, (static_cast<double>(own_switches) / static_cast<double>(led_) + others) / 2);
  }
  Claims follow(Member&, std::size_t) {
    const std::int64_t before = switches_of_caller();
    std::int64_t followed = 0;
    while (pass(1)) ++followed;
    state_.followed = followed;
    state_.switches = switches_of_caller() - before;
    state_.has_left = true;
    turns_.wake(0);
    turns_.unlock();
    return {};
  }

 private:
  // Protected by the mutex, on a line of its own.
  struct alignas(line_size) State {
    int owner = 0;
    bool is_over = false;
    bool has_left = false;
    std::int64_t changes = 0;
    std::int64_t out_of_turn = 0;
    std::int64_t followed = 0;
    std::int64_t switches = 0;
  };

  // Waits for the turn and hands it over; false, with the mutex held, when there are no more.
  bool pass(int rank) {
    turns_.lock();
    turns_.await(rank, [this, rank] { return state_.owner == rank; });
    if (state_.is_over) return false;
    state_.out_of_turn += state_.changes % 2 != rank;
    ++state_.changes;
    state_.owner = 1 - rank;
    turns_.wake(1 - rank);
    turns_.unlock();
    return true;
  }
  // What was counted, when the other member has left; everything is as at the start then.
  State dismiss() {
    turns_.lock();
    state_.is_over = true;
    state_.owner = 1;
    turns_.wake(1);
    turns_.await(0, [this] { return state_.has_left; });
    const State found = state_;
    state_ = State();
    turns_.unlock();
    return found;
  }

  Turns turns_;
  State& state_;
  // Of the first member.
  std::int64_t led_ = 0;
  std::int64_t switches_ = 0;
};

}  // namespace assay
