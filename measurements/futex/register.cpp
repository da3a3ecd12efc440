// SPDX-License-Identifier: Apache-2.0
// The kernel's calls below locks and conditions, without a library.
#include "futex/futex_many.hpp"
#include "futex/futex_pi.hpp"
#include "futex/membarrier.hpp"
#include "sync/parts.hpp"

namespace assay {
namespace {

Traits sleeping() { return {.vehicles = local_vehicles(), .waiting = Waiting::blocks}; }

void add_many(Registry& registry) {
  registry.add<FutexWake>(
      {.name = "sync/futex_wake",
       .summary = "A FUTEX_WAKE of all other members, which all sleep on one word, as the kernel counts them.",
       .quantities = {{.name = "last", .summary = "from the start of the call until the last of them runs"},
                      {.name = "first", .summary = "from the start of the call until the first of them runs"},
                      {.name = "call",
                       .summary = "the call; where members may share a CPU it contains the others' run, and is not "
                                  "reported"}},
       .members = at_least(2),
       .traits = sleeping()});
  registry.add<FutexRequeue>(
      {.name = "sync/futex_requeue",
       .summary = "A FUTEX_CMP_REQUEUE of all other members, which all sleep on one word, to another one.",
       .quantities = {{.name = "call", .summary = "the call, which wakes none"}},
       .members = at_least(2),
       .traits = sleeping()});
}

void add_pi(Registry& registry) {
  registry.add<FutexPiPair>({.name = "sync/futex_pi",
                             .summary = "FUTEX_LOCK_PI and FUTEX_UNLOCK_PI of a word that only one member uses.",
                             .quantities = {{.name = "time", .summary = "one lock and one unlock, both by the kernel"}},
                             .members = exactly(1),
                             .traits = {.vehicles = local_vehicles()},
                             .core_cycles = CoreCycles::always});
  registry.add<FutexPiHandover>(
      {.name = "sync/futex_pi_handover",
       .summary = "FUTEX_UNLOCK_PI of a word that the other member waits for in FUTEX_LOCK_PI.",
       .quantities = {{.name = "handover", .summary = "from the start of the unlock to the return of the other's lock"},
                      {.name = "call",
                       .summary = "the unlock; where members may share a CPU it contains the other's run, and is not "
                                  "reported"},
                      {.name = "proved",
                       .unit = Unit::ratio,
                       .per = Per::batch,
                       .summary = "share of the unlocks with a waiter as asked for"}},
       .factors = {{.name = "waiter",
                    .standard = std::string("sleeps"),
                    .words = {"sleeps", "polls"},
                    .summary = "the kernel lets the first in the queue poll while the owner runs; to let it sleep, the "
                               "owner sleeps for a moment before it unlocks"}},
       .members = exactly(2),
       .traits = sleeping()});
}

void add_membarrier(Registry& registry) {
  registry.add<Membarrier>(
      {.name = "sync/membarrier",
       .summary = "A memory barrier on all CPUs by membarrier(2), called by member 0 while the others run.",
       .quantities = {{.name = "time", .summary = "one call"}},
       .factors = {{.name = "command",
                    .standard = std::string("private-expedited"),
                    .words = Membarrier::words(),
                    .summary = "on the CPUs that run threads of this process, with their instruction streams too "
                               "(private-sync-core), on those of all registered processes, or on all after a grace "
                               "period, which takes milliseconds (global)"}},
       .members = at_least(1),
       .traits = {.waiting = Waiting::spins},
       .selector = "command",
       .selected = Membarrier::selected()});
}

}  // namespace

void register_futex(Registry& registry) {
  add_many(registry);
  add_pi(registry);
  add_membarrier(registry);
}

}  // namespace assay
