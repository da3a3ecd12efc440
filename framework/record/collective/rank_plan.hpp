// SPDX-License-Identifier: Apache-2.0
// Writes the operations of one rank, stage by stage.
#pragma once
#include <cstdint>
#include <vector>

#include "record/collective/schedule.hpp"

namespace assay::collective {

/// The part of a schedule that is being written: one rank's.
class RankPlan {
 public:
  /// Appends to the schedule's operations.
  RankPlan(Schedule& schedule, int rank) : schedule_(schedule), rank_(rank), start_(schedule.operations.size()) {}

  int rank() const { return rank_; }
  int ranks() const { return schedule_.ranks; }
  /// All parts of the rank's data.
  Blocks all() const { return {.count = schedule_.parts}; }

  void send(int to, Blocks blocks) { add(Operation::Kind::send, to, blocks, false); }
  void receive(int from, Blocks blocks) { add(Operation::Kind::receive, from, blocks, false); }
  /// What is received is combined with the rank's own, which is computed in a stage of its own.
  void combine(int from, Blocks blocks) {
    add(Operation::Kind::receive, from, blocks, true);
    next_stage();
    add(Operation::Kind::compute, -1, blocks, false);
  }
  /// A stage begins, unless the present one is empty.
  void next_stage() {
    auto& operations = schedule_.operations;
    if (operations.size() > start_ && operations.back().stage == stage_) ++stage_;
  }

 private:
  void add(Operation::Kind kind, int peer, Blocks blocks, bool combined) {
    const double bytes = blocks.count * schedule_.part_bytes;
    schedule_.operations.push_back(
        {.kind = kind, .combined = combined, .peer = peer, .stage = stage_, .bytes = bytes, .blocks = blocks});
  }
  Schedule& schedule_;
  int rank_;
  std::size_t start_;
  std::uint32_t stage_ = 0;
};

/// Ranks as a power of two: those beyond it are represented by their neighbours (Rabenseifner and Traeff, More
/// Efficient Reduction Algorithms for Non-Power-of-Two Number of Processors, EuroPVM/MPI 2004).
struct Folded {
  explicit Folded(int ranks) {
    while (size * 2 <= ranks) size *= 2;
    pairs = ranks - size;
  }
  /// The number of a rank among the representatives, or -1.
  int number(int rank) const { return rank >= 2 * pairs ? rank - pairs : rank % 2 == 0 ? rank / 2 : -1; }
  int rank(int number) const { return number < pairs ? 2 * number : number + pairs; }
  /// The first rank that is represented by this or a later number.
  int before(int number) const { return number <= pairs ? 2 * number : number + pairs; }
  int size = 1;
  int pairs = 0;  ///< ranks 0 and 1, 2 and 3, ... of that many pairs are represented by the first of each
};

/// Trees around rank 0: outwards, the largest part of the tree first, or inwards.
void tree_outwards(RankPlan& plan);
void tree_inwards(RankPlan& plan, bool combines);
void root_to_all(RankPlan& plan);
void all_to_root(RankPlan& plan, bool combines);
void scatter_from_root(RankPlan& plan);
/// Exchanges over distances that double or halve.
void dissemination(RankPlan& plan);
void doubling_exchange(RankPlan& plan, bool combines);
void doubling_allgather(RankPlan& plan);
void bruck_allgather(RankPlan& plan);
void bruck_alltoall(RankPlan& plan);
void halving_reduction(RankPlan& plan, bool to_all);
/// As many messages per rank as there are other ranks. At the start of the second, rank r has part r + `offset`.
void ring_reduce_scatter(RankPlan& plan);
void ring_allgather(RankPlan& plan, int offset);
void allgather_at_once(RankPlan& plan);
void alltoall_at_once(RankPlan& plan);
void pairwise_alltoall(RankPlan& plan);

}  // namespace assay::collective
