// SPDX-License-Identifier: Apache-2.0
// Schedules in which each rank sends as many messages as there are other ranks.
#include "record/collective/rank_plan.hpp"

namespace assay::collective {

void ring_reduce_scatter(RankPlan& plan) {
  const int rank = plan.rank(), ranks = plan.ranks(), left = (rank + ranks - 1) % ranks;
  for (int step = 0; step + 1 < ranks; ++step) {
    plan.next_stage();
    plan.send((rank + 1) % ranks, {.first = (rank + ranks - step) % ranks, .count = 1});
    plan.combine(left, {.first = (left + ranks - step) % ranks, .count = 1});
  }
}

void ring_allgather(RankPlan& plan, int offset) {
  const int rank = plan.rank(), ranks = plan.ranks(), left = (rank + ranks - 1) % ranks;
  for (int step = 0; step + 1 < ranks; ++step) {
    plan.next_stage();
    plan.send((rank + 1) % ranks, {.first = (rank + offset + ranks - step) % ranks, .count = 1});
    plan.receive(left, {.first = (left + offset + ranks - step) % ranks, .count = 1});
  }
}

void allgather_at_once(RankPlan& plan) {
  const int rank = plan.rank(), ranks = plan.ranks();
  for (int i = 1; i < ranks; ++i) plan.send((rank + i) % ranks, {.first = rank, .count = 1});
  for (int i = 1; i < ranks; ++i) {
    const int from = (rank + ranks - i) % ranks;
    plan.receive(from, {.first = from, .count = 1});
  }
}

// In alltoall, part i of a rank is for the i-th rank after it, and in the end from the i-th before it.

void alltoall_at_once(RankPlan& plan) {
  const int rank = plan.rank(), ranks = plan.ranks();
  for (int i = 1; i < ranks; ++i) plan.send((rank + i) % ranks, {.first = i, .count = 1});
  for (int i = 1; i < ranks; ++i) plan.receive((rank + ranks - i) % ranks, {.first = i, .count = 1});
}

void pairwise_alltoall(RankPlan& plan) {
  const int rank = plan.rank(), ranks = plan.ranks();
  for (int i = 1; i < ranks; ++i) {
    plan.next_stage();
    plan.send((rank + i) % ranks, {.first = i, .count = 1});
    plan.receive((rank + ranks - i) % ranks, {.first = i, .count = 1});
  }
}

}  // namespace assay::collective
