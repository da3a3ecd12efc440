// SPDX-License-Identifier: Apache-2.0
// Registers the making of processes.
#include "groups.hpp"
#include "process/make.hpp"

namespace assay {

void register_process(Registry& registry) {
  registry.add<MakeProcess>(
      {.name = "process/make",
       .summary =
           "A process is created, ends and is waited for (lat_proc); by a small program of fixed size, which times "
           "itself.",
       .quantities = {{.name = "time",
                       .summary = "one process, from before its creation until it has been waited for"}},
       .factors = {{.name = "how",
                    .standard = std::string("fork-exit"),
                    .words = {std::begin(process_ways), std::end(process_ways)},
                    .summary = "fork-exit, clone3: a copy that ends (by exit; by the system call); others execute a "
                               "tiny program, its output closed: after fork or vfork, by posix_spawn, or through "
                               "/bin/sh -c"}},
       .members = exactly(1),
       .traits = {.waiting = Waiting::blocks}});
}

}  // namespace assay
