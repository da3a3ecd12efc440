// SPDX-License-Identifier: Apache-2.0
// Registers operating-system services.
#include "os/register.hpp"

#include "os/clock.hpp"
#include "os/parts.hpp"

namespace assay {

void register_os(Registry& registry) {
  registry.add<ClockRead>(
      {.name = "os/clock",
       .summary = "Reading a clock: what one read costs, and by how much readings advance.",
       .quantities = {{.name = "cost", .summary = "one read"},
                      {.name = "step",
                       .per = Per::batch,
                       .summary = "most frequent non-zero difference of consecutive readings"}},
       .factors = {{.name = "source",
                    .standard = std::string("monotonic"),
                    .words = {"monotonic", "monotonic-raw", "realtime", "monotonic-coarse", "thread-cpu"},
                    .summary = "which clock"}},
       .members = exactly(1)});
  register_noise(registry);
}

}  // namespace assay
