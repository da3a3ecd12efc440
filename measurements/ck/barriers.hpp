// SPDX-License-Identifier: Apache-2.0
// Barriers of Concurrency Kit, a library, beside our own of the same kinds.
#pragma once
#include <array>
#include <cstddef>
#include <string>

#include "ck/calls.hpp"
#include "ck/locks.hpp"
#include "sync/barriers.hpp"

namespace assay {

/// One of the library's. Its polls are its own: no member beats while it waits.
template <CkBarrierKind kind, void (*wait_in)(void*, unsigned, unsigned)>
class CkBarrier {
  struct alignas(line_size) Memory {
    std::array<std::byte, std::size_t{64} * 1024> bytes{};
  };

 public:
  /// Throws Unsupported where the program was built without the library, and for more members than there is room for.
  explicit CkBarrier(Setup& setup) : members_(static_cast<unsigned>(setup.members())) {
    require_ck();
    auto& memory = setup.share<Memory>().bytes;
    memory_ = memory.data();
    if (assay_ck_barrier_bytes(kind, members_) > memory.size())
      throw Unsupported("there is no room for " + std::to_string(members_) + " members of this barrier");
    assay_ck_barrier_init(kind, memory_, members_);
  }
  static Traits traits() { return {.vehicles = local_vehicles(), .waiting = Waiting::spins}; }
  template <class EachPoll>
  void wait(int rank, EachPoll) {
    wait_in(memory_, static_cast<unsigned>(rank), members_);
  }

 private:
  unsigned members_;
  void* memory_ = nullptr;
};

/// ck_barrier_centralized, ck_barrier_dissemination, ck_barrier_tournament and ck_barrier_mcs.
using CkCentral = CkBarrier<CkBarrierKind::central, assay_ck_central_wait>;
using CkDissemination = CkBarrier<CkBarrierKind::dissemination, assay_ck_dissemination_wait>;
using CkTournament = CkBarrier<CkBarrierKind::tournament, assay_ck_tournament_wait>;
using CkTree = CkBarrier<CkBarrierKind::tree, assay_ck_tree_wait>;

}  // namespace assay
