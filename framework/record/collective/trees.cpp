// SPDX-License-Identifier: Apache-2.0
// Schedules that are trees around rank 0.
#include <algorithm>

#include "record/collective/rank_plan.hpp"

namespace assay::collective {

namespace {

/// How far a rank is from its parent in the binomial tree: its lowest bit; of the root, a power of two that is no rank.
int reach(int rank, int ranks) {
  if (rank != 0) return rank & -rank;
  int power = 1;
  while (power < ranks) power *= 2;
  return power;
}

}  // namespace

void tree_outwards(RankPlan& plan) {
  const int low = reach(plan.rank(), plan.ranks());
  plan.next_stage();
  if (plan.rank() != 0) plan.receive(plan.rank() - low, plan.all());
  plan.next_stage();
  for (int distance = low / 2; distance > 0; distance /= 2)
    if (plan.rank() + distance < plan.ranks()) plan.send(plan.rank() + distance, plan.all());
}

void tree_inwards(RankPlan& plan, bool combines) {
  const int low = reach(plan.rank(), plan.ranks());
  for (int distance = 1; distance < low && plan.rank() + distance < plan.ranks(); distance *= 2) {
    if (!combines) {
      plan.receive(plan.rank() + distance, plan.all());
      continue;
    }
    plan.next_stage();
    plan.combine(plan.rank() + distance, plan.all());
  }
  plan.next_stage();
  if (plan.rank() != 0) plan.send(plan.rank() - low, plan.all());
}

void root_to_all(RankPlan& plan) {
  plan.next_stage();
  if (plan.rank() != 0) return plan.receive(0, plan.all());
  for (int rank = 1; rank < plan.ranks(); ++rank) plan.send(rank, plan.all());
}

void all_to_root(RankPlan& plan, bool combines) {
  if (plan.rank() != 0) return plan.send(0, plan.all());
  for (int rank = 1; rank < plan.ranks(); ++rank) {
    if (!combines) {
      plan.receive(rank, plan.all());
      continue;
    }
    plan.next_stage();
    plan.combine(rank, plan.all());
  }
}

void scatter_from_root(RankPlan& plan) {
  const int rank = plan.rank(), ranks = plan.ranks(), low = reach(rank, ranks);
  if (rank != 0) plan.receive(rank - low, {.first = rank, .count = std::min(low, ranks - rank)});
  plan.next_stage();
  for (int distance = low / 2; distance > 0; distance /= 2) {
    const int child = rank + distance;
    if (child < ranks) plan.send(child, {.first = child, .count = std::min(distance, ranks - child)});
  }
}

}  // namespace assay::collective
