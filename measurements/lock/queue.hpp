// SPDX-License-Identifier: Apache-2.0
// Locks whose members queue, each polling a line of its own or its predecessor's.
#pragma once
#include <atomic>
#include <cstddef>
#include <vector>

#include "lock/placed.hpp"

namespace assay {

/// The queue of Mellor-Crummey and Scott (1991, algorithm 5): each polls its own node, which its predecessor writes.
class McsLock {
  struct alignas(line_size) Node {
    std::atomic<Node*> next{nullptr};
    std::atomic<bool> waits{false};
  };

 public:
  using Object = McsLock;
  using Place = Node;
  static constexpr Waiting waiting = Waiting::spins;
  static constexpr bool exclusive = true;

  explicit McsLock(Setup& setup) {
    for (int rank = 0; rank < setup.members(); ++rank) nodes_.push_back(&setup.share<Node>());
  }
  Node& place(int rank) { return *nodes_[static_cast<std::size_t>(rank)]; }

  static void enter(McsLock&, Node&) {}
  static int lock(McsLock& object, Node& own) {
    if (queue(object, own)) await(own);
    return 0;
  }
  /// Joins the queue; whether there is one before.
  static bool queue(McsLock& object, Node& own) {
    own.next.store(nullptr, std::memory_order_relaxed);
    Node* const before = object.tail_.exchange(&own, std::memory_order_acq_rel);
    if (before == nullptr) return false;
    own.waits.store(true, std::memory_order_relaxed);  // seen by the one before, since it sees the link
    before->next.store(&own, std::memory_order_release);
    return true;
  }
  /// Returns when the one before has unlocked.
  static void await(const Node& own) {
    while (own.waits.load(std::memory_order_acquire)) relax();
  }
  static int unlock(McsLock& object, Node& own) {
    Node* next = own.next.load(std::memory_order_acquire);
    if (next == nullptr) {
      Node* last = &own;
      if (object.tail_.compare_exchange_strong(last, nullptr, std::memory_order_release, std::memory_order_relaxed))
        return 0;
      // One has queued, and is about to say so.
      while ((next = own.next.load(std::memory_order_acquire)) == nullptr) relax();
    }
    next->waits.store(false, std::memory_order_release);
    return 0;
  }

 private:
  std::atomic<Node*> tail_{nullptr};
  std::vector<Node*> nodes_;  // at the same addresses in all members
};

/// The queue of Craig (1993) and of Landin and Hagersten (Magnusson and others, 1994): each polls the node of the one
/// before it, and takes that with it when it leaves.
class ClhLock {
  struct alignas(line_size) Node {
    std::atomic<bool> held{false};
  };
  struct alignas(line_size) Owned {
    Node* own = nullptr;
    Node* before = nullptr;
  };

 public:
  using Object = ClhLock;
  using Place = Owned;
  static constexpr Waiting waiting = Waiting::spins;
  static constexpr bool exclusive = true;

  explicit ClhLock(Setup& setup) : tail_(&setup.share<Node>()) {
    for (int rank = 0; rank < setup.members(); ++rank) {
      places_.push_back(&setup.share<Owned>());
      places_.back()->own = &setup.share<Node>();
    }
  }
  Owned& place(int rank) { return *places_[static_cast<std::size_t>(rank)]; }

  static void enter(ClhLock&, Owned&) {}
  static int lock(ClhLock& object, Owned& place) {
    queue(object, place);
    await(place);
    return 0;
  }
  /// Joins the queue.
  static void queue(ClhLock& object, Owned& place) {
    place.own->held.store(true, std::memory_order_relaxed);  // seen by the one behind, through the tail
    place.before = object.tail_.exchange(place.own, std::memory_order_acq_rel);
  }
  /// Returns when the one before has unlocked.
  static void await(const Owned& place) {
    while (place.before->held.load(std::memory_order_acquire)) relax();
  }
  static int unlock(ClhLock&, Owned& place) {
    Node* const left = place.own;
    place.own = place.before;
    left->held.store(false, std::memory_order_release);
    return 0;
  }

 private:
  std::atomic<Node*> tail_;
  std::vector<Owned*> places_;
};

}  // namespace assay
