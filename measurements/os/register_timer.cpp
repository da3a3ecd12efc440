// SPDX-License-Identifier: Apache-2.0
// Registers how late timers wake a thread.
#include "os/parts.hpp"
#include "os/timer_latency.hpp"

namespace assay {

void register_timer(Registry& registry) {
  // A wake-up is a batch: its tail is that of wake-ups, not of means.
  registry.add<TimerLatency>(
      {.name = "os/timer_latency",
       .summary = "Sleep until an absolute time: how late the thread runs again (cyclictest); an event is a wake-up.",
       .quantities = {{.name = "latency", .summary = "from the time asked for to the first reading of the clock"}},
       .factors = {{.name = "how",
                    .standard = std::string("clock_nanosleep"),
                    .words = {"clock_nanosleep", "timerfd"},
                    .summary = "the call that sleeps"},
                   {.name = "interval",
                    .kind = FactorKind::quantitative,
                    .unit = Unit::nanoseconds,
                    .standard = std::int64_t{1'000'000},
                    .summary = "between two wake-ups"},
                   {.name = "slack",
                    .kind = FactorKind::quantitative,
                    .unit = Unit::nanoseconds,
                    .standard = std::int64_t{1},
                    .summary = "by which the kernel may delay the timers of a thread that has no real-time policy; "
                               "the system's standard is 50000, and timerfd has none"}},
       .members = exactly(1),
       .traits = {.waiting = Waiting::blocks, .reps = {.least = Reps{1}, .most = Reps{1}}, .includes_losses = true}});
}

}  // namespace assay
