// SPDX-License-Identifier: Apache-2.0
// Registers operating-system services.
#include "groups.hpp"
#include "os/clock.hpp"
#include "os/core_frequency.hpp"
#include "os/parts.hpp"

namespace assay {

void register_os(Registry& registry) {
  registry.add<ClockRead>(
      {.name = "os/clock",
       .summary = "Reading a clock: the cost of one read, and the step between readings.",
       .quantities = {{.name = "cost", .summary = "one read"},
                      {.name = "step",
                       .per = Per::batch,
                       .summary = "most frequent non-zero difference of consecutive readings"}},
       .factors = {{.name = "source",
                    .standard = std::string("monotonic"),
                    .words = {"monotonic", "monotonic-raw", "realtime", "monotonic-coarse", "thread-cpu"},
                    .summary = "which clock"}},
       .members = exactly(1),
       .core_cycles = CoreCycles::always});
  registry.add<CoreFrequency>(
      {.name = "os/core_frequency",
       .summary = "Dependent additions: the actual frequency of the core, independent of its nominal frequency.",
       .quantities = {{.name = "frequency", .unit = Unit::per_second, .per = Per::batch, .summary = "cycles by time"},
                      {.name = "cycle", .summary = "one cycle: one addition"}},
       .members = exactly(1),
       .traits = {.events_per_rep = static_cast<double>(AdditionChain::round), .reps = {.least = Reps{256}}},
       .core_cycles = CoreCycles::always});
  register_noise(registry);
  register_timer(registry);
  register_token(registry);
  register_calls(registry);
  register_ready(registry);
  register_io_uring(registry);
}

}  // namespace assay
