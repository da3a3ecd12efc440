// SPDX-License-Identifier: Apache-2.0
// Registers the waiting for descriptors, and variables of threads.
#include "os/own_variable.hpp"
#include "os/parts.hpp"
#include "os/ready.hpp"

namespace assay {

void register_ready(Registry& registry) {
  registry.add<AskReady>(
      {.name = "os/ready",
       .summary = "Query of which of many descriptors are writable, without waiting, when all are (lat_select).",
       .quantities = {{.name = "time", .summary = "one call; of select with the copy of the set that it takes"}},
       .factors =
           {{.name = "how",
             .standard = std::string("select"),
             .words = {"select", "poll", "epoll"},
             .summary = "the call; epoll has the descriptors registered before"},
            {.name = "kind",
             .standard = std::string("file"),
             .words = {"file", "tcp"},
             .summary = "duplicates of the descriptor of a regular file, or of a connected loopback socket"},
            {.name = "count", .kind = FactorKind::quantitative, .standard = std::int64_t{10}, .summary = "descriptors"},
            directory_factor()},
       .members = exactly(1),
       .core_cycles = CoreCycles::always});
  registry.add<OwnVariable>(
      {.name = "os/own_variable",
       .summary = "Adding 1 to a variable of the thread's own, of all threads, or of the CPU.",
       .quantities = {{.name = "time", .summary = "one addition in memory"}},
       .factors = {{.name = "how",
                    .standard = std::string("thread-local"),
                    .words = {"thread-local", "key", "common", "atomic", "rseq"},
                    .summary = "thread_local in the program itself; found by pthread_getspecific; "
                               "one shared by all; the same by an atomic addition, which no other member wants; "
                               "one of the CPU, by a restartable sequence (rseq)"}},
       .members = exactly(1),
       .core_cycles = CoreCycles::always});
}

}  // namespace assay
