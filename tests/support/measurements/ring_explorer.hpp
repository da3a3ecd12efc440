// SPDX-License-Identifier: Apache-2.0
// Explores every interleaving of a lock ring's two sides, releasers taking their own locks back included.
#pragma once
#include <array>
#include <set>
#include <tuple>
#include <vector>

#include "lock/ring.hpp"

namespace assay::test {

/// What the exploration of one ring found.
struct RingFindings {
  int states = 0;
  int deadlocks = 0;         ///< states in which neither side can go on
  int order_violations = 0;  ///< locks obtained while the partner's phase is not the program's
  int foreign_unlocks = 0;   ///< unlocks of a lock that the side does not hold
  bool returns = false;      ///< the initial state is reached again
};

/// A state: position of both sides in their cycle, their phases relative to the start of the older cycle, and the
/// locks' owners.
template <std::size_t steps>
class RingExplorer {
 public:
  explicit RingExplorer(const Ring<steps>& ring) : ring_(ring) {
    for (int i = 0; i < ring.locks; ++i)
      initial_.owner[static_cast<std::size_t>(i)] = ring.main_holds[static_cast<std::size_t>(i)] ? 0 : 1;
  }

  RingFindings explore() {
    std::vector<State> open{initial_};
    seen_.insert(key(initial_));
    while (!open.empty()) {
      const State state = open.back();
      open.pop_back();
      ++findings_.states;
      const auto successors = {advance(state, 0), advance(state, 1)};
      bool stuck = true;
      for (const auto& [possible, next] : successors) {
        if (!possible) continue;
        stuck = false;
        if (key(next) == key(initial_)) findings_.returns = true;
        if (seen_.insert(key(next)).second) open.push_back(next);
      }
      findings_.deadlocks += stuck;
    }
    return findings_;
  }

 private:
  struct State {
    std::array<int, 2> step{};   // next step of each side
    std::array<int, 2> cycle{};  // completed cycles, kept small by subtracting the lesser
    std::array<int, 2> phase{};  // unlocks published in all
    std::array<int, 4> owner{-1, -1, -1, -1};
  };
  static auto key(const State& s) { return std::tuple(s.step, s.cycle, s.owner); }
  const std::array<RingStep, steps>& program(std::size_t side) const { return side == 0 ? ring_.main : ring_.client; }

  std::pair<bool, State> advance(State s, std::size_t side) {
    const auto& own = program(side);
    const auto at = static_cast<std::size_t>(s.step[side]);
    const RingStep step = own[at];
    int& owner = s.owner[static_cast<std::size_t>(step.lock)];
    if (step.act == RingStep::Act::lock) {
      if (owner != -1) return {false, s};
      owner = static_cast<int>(side);
      // Beyond a violation the sides may drift apart forever: it is counted and not followed.
      const int expected = s.cycle[side] * Ring<steps>::round_trips + partner_phase(own, program(1 - side), at);
      if (s.phase[1 - side] != expected) {
        ++findings_.order_violations;
        return {false, s};
      }
    } else {
      findings_.foreign_unlocks += owner != static_cast<int>(side);
      owner = -1;
      ++s.phase[side];
    }
    finish_step(s, side);
    return {true, s};
  }

  static void finish_step(State& s, std::size_t side) {
    if (++s.step[side] < static_cast<int>(steps)) return;
    s.step[side] = 0;
    ++s.cycle[side];
    const int common = std::min(s.cycle[0], s.cycle[1]);
    for (std::size_t i = 0; i < 2; ++i) {
      s.cycle[i] -= common;
      s.phase[i] -= common * Ring<steps>::round_trips;
    }
  }

  Ring<steps> ring_;
  State initial_;
  std::set<std::tuple<std::array<int, 2>, std::array<int, 2>, std::array<int, 4>>> seen_;
  RingFindings findings_;
};

template <std::size_t steps>
RingFindings explore(const Ring<steps>& ring) {
  return RingExplorer<steps>(ring).explore();
}

}  // namespace assay::test
