// SPDX-License-Identifier: Apache-2.0
// Schedules that are trees around rank 0; and exchanges in rounds, in which the distance between partners doubles or
// halves, or each rank sends to all others in turn.
#include "record/collective/rank_plan.hpp"

#include <algorithm>

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

namespace {

/// What a represented rank does: its data go to the rank that represents it, and the result comes back. Whether it is
/// one.
bool is_represented(RankPlan& plan, const Folded& folded, Blocks given, Blocks returned) {
  if (folded.number(plan.rank()) >= 0) return false;
  plan.send(plan.rank() - 1, given);
  plan.next_stage();
  plan.receive(plan.rank() - 1, returned);
  return true;
}

bool represents(const RankPlan& plan, const Folded& folded) { return plan.rank() < 2 * folded.pairs; }

void return_result(RankPlan& plan, const Folded& folded, Blocks blocks) {
  if (!represents(plan, folded)) return;
  plan.next_stage();
  plan.send(plan.rank() + 1, blocks);
}

}  // namespace

void dissemination(RankPlan& plan) {
  const int rank = plan.rank(), ranks = plan.ranks();
  for (int distance = 1; distance < ranks; distance *= 2) {
    plan.next_stage();
    plan.send((rank + distance) % ranks, plan.all());
    plan.receive((rank - distance + ranks) % ranks, plan.all());
  }
}

void doubling_exchange(RankPlan& plan, bool combines) {
  const Folded folded(plan.ranks());
  if (is_represented(plan, folded, plan.all(), plan.all())) return;
  const auto receive = [&](int from) { combines ? plan.combine(from, plan.all()) : plan.receive(from, plan.all()); };
  if (represents(plan, folded)) receive(plan.rank() + 1);
  const int number = folded.number(plan.rank());
  for (int distance = 1; distance < folded.size; distance *= 2) {
    const int partner = folded.rank(number ^ distance);
    plan.next_stage();
    plan.send(partner, plan.all());
    receive(partner);
  }
  return_result(plan, folded, plan.all());
}

void doubling_allgather(RankPlan& plan) {
  const Folded folded(plan.ranks());
  const int rank = plan.rank(), ranks = plan.ranks();
  const auto own = [](int of) { return Blocks{.first = of, .count = 1}; };
  const auto all_but_own = [&](int of) { return Blocks{.first = of + 1, .count = ranks - 1}; };
  if (is_represented(plan, folded, own(rank), all_but_own(rank))) return;
  if (represents(plan, folded)) plan.receive(rank + 1, own(rank + 1));
  const int number = folded.number(rank);
  const auto gathered = [&](int from, int size) {
    return Blocks{.first = folded.before(from), .count = folded.before(from + size) - folded.before(from)};
  };
  for (int size = 1; size < folded.size; size *= 2) {
    const int partner = number ^ size;
    plan.next_stage();
    plan.send(folded.rank(partner), gathered(number & -size, size));
    plan.receive(folded.rank(partner), gathered(partner & -size, size));
  }
  return_result(plan, folded, all_but_own(rank + 1));
}

void bruck_allgather(RankPlan& plan) {
  const int rank = plan.rank(), ranks = plan.ranks();
  for (int distance = 1; distance < ranks; distance *= 2) {
    const int count = std::min(distance, ranks - distance), from = (rank + distance) % ranks;
    plan.next_stage();
    plan.send((rank - distance + ranks) % ranks, {.first = rank, .count = count});
    plan.receive(from, {.first = from, .count = count});
  }
}

void bruck_alltoall(RankPlan& plan) {
  // Part i of a rank is for the i-th after it: it travels over the distances whose sum is i.
  const int rank = plan.rank(), ranks = plan.ranks();
  for (int distance = 1; distance < ranks; distance *= 2) {
    const int count = ranks / (2 * distance) * distance + std::max(0, ranks % (2 * distance) - distance);
    const Blocks blocks{.first = distance, .count = count, .run = distance, .period = 2 * distance};
    plan.next_stage();
    plan.send((rank + distance) % ranks, blocks);
    plan.receive((rank - distance + ranks) % ranks, blocks);
  }
}

void halving_reduction(RankPlan& plan, bool to_all) {
  const Folded folded(plan.ranks());
  const int number = folded.number(plan.rank());
  if (!to_all && number < 0) return plan.send(plan.rank() - 1, plan.all());
  if (is_represented(plan, folded, plan.all(), plan.all())) return;
  if (represents(plan, folded)) plan.combine(plan.rank() + 1, plan.all());
  const auto parts = [](int from, int count) { return Blocks{.first = from, .count = count}; };
  for (int size = folded.size / 2; size > 0; size /= 2) {
    const int partner = number ^ size;
    plan.next_stage();
    plan.send(folded.rank(partner), parts(partner & -size, size));
    plan.combine(folded.rank(partner), parts(number & -size, size));
  }
  for (int size = 1; size < folded.size; size *= 2) {
    const int partner = number ^ size;
    plan.next_stage();
    if (to_all || partner < number) plan.send(folded.rank(partner), parts(number & -size, size));
    if (!to_all && partner < number) return;
    plan.receive(folded.rank(partner), parts(partner & -size, size));
  }
  if (to_all) return_result(plan, folded, plan.all());
}

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
