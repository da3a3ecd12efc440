// SPDX-License-Identifier: Apache-2.0
// Barriers in which no two members poll one line: rounds of signals, a tournament, and a static tree.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sync/barriers.hpp"

namespace assay {

/// A line that one member writes and another polls, with the number of the last crossing it was written in. Numbers
/// grow, in the place of a sense that is reversed: a writer that is a crossing ahead does not hide the signal before.
class alignas(line_size) CrossingSignal {
 public:
  void give(std::uint32_t crossing) { number_.store(crossing, std::memory_order_release); }
  template <class EachPoll>
  void await(std::uint32_t crossing, EachPoll& each_poll) const {
    for (; static_cast<std::int32_t>(number_.load(std::memory_order_acquire) - crossing) < 0; relax()) each_poll();
  }

 private:
  std::atomic<std::uint32_t> number_{0};
};

/// What the members of a barrier of signals have: a row of signals each, and the number of its crossing.
class BarrierSignals {
 public:
  BarrierSignals(Setup& setup, int each)
      : members_(setup.members()), each_(each), crossings_(static_cast<std::size_t>(setup.members())) {
    for (int i = 0; i < members_ * each_; ++i) signals_.push_back(&setup.share<CrossingSignal>());
  }
  int members() const { return members_; }
  CrossingSignal& of(int rank, int which) const {
    const auto row = static_cast<std::size_t>(rank) * static_cast<std::size_t>(each_);
    return *signals_[row + static_cast<std::size_t>(which)];
  }
  /// The number of the crossing that a member begins.
  std::uint32_t next(int rank) { return ++crossings_[static_cast<std::size_t>(rank)].number; }

  /// ceil(log2(members)).
  static int rounds(int members) {
    int all = 0;
    while ((1 << all) < members) ++all;
    return all;
  }

 private:
  struct alignas(line_size) Crossing {
    std::uint32_t number = 0;
  };
  int members_;
  int each_;
  std::vector<CrossingSignal*> signals_;
  std::vector<Crossing> crossings_;  // each used by its member alone, so that members that are processes have copies
};

/// In round k each signals the member 2^k further on and waits for the one 2^k before: ceil(log2(members)) rounds, of
/// all at once (Hensgen, Finkel and Manber, 1988; Mellor-Crummey and Scott, 1991, algorithm 9).
class DisseminationRounds {
 public:
  explicit DisseminationRounds(Setup& setup)
      : rounds_(BarrierSignals::rounds(setup.members())), signals_(setup, rounds_) {}
  static Traits traits() { return {.vehicles = local_vehicles(), .waiting = Waiting::spins}; }
  template <class EachPoll>
  void wait(int rank, EachPoll each_poll) {
    const std::uint32_t crossing = signals_.next(rank);
    int partner = rank;
    for (int round = 0; round < rounds_; ++round) {
      partner = rank + (1 << round);
      if (partner >= signals_.members()) partner -= signals_.members();
      signals_.of(partner, round).give(crossing);
      signals_.of(rank, round).await(crossing, each_poll);
    }
  }

 private:
  int rounds_;
  BarrierSignals signals_;
};

/// In round k of a tournament whose winners are known beforehand, the member whose rank is an odd multiple of 2^k
/// signals the one 2^k before it and waits to be released; who is left at the end releases, in the opposite order
/// (Hensgen, Finkel and Manber, 1988; Mellor-Crummey and Scott, 1991, algorithm 10).
class Tournament {
 public:
  explicit Tournament(Setup& setup)
      : release_(BarrierSignals::rounds(setup.members())), signals_(setup, release_ + 1) {}
  static Traits traits() { return {.vehicles = local_vehicles(), .waiting = Waiting::spins}; }
  template <class EachPoll>
  void wait(int rank, EachPoll each_poll) {
    const std::uint32_t crossing = signals_.next(rank);
    int round = 0;
    for (; round < release_ && (rank & (1 << round)) == 0; ++round)
      if (rank + (1 << round) < signals_.members()) signals_.of(rank, round).await(crossing, each_poll);
    if (round < release_) {
      signals_.of(rank - (1 << round), round).give(crossing);
      signals_.of(rank, release_).await(crossing, each_poll);
    }
    while (round-- > 0)
      if (rank + (1 << round) < signals_.members()) signals_.of(rank + (1 << round), release_).give(crossing);
  }

 private:
  int release_;  // the rounds; the signal of that number is the one that a member is released by
  BarrierSignals signals_;
};

/// Arrivals go up a tree in which a member has four children, who write one line that it polls; releases go down a
/// tree in which it has two (Mellor-Crummey and Scott, 1991, algorithm 11).
class StaticTree {
  static constexpr int arrivals = 4;
  static constexpr int releases = 2;
  struct alignas(line_size) Arrived {
    std::array<std::atomic<std::uint32_t>, arrivals> crossings{};
  };

 public:
  explicit StaticTree(Setup& setup) : release_(setup, 1) {
    for (int rank = 0; rank < setup.members(); ++rank) arrived_.push_back(&setup.share<Arrived>());
  }
  static Traits traits() { return {.vehicles = local_vehicles(), .waiting = Waiting::spins}; }
  template <class EachPoll>
  void wait(int rank, EachPoll each_poll) {
    const std::uint32_t crossing = release_.next(rank);
    await_children(rank, crossing, each_poll);
    if (rank != 0) {
      const auto own = static_cast<std::size_t>((rank - 1) % arrivals);
      arrived_[static_cast<std::size_t>((rank - 1) / arrivals)]->crossings[own].store(crossing,
                                                                                      std::memory_order_release);
      release_.of(rank, 0).await(crossing, each_poll);
    }
    for (int child = releases * rank + 1; child <= releases * (rank + 1); ++child)
      if (child < release_.members()) release_.of(child, 0).give(crossing);
  }

 private:
  // A child cannot be a crossing ahead: it waits to be released from this one.
  template <class EachPoll>
  void await_children(int rank, std::uint32_t crossing, EachPoll& each_poll) {
    auto& crossings = arrived_[static_cast<std::size_t>(rank)]->crossings;
    for (int child = 0; child < arrivals && arrivals * rank + 1 + child < release_.members(); ++child)
      for (; crossings[static_cast<std::size_t>(child)].load(std::memory_order_acquire) != crossing; relax())
        each_poll();
  }

  std::vector<Arrived*> arrived_;
  BarrierSignals release_;
};

}  // namespace assay
