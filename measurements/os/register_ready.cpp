// SPDX-License-Identifier: Apache-2.0
// Registers the waiting for descriptors, and variables of threads.
#include "os/own_variable.hpp"
#include "os/parts.hpp"
#include "os/ready.hpp"

namespace assay {

void register_ready(Registry& registry) {
  registry.add<AskReady>(
      {.name = "os/ready",
       .summary = "Asking which of many descriptors can be written to, without waiting, when all can (lat_select).",
       .quantities = {{.name = "time", .summary = "one call; of select with the copy of the set that it takes"}},
       .factors =
           {{.name = "how",
             .standard = std::string("select"),
             .words = {"select", "poll", "epoll"},
             .summary = "by which call; epoll has been told the descriptors before"},
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
       .summary = "Adding 1 to a variable that each thread has of its own.",
       .quantities = {{.name = "time", .summary = "one addition in memory"}},
       .factors = {{.name = "how",
                    .standard = std::string("thread-local"),
                    .words = {"thread-local", "key", "common"},
                    .summary = "thread_local in the program itself; found by pthread_getspecific; "
                               "one that all have in common"}},
       .members = exactly(1),
       .core_cycles = CoreCycles::always});
}

}  // namespace assay
