// SPDX-License-Identifier: Apache-2.0
// Condition variables apart from channels.
#include "sync/broadcast.hpp"
#include "sync/condition_wait.hpp"
#include "sync/parts.hpp"

namespace assay {
namespace {

Traits traits(Waiting waiting) { return {.vehicles = local_vehicles(), .waiting = waiting}; }

void add_signal(Registry& registry) {
  registry.add<ConditionSignal>({.name = "sync/condition_signal",
                                 .summary = "A signal of a condition variable without waiters.",
                                 .quantities = {{.name = "time", .summary = "one signal without a waiter"}},
                                 .factors = {{.name = "call",
                                              .standard = std::string("signal"),
                                              .words = {"signal", "broadcast"},
                                              .summary = "which of the two"}},
                                 .members = exactly(1),
                                 .traits = traits(Waiting::none),
                                 .core_cycles = CoreCycles::always});
}

void add_wait(Registry& registry) {
  registry.add<ConditionWait>(
      {.name = "sync/condition_wait",
       .summary = "A wait for a condition that the other member signals continuously: saturated.",
       .quantities = {{.name = "time", .claimant = 1, .summary = "one wait"},
                      {.name = "switches",
                       .unit = Unit::count,
                       .claimant = 1,
                       .summary = "voluntary context switches per wait: 0 when it does not wait"},
                      {.name = "signals", .unit = Unit::count, .claimant = 1, .summary = "signals sent per wait"}},
       .members = exactly(2),
       .traits = traits(Waiting::either)});
}

void add_broadcast(Registry& registry) {
  registry.add<Broadcast>(
      {.name = "sync/broadcast",
       .summary = "A broadcast to members that all wait for the condition: all but the first.",
       .quantities = {{.name = "call", .summary = "the broadcast"},
                      {.name = "first", .summary = "from the call to the first waiter's return"},
                      {.name = "last", .summary = "from the call to the last waiter's return"}},
       .factors = {{.name = "held",
                    .standard = std::string("no"),
                    .words = {"no", "yes"},
                    .summary = "whether the caller holds the mutex meanwhile, for which the waiters then queue"}},
       .members = at_least(2),
       .traits = traits(Waiting::blocks)});
}

}  // namespace

void register_conditions(Registry& registry) {
  add_signal(registry);
  add_wait(registry);
  add_broadcast(registry);
}

}  // namespace assay
