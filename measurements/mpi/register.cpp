// SPDX-License-Identifier: Apache-2.0
// Registers messages and collective operations of MPI.
#include "mpi/register.hpp"

#include "mpi/kinds.hpp"

namespace assay {
namespace {

Factor words(const char* name, std::vector<std::string> levels, const char* summary) {
  return {.name = name, .standard = levels.front(), .words = levels, .summary = summary};
}

Factor number(const char* name, std::int64_t standard, const char* summary, Unit unit = Unit::count) {
  return {.name = name, .kind = FactorKind::quantitative, .unit = unit, .standard = standard, .summary = summary};
}

/// A rank polls, and gives its CPU up where others need it: context switches are no disturbance.
Traits ranks() { return {.vehicles = {"mpi"}, .waiting = Waiting::yields}; }

Factory maker(MpiKind kind) {
  return [kind](Setup& setup) { return make_mpi(kind, setup); };
}

void register_messages(Registry& registry) {
  registry.add({.name = "mpi/ping_pong",
                .summary = "A message to another rank and one of the same size back.",
                .quantities = {{.name = "time", .summary = "one round trip, as member 0 sees it"}},
                .factors = {number("size", 8, "bytes of a message", Unit::bytes),
                            words("mode", {"blocking", "nonblocking", "synchronous", "persistent"},
                                  "how messages are sent and received")},
                .members = exactly(2),
                .traits = ranks()},
               maker(MpiKind::ping_pong));
  registry.add(
      {.name = "mpi/bandwidth",
       .summary = "A window of messages in flight to another rank, acknowledged as a whole.",
       .quantities = {{.name = "time", .summary = "one window with its acknowledgement, as member 0 sees it"},
                      {.name = "bytes", .unit = Unit::bytes, .summary = "moved in one window, both ways together"}},
       .factors = {number("size", 65536, "bytes of a message", Unit::bytes), number("window", 64, "messages in flight"),
                   words("direction", {"one", "both"}, "whether member 1 sends windows as well")},
       .members = exactly(2),
       .traits = ranks()},
      maker(MpiKind::bandwidth));
}

void register_collectives(Registry& registry) {
  registry.add({.name = "mpi/collective",
                .summary = "A collective operation, called back to back by all ranks.",
                .quantities = {{.name = "time",
                                .combine = Combine::slowest,
                                .summary = "of the rank that took longest, divided by the calls of a batch"}},
                .factors = {words("operation",
                                  {"barrier", "bcast", "reduce", "allreduce", "gather", "scatter", "allgather",
                                   "alltoall", "scan"},
                                  "the operation; sums are of 32-bit numbers, the root is the first rank"),
                            number("size", 8, "bytes that each rank gives (to each rank, for alltoall)", Unit::bytes)},
                .members = at_least(2),
                .traits = ranks()},
               maker(MpiKind::collective));
}

void register_links(Registry& registry) {
  registry.add(
      {.name = "mpi/links",
       .summary = "Round trips between all pairs that meet in one round of a tournament of the ranks.",
       .quantities = {{.name = "time",
                       .combine = Combine::slowest,
                       .summary = "one round trip of the pair that took longest; 'assay cluster' has each pair"}},
       .factors = {number("size", 8, "bytes of a message", Unit::bytes),
                   number("round", 0, "round of the tournament, from 0; 'assay cluster' sets it"),
                   words("meeting", {"together", "alone"},
                         "whether the pairs of a round exchange at once, or "
                         "each pair has a round to itself")},
       .members = at_least(2),
       .traits = ranks()},
      maker(MpiKind::links));
}

}  // namespace

void register_mpi(Registry& registry) {
  register_messages(registry);
  register_links(registry);
  register_collectives(registry);
}

}  // namespace assay
