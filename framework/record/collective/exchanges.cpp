// SPDX-License-Identifier: Apache-2.0
// Schedules in which the distance between partners doubles or halves in each round.
#include <algorithm>

#include "record/collective/rank_plan.hpp"

namespace assay::collective {

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

}  // namespace assay::collective
