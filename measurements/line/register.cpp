// SPDX-License-Identifier: Apache-2.0
// Registers accesses to cache lines, the part of group `sync` that has no lock.
#include "groups.hpp"
#include "line/access.hpp"
#include "line/contended.hpp"

namespace assay {
namespace {

Factor words(std::string name, std::vector<std::string> levels, std::string summary) {
  return {.name = std::move(name), .standard = levels.front(), .words = levels, .summary = std::move(summary)};
}

Factor operation_factor() {
  return words("operation", line_operations(),
               "on a word of 8 bytes: cas succeeds and cas-fail does not; test-and-set is of a byte");
}

Quantity of_batch(std::string name, Unit unit, std::string summary) {
  return {.name = std::move(name), .unit = unit, .per = Per::batch, .summary = std::move(summary)};
}

void add_access(Registry& registry) {
  registry.add<LineAccess>(
      {.name = "sync/line",
       .summary = "One access to a cache line in a state that the members prepared, by member 0.",
       .quantities = {{.name = "time", .is_signed = true, .summary = "one access, less the loop or the fence"},
                      {.name = "access",
                       .summary = "one access with the loop around it and the fence behind it: as timed"},
                      {.name = "loop",
                       .is_signed = true,
                       .summary =
                           "what was subtracted, timed in each repetition: of dependent accesses the loop without them "
                           "(after stores, the fences); of independent ones the last fence"}},
       .factors =
           {operation_factor(),
            words("line", line_states(),
                  "its state. modified: written by the holder, and not read since; exclusive: written, flushed, "
                  "and read by the holder alone; shared: written, flushed, and read by all holders; owned: written by "
                  "the holder and then read by the others (processors that are known to keep it so); invalid: written "
                  "and flushed. That no cache has done anything by itself since cannot be proved without counters"),
            words("holder", line_holders(),
                  "who has it: other: member 1, and those from 2 on where several have it; self: member 0, before all "
                  "others; both: the others, and member 0 after them"),
            words("access", {"dependent", "independent"},
                  "latency, each address by the result of the access before (after a store, its completion); or "
                  "throughput, as many at a time as the processor can have")},
       .members = at_least(1),
       // Preparing takes longer than the accesses: many repetitions would outlast a tick, few resolve nothing.
       .traits = {.vehicles = {"thread", "process"},
                  .waiting = Waiting::spins,
                  .events_per_rep = static_cast<double>(lines_per_pass),
                  .reps = {.least = Reps{8}, .most = Reps{64}}}});
}

void add_contention(Registry& registry) {
  registry.add<LineContention>(
      {.name = "sync/line_contended",
       .summary = "Members that repeat an operation on one word at once: a throughput, and how it is shared.",
       .quantities = {of_batch("time", Unit::nanoseconds, "the window divided by the operations of all members"),
                      of_batch("rate", Unit::per_second, "operations of all members"),
                      of_batch("fairness", Unit::ratio,
                               "Jain's index of the members' operations: 1 is fair, 1/members is not"),
                      of_batch("slowest_to_fastest", Unit::ratio,
                               "operations of the member with the fewest to those of the one with the most"),
                      of_batch("success", Unit::ratio, "share of the operations that changed the word as asked")},
       .factors = {operation_factor(),
                   {.name = "window",
                    .kind = FactorKind::quantitative,
                    .unit = Unit::nanoseconds,
                    .standard = std::int64_t{200'000},
                    .summary = "how long the members compete in a batch"}},
       .members = at_least(1),
       .traits = {
           .vehicles = {"thread", "process"}, .waiting = Waiting::spins, .reps = {.least = Reps{1}, .most = Reps{1}}}});
}

}  // namespace

void register_line(Registry& registry) {
  add_access(registry);
  add_contention(registry);
}

}  // namespace assay
