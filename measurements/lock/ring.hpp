// SPDX-License-Identifier: Apache-2.0
// Rings of locks that two members hand over to each other, as programs that can be run and can be explored.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace assay {

/// One operation of one side.
struct RingStep {
  enum class Act : std::uint8_t { unlock, lock } act = Act::unlock;
  int lock = 0;
};

/// A cycle of both sides over a set of locks; after it every lock is where it was at the start. Each lock a side
/// obtains was released by the other, so that a cycle of N/2 locks per side holds N/2 complete round trips.
template <std::size_t steps>
struct Ring {
  int locks = 0;
  std::array<bool, 4> main_holds{};  ///< at the start; the client holds the others
  std::array<RingStep, steps> main{};
  std::array<RingStep, steps> client{};
  static constexpr int round_trips = static_cast<int>(steps) / 2;
};

namespace ring_words {
constexpr RingStep u(int lock) { return {RingStep::Act::unlock, lock}; }
constexpr RingStep l(int lock) { return {RingStep::Act::lock, lock}; }
}  // namespace ring_words

/// The four-lock ring of de Supinski and May, Benchmarking Pthreads Performance (1999), figure 1. A side that released
/// a lock obtains another, which its partner releases only after obtaining the first, before it tries the first again:
/// so a releaser can never take its own lock back.
constexpr Ring<8> four_lock_ring() {
  using namespace ring_words;
  return {4,
          {true, false, true, false},
          {u(0), l(1), u(2), l(3), u(1), l(0), u(3), l(2)},
          {l(0), u(1), l(2), u(3), l(1), u(0), l(3), u(2)}};
}

/// The smallest ring that is still safe: a cross-check of the four-lock ring.
constexpr Ring<6> three_lock_ring() {
  using namespace ring_words;
  return {3, {true, false, true}, {u(0), l(1), u(2), l(0), u(1), l(2)}, {l(0), u(1), l(2), u(0), l(1), u(2)}};
}

/// The ring that looks right and is not: a releaser may take its own lock back before the partner gets it. Exists so
/// that the checks can be seen to catch it.
constexpr Ring<4> two_lock_ring() {
  using namespace ring_words;
  return {2, {true, false}, {u(0), l(1), u(1), l(0)}, {l(0), u(1), l(1), u(0)}};
}

/// The number of unlocks that a side's partner must have published when the side's step `at` (a lock) succeeds: exact,
/// per cycle. The partner has released that lock with its own unlock of it, and has not obtained anything since.
template <std::size_t steps>
constexpr int partner_phase(const std::array<RingStep, steps>& own, const std::array<RingStep, steps>& partner,
                            std::size_t at) {
  int seen = 0;  // how often this lock was obtained by this side in this cycle, this time included
  for (std::size_t i = 0; i <= at; ++i) seen += own[i].act == RingStep::Act::lock && own[i].lock == own[at].lock;
  int unlocks = 0;
  for (const RingStep& step : partner) {
    if (step.act != RingStep::Act::unlock) continue;
    ++unlocks;
    if (step.lock == own[at].lock && --seen == 0) return unlocks;
  }
  return unlocks;
}

/// Performs one cycle of a side's program: `act(step)` for each of its steps, which are compile-time constants.
/// Unrolled: the timed code is the operations alone.
template <auto ring, bool is_main, class Act>
inline void perform_cycle(Act act) {
  constexpr auto program = is_main ? ring().main : ring().client;
  [&]<std::size_t... at>(std::index_sequence<at...>) {
    (act(program[at]), ...);
  }(std::make_index_sequence<program.size()>{});
}

}  // namespace assay
