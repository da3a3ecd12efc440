// SPDX-License-Identifier: Apache-2.0
// Registers messages of MPI, and the patterns of SKaMPI.
#include "groups.hpp"
#include "mpi/factors.hpp"
#include "mpi/kinds.hpp"

namespace assay {
namespace {

Factory maker(MpiKind kind) {
  return [kind](Setup& setup) { return make_mpi(kind, setup); };
}

void register_pairs(Registry& registry) {
  registry.add(
      {.name = "mpi/ping_pong",
       .summary = "A message to another rank and an answer of the same size.",
       .quantities = {{.name = "time", .summary = "one round trip, as member 0 sees it"}},
       .factors = {message_size(),
                   word_factor("mode", {"blocking", "nonblocking", "synchronous", "buffered", "ready", "persistent"},
                               "how messages are sent and received"),
                   word_factor("direction", {"one", "both"},
                               "one after the other, or both at once: then an event is a message in each direction"),
                   word_factor("content", {"kept", "new"},
                               "as it was, so that it is in both caches from the second message on; or written in "
                               "whole before it is sent, and read when it has come, which is part of the time")},
       .members = exactly(2),
       .traits = rank_traits()},
      maker(MpiKind::ping_pong));
  registry.add({.name = "mpi/bandwidth",
                .summary = "A window of messages in flight to another rank, acknowledged as a whole.",
                .quantities = {{.name = "time", .summary = "one window with its acknowledgement, as member 0 sees it"},
                               {.name = "bytes",
                                .unit = Unit::bytes,
                                .summary = "moved in one window, in both directions together"}},
                .factors = {message_size(65536), number_factor("window", 64, "messages in flight"),
                            word_factor("direction", {"one", "both"}, "whether member 1 sends windows as well")},
                .members = exactly(2),
                .traits = rank_traits()},
               maker(MpiKind::bandwidth));
  registry.add(
      {.name = "mpi/message_rate",
       .summary =
           "Windows of messages from each of the first half of the members to its partner in the second, at once.",
       .quantities = {slowest_time("time", "one window with its acknowledgement, of the slowest member"),
                      {.name = "rate",
                       .unit = Unit::per_second,
                       .combine = Combine::fastest,
                       .per = Per::batch,
                       .summary = "messages of all pairs together, over the time of the slowest member"}},
       .factors = {message_size(), number_factor("window", 64, "messages in flight of each pair"), threads_factor(),
                   word_factor("communicator", {"own", "shared"}, "of each pair; pairs that share one have tags")},
       .members = at_least(2),
       .traits = rank_traits()},
      maker(MpiKind::message_rate));
}

void register_one_sided(Registry& registry) {
  registry.add({.name = "mpi/one_sided",
                .summary = "A one-sided operation of member 0 on the memory of member 1, in a separate epoch.",
                .quantities = {{.name = "time", .summary = "one epoch, until the data has arrived"}},
                .factors = {message_size(), word_factor("operation", {"put", "get", "accumulate"}, "accumulate adds"),
                            word_factor("epoch", {"fence", "lock", "pscw"},
                                        "opened and closed by fences; a lock; post, start, complete and wait")},
                .members = exactly(2),
                .traits = rank_traits()},
               maker(MpiKind::one_sided));
}

void register_patterns(Registry& registry) {
  registry.add(
      {.name = "mpi/partner",
       .summary = "A round trip between the first rank and the nearest or the farthest of the others.",
       .quantities = {{.name = "time", .summary = "one round trip, as member 0 sees it"},
                      of_batch("partner", Unit::count, "the rank that was chosen, by its number in the team")},
       .factors = {message_size(), word_factor("partner", {"nearest", "farthest"},
                                               "by the shortest of 64 small round trips with each, at the start")},
       .members = at_least(2),
       .traits = rank_traits()},
      maker(MpiKind::partner));
  registry.add(
      {.name = "mpi/master_worker",
       .summary = "A job whose chunks a master deals to the workers that are free.",
       .quantities = {{.name = "time", .summary = "one job, until the last answer is back"},
                      {.name = "most", .unit = Unit::count, .summary = "chunks per job of the busiest worker"},
                      {.name = "least", .unit = Unit::count, .summary = "chunks per job of the least busy worker"}},
       .factors = {message_size(), number_factor("chunks", 32, "chunks of a job, each answered by as many bytes"),
                   number_factor("work", 0, "arithmetic of a worker on each chunk", Unit::nanoseconds)},
       .members = at_least(2),
       .traits = rank_traits()},
      maker(MpiKind::master_worker));
  registry.add(
      {.name = "mpi/simple",
       .summary = "A local call of the library.",
       .quantities = {slowest_time("time", "one call, of the slowest member")},
       .factors = {word_factor("operation", {"wtime", "comm_rank", "iprobe", "test", "send_to_none", "type"},
                               "reads the clock, queries the rank, probes for messages, tests no request, sends to "
                               "MPI_PROC_NULL, makes and frees a data type")},
       .members = at_least(1),
       .traits = rank_traits()},
      maker(MpiKind::simple));
}

void register_links(Registry& registry) {
  registry.add(
      {.name = "mpi/links",
       .summary = "Round trips between all pairs that meet in one round of a tournament of the ranks.",
       .quantities = {{.name = "time",
                       .combine = Combine::slowest,
                       .summary = "one round trip of the slowest pair; 'assay cluster' has each pair"}},
       .factors = {message_size(),
                   number_factor("round", 0, "round of the tournament, from 0; 'assay cluster' sets it"),
                   word_factor("meeting", {"together", "alone", "listed"},
                               "whether the pairs of a round exchange at once, or "
                               "each pair has its own round; listed: those of the file 'pairs' at once"),
                   {.name = "pairs",
                    .standard = Value(std::string("none")),
                    .summary = "a file with a line for each round, of pairs of ranks: 0-5 1-7; 'assay cluster' "
                               "writes it"}},
       .members = at_least(2),
       .traits = rank_traits()},
      maker(MpiKind::links));
}

}  // namespace

void register_mpi(Registry& registry) {
  register_pairs(registry);
  register_one_sided(registry);
  register_links(registry);
  register_collectives(registry);
  register_patterns(registry);
}

}  // namespace assay
