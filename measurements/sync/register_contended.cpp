// SPDX-License-Identifier: Apache-2.0
// Locks that many want, one whose owner is gone, and atomics that share their waiters' place.
#include "sync/contention.hpp"
#include "sync/notify_bucket.hpp"
#include "sync/over_locks.hpp"
#include "sync/owner_died.hpp"
#include "sync/parts.hpp"

namespace assay {
namespace {

Quantity of_batch(std::string name, Unit unit, std::string summary) {
  return {.name = std::move(name), .unit = unit, .per = Per::batch, .summary = std::move(summary)};
}

void add_contention(Registry& registry) {
  std::vector<Factor> factors = work_factors("hold", "while holding the lock");
  for (Factor& factor : work_factors("think", "before requesting the lock again")) factors.push_back(std::move(factor));
  factors.push_back(common_window_factor());
  add_over_all_locks<Contention>(
      registry,
      {.name = "sync/contention",
       .summary = "Members that lock and unlock one lock in loops: a throughput, and no hand-off time.",
       .quantities = {of_batch("time", Unit::nanoseconds, "the window divided by the operations of all members"),
                      of_batch("rate", Unit::per_second, "operations of all members"),
                      of_batch("handoffs", Unit::ratio, "share of operations by another member than the one before"),
                      of_batch("run_length", Unit::count, "operations in a row by one member, mean"),
                      of_batch("longest_run", Unit::count, "operations in a row by one member, most"),
                      of_batch("fairness", Unit::ratio,
                               "Jain's index of the members' operations: 1 is fair, 1/members is not"),
                      of_batch("least_share", Unit::ratio, "share of the operations of the member that had the fewest"),
                      of_batch("cohorts", Unit::count, "memory nodes with members, as lock = cohort found them")},
       .factors = std::move(factors),
       .members = at_least(2)});
}

void add_owner_died(Registry& registry) {
  registry.add<OwnerDied>(
      {.name = "sync/owner_died",
       .summary = "The hand-over of a robust mutex by the end of the thread that holds it.",
       .quantities = {{.name = "handover", .summary = "from the owner's last act to the return of the waiter's lock"},
                      {.name = "recovery", .summary = "making the mutex consistent, and its unlock"},
                      {.name = "proved",
                       .unit = Unit::ratio,
                       .per = Per::batch,
                       .summary = "share of the deaths with a proved waiter"}},
       .members = exactly(2),
       .traits = {.vehicles = local_vehicles(), .waiting = Waiting::blocks}});
}

void add_notify_bucket(Registry& registry) {
  registry.add<NotifyBucket>(
      {.name = "sync/notify_bucket",
       .summary = "Notifying a std::atomic without waiters, while the other member waits for another one.",
       .quantities = {{.name = "time", .summary = "one notification without a waiter"}},
       .factors = {{.name = "foreign",
                    .standard = std::string("none"),
                    .words = {"none", "same-bucket", "other-bucket"},
                    .summary =
                        "the atomic that the other member waits for, by its place in the library's table of waiters"}},
       .members = exactly(2),
       // Long enough for the one sleep of the other member not to count.
       .traits = {.waiting = Waiting::either, .reps = {.least = Reps{1000}}},
       .core_cycles = CoreCycles::on_one_cpu});
}

}  // namespace

void register_contended(Registry& registry) {
  add_contention(registry);
  add_owner_died(registry);
  add_notify_bucket(registry);
}

}  // namespace assay
