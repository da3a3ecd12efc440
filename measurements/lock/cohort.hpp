// SPDX-License-Identifier: Apache-2.0
// A lock that stays within a memory node for a while.
#pragma once
#include <sched.h>

#include <atomic>
#include <cstddef>
#include <vector>

#include "lock/placed.hpp"
#include "lock/ticket.hpp"

namespace assay {

/// A ticket lock for each memory node, and one over all that belongs to a node while its members hand the lock on among
/// themselves, at most `most_passes` times: lock cohorting (Dice, Marathe and Shavit, 2012), C-TKT-TKT. A member's
/// cohort is the node that it runs on when it enters. On one node there is one cohort: two ticket locks, one in the
/// other.
class CohortLock {
  struct alignas(line_size) Local {
    std::atomic<int> node{-1};
    TicketLock lock;
    bool has_global = false;  // protected by `lock`, as is the next
    int passes = 0;
  };
  struct alignas(line_size) Home {
    Local* cohort = nullptr;
  };
  struct alignas(line_size) Global {
    TicketLock lock;
  };

 public:
  using Object = CohortLock;
  using Place = Home;
  static constexpr Waiting waiting = Waiting::spins;
  static constexpr bool exclusive = true;
  /// After so many hand-overs within a node another gets its turn.
  static constexpr int most_passes = 64;

  explicit CohortLock(Setup& setup) : global_(setup.share<Global>()) {
    for (int rank = 0; rank < setup.members(); ++rank) {
      homes_.push_back(&setup.share<Home>());
      locals_.push_back(&setup.share<Local>());
    }
  }
  Home& place(int rank) { return *homes_[static_cast<std::size_t>(rank)]; }
  /// How many nodes have members in it.
  std::size_t cohorts() const {
    std::size_t used = 0;
    for (const Local* local : locals_) used += local->node.load(std::memory_order_relaxed) >= 0;
    return used;
  }

  static void enter(CohortLock& object, Home& home) {
    unsigned cpu = 0;
    unsigned node = 0;
    if (::getcpu(&cpu, &node) != 0) node = 0;
    object.join(home, static_cast<int>(node));
  }
  /// What `enter` does, for a node that is known.
  void join(Home& home, int node) {
    for (Local* local : locals_) {
      int taken_by = -1;
      if (!local->node.compare_exchange_strong(taken_by, node) && taken_by != node) continue;
      home.cohort = local;
      return;
    }
  }

  static int lock(CohortLock& object, Home& home) {
    Local& local = *home.cohort;
    local.lock.acquire();
    if (local.has_global) return 0;
    object.global_.lock.acquire();
    local.has_global = true;
    local.passes = 0;
    return 0;
  }
  static int unlock(CohortLock& object, Home& home) {
    Local& local = *home.cohort;
    if (!local.lock.is_wanted() || ++local.passes > most_passes) {
      local.has_global = false;
      object.global_.lock.release();  // taken by any member of the cohort
    }
    local.lock.release();
    return 0;
  }

 private:
  Global& global_;
  std::vector<Home*> homes_;
  std::vector<Local*> locals_;
};

}  // namespace assay
