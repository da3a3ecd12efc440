// SPDX-License-Identifier: Apache-2.0
// Locks that one member uses alone, a poll, and an empty body beside them.
#include "sync/over_locks.hpp"
#include "sync/parts.hpp"
#include "sync/uncontended.hpp"

namespace assay {
namespace {

Factor number(std::string name, Unit unit, std::int64_t standard, std::string summary) {
  return {.name = std::move(name),
          .kind = FactorKind::quantitative,
          .unit = unit,
          .standard = standard,
          .summary = std::move(summary)};
}

}  // namespace

void register_uncontended(Registry& registry) {
  add_over_all_locks<LockPair>(registry, {.name = "sync/lock",
                                          .summary = "Uncontended lock and unlock of one lock.",
                                          .quantities = {{.name = "time", .summary = "one lock and one unlock"}},
                                          .members = exactly(1),
                                          .core_cycles = CoreCycles::always});
  add_over_locks<LockRingAlone>(
      registry, {.name = "sync/lock_ring_alone",
                 .summary = "The four-lock ring by its main side alone: lock and unlock without contention.",
                 .quantities = {{.name = "time", .summary = "one lock and one unlock: a quarter of a cycle of eight"}},
                 .members = exactly(1),
                 .core_cycles = CoreCycles::always});
  add_over_locks<LockArray>(
      registry,
      {.name = "sync/lock_array",
       .summary = "Locking all locks of an array, then unlocking them all.",
       .quantities = {{.name = "lock", .summary = "one lock"}, {.name = "unlock", .summary = "one unlock"}},
       .factors = {number("locks", Unit::count, 256, "locks in the array"),
                   number("stride", Unit::bytes, 64, "distance from one lock to the next"),
                   number("skew", Unit::bytes, 64,
                          "further distance per 4096 bytes; 0: locks a page apart fall into the same cache sets")},
       .members = exactly(1)});
  registry.add<PollTurn>({.name = "sync/poll",
                          .summary = "One turn of a loop that waits for a flag: a look and the processor's spin hint.",
                          .quantities = {{.name = "time", .summary = "one look and one hint"}},
                          .members = exactly(1),
                          .core_cycles = CoreCycles::always});
  registry.add<EmptyBody>({.name = "sync/empty",
                           .summary = "An empty body: the overhead of the measurement per repetition.",
                           .quantities = {{.name = "time", .is_signed = true, .summary = "one empty repetition"}},
                           .members = exactly(1),
                           .core_cycles = CoreCycles::always});
}

}  // namespace assay
