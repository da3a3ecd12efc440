// SPDX-License-Identifier: Apache-2.0
// Registers the noise of the operating system. What disturbs elsewhere is measured here.
#include "os/noise.hpp"
#include "os/noise_ledger.hpp"
#include "os/parts.hpp"

namespace assay {
namespace {

Quantity of_window(const char* name, Unit unit, const char* summary) {
  return {.name = name, .unit = unit, .per = Per::batch, .summary = summary};
}

Factor time_factor(const char* name, Nanoseconds standard, const char* summary) {
  return {.name = name,
          .kind = FactorKind::quantitative,
          .unit = Unit::nanoseconds,
          .standard = static_cast<std::int64_t>(standard.count),
          .summary = summary};
}

Factor window_factor() {
  return time_factor("window", milliseconds(500), "length of one repetition; rarer events are in few windows only");
}

// A window is a batch, and a batch one window.
Traits one_window() { return {.waiting = Waiting::watches, .reps = {.least = Reps{1}, .most = Reps{1}}}; }

void register_fwq(Registry& registry) {
  registry.add<NoiseFwq>(
      {.name = "os/noise-fwq",
       .summary = "Fixed work quantum (FWQ) timed repeatedly on one CPU; an event is a window.",
       .quantities = {of_window("noise", Unit::ratio, "share of the time beyond the fastest quantum's"),
                      of_window("median", Unit::nanoseconds, "median quantum"),
                      of_window("p99", Unit::nanoseconds, "quantum that 99 % do not exceed"),
                      of_window("longest", Unit::nanoseconds, "longest quantum"),
                      of_window("fastest", Unit::nanoseconds, "fastest quantum"),
                      of_window("speed", Unit::per_second, "dependent multiplications in the fastest quantum")},
       .factors = {time_factor("quantum", microseconds(100), "duration of the undisturbed work"), window_factor()},
       .members = exactly(1),
       .traits = one_window()});
}

void register_ftq(Registry& registry) {
  registry.add<NoiseFtq>(
      {.name = "os/noise-ftq",
       .summary = "Work done in fixed time quanta (FTQ) on one CPU; an event is a window.",
       .quantities = {of_window("loss", Unit::ratio, "share of the work lost, relative to the best interval"),
                      of_window("worst", Unit::ratio, "the same of the worst interval; 1: nothing was done"),
                      of_window("units", Unit::count, "units of work in the median interval"),
                      of_window("unit", Unit::nanoseconds, "a unit of work in the best interval")},
       .factors = {time_factor("interval", milliseconds(1), "length of an interval"), window_factor()},
       .members = exactly(1),
       .traits = one_window()});
}

void register_selfish(Registry& registry) {
  registry.add<NoiseSelfish>(
      {.name = "os/noise-selfish",
       .summary = "The clock read in a tight loop on one CPU: its gaps are detours; an event is a window.",
       .quantities = {of_window("lost", Unit::ratio, "share of the time that detours took"),
                      of_window("detours", Unit::per_second, "detours by time"),
                      of_window("longest", Unit::nanoseconds, "longest detour; 0 without any"),
                      of_window("switches", Unit::per_second,
                                "context switches per second; other detours are interrupts"),
                      of_window("threshold", Unit::nanoseconds, "gaps above it are detours: the factor, or 9 steps"),
                      of_window("step", Unit::nanoseconds, "median gap: one iteration of the loop")},
       .factors = {time_factor("threshold", microseconds(1), "smallest gap that is a detour"), window_factor()},
       .members = exactly(1),
       .traits = one_window()});
}

void register_detours(Registry& registry) {
  registry.add<NoiseDetours>(
      {.name = "os/noise-detours",
       .summary = "Detours of one CPU, one after the other, with the times between them; an event is a detour.",
       .quantities = {of_window("detour", Unit::nanoseconds, "duration; 0: none in the window"),
                      of_window("after", Unit::nanoseconds, "undisturbed time before it")},
       .factors = {time_factor("threshold", microseconds(1), "smallest gap that is a detour"),
                   time_factor("window", milliseconds(500), "longest wait for a detour")},
       .members = exactly(1),
       .traits = one_window()});
}

void register_ledger(Registry& registry) {
  registry.add<NoiseLedger>(
      {.name = "os/noise-ledger",
       .summary = "Detours of one CPU by what the kernel did meanwhile: who took the time; an event is a window.",
       .quantities = {of_window("lost", Unit::ratio, "share of the time that detours took"),
                      of_window("interrupt", Unit::ratio, "of it, interrupts"),
                      of_window("softirq", Unit::ratio, "what interrupts left to be done; by counters with interrupt"),
                      of_window("kernel-thread", Unit::ratio, "threads of the kernel"),
                      of_window("user-thread", Unit::ratio, "threads of other programs"),
                      of_window("quota", Unit::ratio, "kept from running by a control group's quota"),
                      of_window("elsewhere", Unit::ratio,
                                "the kernel did nothing that it knows of: a hypervisor, or hardware"),
                      of_window("stolen", Unit::ratio,
                                "what a hypervisor says it took, in steps of the system's tick; beside the others")},
       .factors = {{.name = "by",
                    .standard = std::string("tracepoints"),
                    .words = {"tracepoints", "counters"},
                    .summary = "how causes are found: tracepoints need CAP_PERFMON or root; counters need nothing, and "
                               "divide what they cannot distinguish by counts"},
                   time_factor("threshold", microseconds(1), "smallest gap that is a detour"),
                   window_factor()},
       .members = exactly(1),
       .traits = one_window(),
       .placement = "bound"});
}

}  // namespace

void register_noise(Registry& registry) {
  register_fwq(registry);
  register_ftq(registry);
  register_selfish(registry);
  register_detours(registry);
  register_ledger(registry);
}

}  // namespace assay
