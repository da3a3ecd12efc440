// SPDX-License-Identifier: Apache-2.0
// Registers what threads of ranks do with each other.
#include "groups.hpp"
#include "hybrid/kinds.hpp"
#include "mpi/factors.hpp"

namespace assay {
namespace {

constexpr RepsBounds stamped_reps{Reps{1}, Reps{256}};  // HybridBarrierExit::most_reps

Factory maker(HybridKind kind) {
  return [kind](Setup& setup) { return make_hybrid(kind, setup); };
}

Factor barrier() {
  return word_factor(
      "barrier", {"leader", "counter", "duplicated"},
      "threads meet, then leaders in MPI_Barrier, then threads; a count, leaders, a flag; an MPI_Barrier "
      "for each thread on a communicator of its own, then threads");
}

void register_ping_pong(Registry& registry) {
  registry.add(
      {.name = "hybrid/ping_pong",
       .summary = "A message from a thread of one rank to a thread of another and an answer.",
       .quantities = {{.name = "time", .summary = "one round trip, as member 0 sees it"},
                      slowest_time("slowest", "one round trip of the slowest pair")},
       .factors = {message_size(), threads_factor(),
                   number_factor("pairs", 1, "threads of each rank that communicate, each with its counterpart"),
                   word_factor(
                       "level", {"multiple", "serialized", "funneled", "single"},
                       "what the threads do: call by themselves; under a mutex; by the rank's first thread; there "
                       "is one thread"),
                   word_factor("communicator", {"own", "shared"}, "of each pair; pairs that share one have tags"),
                   word_factor(
                       "background", {"none", "blocked", "computing", "receiving"},
                       "what the threads do that do not communicate: there are none; sleep; arithmetic; wait in a "
                       "receive")},
       .members = at_least(2),
       .traits = rank_traits()},
      maker(HybridKind::ping_pong));
}

void register_barriers(Registry& registry) {
  registry.add({.name = "hybrid/barrier",
                .summary = "Crossings of a barrier over all threads of all ranks, back to back.",
                .quantities = {slowest_time("time", "one crossing, of the slowest member")},
                .factors = {barrier(), threads_factor(),
                            word_factor("checked", {"no", "yes"},
                                        "whether each member checks after each crossing that all others had arrived")},
                .members = at_least(2),
                .traits = rank_traits()},
               maker(HybridKind::barrier));
  registry.add(
      {.name = "hybrid/barrier_late",
       .summary = "A barrier over all threads of all ranks that one member, each in turn, reaches after all others.",
       .quantities = {{.name = "release", .combine = Combine::sum, .summary = "the late member's own call"}},
       .factors = {barrier(), threads_factor(),
                   number_factor("settle", 20'000, "between the signal that all others are about to wait and the call",
                                 Unit::nanoseconds)},
       .members = at_least(2),
       .traits = rank_traits()},
      maker(HybridKind::barrier_late));
  Traits stamped = rank_traits();
  stamped.reps = stamped_reps;
  stamped.compares_stamps = true;
  registry.add({.name = "hybrid/barrier_exit",
                .summary = "Exit skew of the members of a barrier over all threads of all ranks, by a common clock.",
                .quantities = {{.name = "spread", .summary = "from the first exit to the last"},
                               {.name = "crossing", .summary = "from the last arrival to the last exit"}},
                .factors = {barrier(), threads_factor()},
                .members = at_least(2),
                .traits = stamped},
               maker(HybridKind::barrier_exit));
}

}  // namespace

void register_hybrid(Registry& registry) {
  register_ping_pong(registry);
  register_barriers(registry);
}

}  // namespace assay
