// SPDX-License-Identifier: Apache-2.0
// Registers collective operations of MPI.
#include "groups.hpp"
#include "mpi/factors.hpp"
#include "mpi/kinds.hpp"

namespace assay {
namespace {

Factory maker(MpiKind kind) {
  return [kind](Setup& setup) { return make_mpi(kind, setup); };
}

Factor operation() {
  return word_factor("operation", collective_operations(),
                     "the operation; sums are of 32-bit numbers, the root is the first rank");
}

Factor given_size() {
  return number_factor("size", 8,
                       "bytes that each rank gives (to each rank, for alltoall; on average, where counts differ)",
                       Unit::bytes);
}

/// An operation of all ranks starts at an agreed time, since the skew with which a barrier lets them go would be part
/// of it; then it is called once, since what follows starts as the ranks come out of it.
Traits ranks_together(bool in_windows) {
  Traits traits = rank_traits();
  traits.start = Start::window;
  if (in_windows) traits.reps.most = Reps{1};
  return traits;
}

void register_collective(Registry& registry) {
  registry.add({.name = "mpi/collective",
                .summary = "A collective operation of all ranks: from a synchronized start, or called back to back.",
                .quantities = {slowest_time(
                    "time",
                    "by its definition: start = window: from the synchronized start to the end of one call; "
                    "else of the calls of a batch, divided by their number")},
                .factors = {operation(), given_size(),
                            word_factor("form", {"blocking", "nonblocking"},
                                        "one call, or its non-blocking form, completed at once"),
                            word_factor("definition", {"slowest", "root", "window"},
                                        "time of the slowest rank; of the root; from the first that began to the "
                                        "last that ended, by a common clock")},
                .members = at_least(2),
                .traits = ranks_together(false),
                .selector = "start",
                .selected = {{"window", ranks_together(true)}}},
               maker(MpiKind::collective));
}

void register_overlap(Registry& registry) {
  registry.add(
      {.name = "mpi/overlap",
       .summary = "A non-blocking collective operation with arithmetic between its start and the wait for its end.",
       .quantities = {slowest_time("time", "start, arithmetic and wait, of the slowest rank"),
                      {.name = "overlap",
                       .unit = Unit::ratio,
                       .per = Per::batch,
                       .is_signed = true,
                       .summary = "(pure + work - time) / min(pure, work), not clipped: 1 is full overlap, 0 none"},
                      slowest_time("pure", "start and wait with nothing between them"),
                      slowest_time("work", "the arithmetic alone")},
       .factors = {operation(), given_size(),
                   number_factor("share", 1, "length of the arithmetic as a multiple of pure"),
                   number_factor("tests", 0, "calls of MPI_Test spread over the arithmetic")},
       .members = at_least(2),
       .traits = rank_traits()},
      maker(MpiKind::overlap));
}

void register_delayed(Registry& registry) {
  registry.add(
      {.name = "mpi/collective_delayed",
       .summary = "A collective operation that one rank enters later than the others.",
       .quantities = {slowest_time("late", "the call of the late rank"),
                      slowest_time("others",
                                   "the call of the slowest of the others, its wait for the late one included"),
                      {.name = "beyond",
                       .combine = Combine::slowest,
                       .is_signed = true,
                       .summary = "others less the actual delay: below 0 where no rank waits for the late one"}},
       .factors = {operation(), given_size(),
                   number_factor("delay", 100'000, "by how much it is late, after a barrier", Unit::nanoseconds),
                   number_factor("late-rank", 0, "which rank of the team; 0 is the root")},
       .members = at_least(2),
       .traits = rank_traits()},
      maker(MpiKind::delayed));
}

}  // namespace

void register_collectives(Registry& registry) {
  register_collective(registry);
  register_overlap(registry);
  register_delayed(registry);
}

}  // namespace assay
