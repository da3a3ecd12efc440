// SPDX-License-Identifier: Apache-2.0
// The oracle that distinguishes a barrier over ranks from something else.
#pragma once
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "api/mpi.hpp"
#include "mpi/memory_window.hpp"
#include "mpi/progress.hpp"
#include "mpi/seating.hpp"

namespace assay {

/// Every member writes the number of the crossing that it is about to make and reads all others after it: each must be
/// as far, or one further, which is as far as a member gets without this one. The numbers lie in memory that the ranks
/// of a node share.
class HybridOracle {
 public:
  explicit HybridOracle(const MpiPlace& place)
      : place_(place), seating_(place), progress_(place), own_(place.seats.size()) {
    if (!seating_.one_node())
      throw Unsupported("compares phases in memory, which ranks on different nodes do not share", "N11");
  }
  /// By every member; the first of each rank makes the memory. Throws as MemoryWindow::make.
  void enter(const Member& member) {
    if (!seating_.leads(member)) return;
    window_.make(place_, line_size * static_cast<std::size_t>(seating_.threads()), MemoryWindow::Kind::shared,
                 progress_);
    for (int one = 0; one < seating_.members(); ++one) {
      const int rank = seating_.rank_of(one);
      char* const at = window_.of(rank) + line_size * static_cast<std::size_t>(one - seating_.leader_of(rank));
      phases_.push_back(reinterpret_cast<Phase*>(at));
    }
  }
  void leave(const Member& member) {
    if (seating_.leads(member)) window_.free();
  }

  void before(const Member& member) {
    Own& own = own_[static_cast<std::size_t>(member.rank())];
    phases_[static_cast<std::size_t>(member.rank())]->store(++own.number, std::memory_order_release);
  }
  void after(const Member& member) {
    Own& own = own_[static_cast<std::size_t>(member.rank())];
    for (const Phase* phase : phases_)
      if (const std::uint32_t ahead = phase->load(std::memory_order_acquire) - own.number; ahead > 1) ++own.violations;
  }
  /// What this member saw since the last call: members that were not at the barrier that it had left, crossing by
  /// crossing.
  std::int64_t violations(const Member& member) {
    return std::exchange(own_[static_cast<std::size_t>(member.rank())].violations, 0);
  }

 private:
  using Phase = std::atomic<std::uint32_t>;
  static_assert(Phase::is_always_lock_free, "processes share it");
  struct alignas(line_size) Own {
    std::uint32_t number = 0;
    std::int64_t violations = 0;
  };

  const MpiPlace& place_;
  Seating seating_;
  MpiProgress progress_;
  MemoryWindow window_;
  std::vector<Phase*> phases_;  ///< by member
  std::vector<Own> own_;
};

/// Throws when a member saw violations.
inline void require_no_violation(std::int64_t violations) {
  if (violations > 0)
    throw std::runtime_error("the barrier released members too early: in " + std::to_string(violations) +
                             " checks a member was not at the barrier that another had left");
}

}  // namespace assay
