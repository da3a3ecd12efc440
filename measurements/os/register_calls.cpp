// SPDX-License-Identifier: Apache-2.0
// Registers system calls and signals.
#include "os/parts.hpp"
#include "os/signal.hpp"
#include "os/system_call.hpp"

namespace assay {
namespace {

// The clock has to resolve the difference, which is a small part of what is timed.
constexpr RepsBounds enough_for_a_difference{.least = Reps{64}};
// The first dozens of calls after something else are slower by up to 7 %, until the processor's predictors know the
// way.
constexpr RepsBounds enough_to_know_the_way{.least = Reps{128}};

Factor call_factor() {
  return {.name = "call",
          .standard = std::string("getppid"),
          .words = SystemCall::words(),
          .summary =
              "read-zero, write-null: 1 byte; stat, fstat, open-close: an empty file; gettid, "
              "clock-gettime: past the C library and the vDSO; getrandom: 16 bytes; futex-wake: "
              "nobody waits"};
}

void register_contended_calls(Registry& registry) {
  registry.add<SystemCallContended>(
      {.name = "os/system_call_contended",
       .summary = "System calls of all members at once, for a window of time.",
       .quantities = {{.name = "time",
                       .combine = Combine::mean,
                       .per = Per::batch,
                       .summary = "one call, as os/system_call; mean of the members"},
                      {.name = "rate",
                       .unit = Unit::per_second,
                       .per = Per::batch,
                       .summary = "calls of all members, the clock read around every 32 of them included"},
                      {.name = "fairness",
                       .unit = Unit::ratio,
                       .per = Per::batch,
                       .summary = "Jain's index of the members' calls: 1 is fair, 1/members is not"}},
       .factors = {call_factor(),
                   {.name = "object",
                    .standard = std::string("own"),
                    .words = {"own", "shared"},
                    .summary = "the file or device that the call is about: one for each member, or the same open "
                               "descriptor (or path) for all"},
                   directory_factor(),
                   common_window_factor()},
       .members = at_least(1),
       .traits = {.vehicles = {"thread", "process"}, .waiting = Waiting::spins, .reps = CommonWindow::one_window()}});
}

void register_signals(Registry& registry) {
  registry.add<SignalInstall>(
      {.name = "os/signal_install",
       .summary = "Installing a handler for a signal, and fetching the old one.",
       .quantities = {{.name = "time", .summary = "one sigaction, with its argument filled again"}},
       .members = exactly(1),
       .core_cycles = CoreCycles::always});
  registry.add<SignalHandle>(
      {.name = "os/signal_handle",
       .summary = "A signal to the own process: delivery, a handler that counts, the return from it (lat_sig).",
       .quantities = {{.name = "net",
                       .is_signed = true,
                       .summary = "sent less checked, which is measured between its halves"},
                      {.name = "sent", .summary = "one kill with a signal, until the handler has returned"},
                      {.name = "checked", .summary = "one kill with signal 0: a check of permission only"}},
       .members = exactly(1),
       .traits = {.reps = enough_for_a_difference},
       .core_cycles = CoreCycles::always});
  registry.add<ProtectionFault>(
      {.name = "os/protection_fault",
       .summary = "A store to a read-only page: its time in excess of that of the signal it causes "
                  "(lat_sig prot).",
       .quantities = {{.name = "net",
                       .is_signed = true,
                       .summary = "fault less signal, which is measured between its halves"},
                      {.name = "fault", .summary = "one store that faults, until the handler has returned"},
                      {.name = "signal",
                       .is_signed = true,
                       .summary = "one signal with an equally short handler, as net of os/signal_handle"}},
       .members = exactly(1),
       .traits = {.reps = enough_for_a_difference},
       .core_cycles = CoreCycles::always});
}

}  // namespace

void register_calls(Registry& registry) {
  registry.add<SystemCall>({.name = "os/system_call",
                            .summary = "A system call with minimal work, its result checked (lat_syscall).",
                            .quantities = {{.name = "time", .summary = "one call; of open-close both"}},
                            .factors = {call_factor(), directory_factor()},
                            .members = exactly(1),
                            .traits = {.reps = enough_to_know_the_way},
                            .core_cycles = CoreCycles::always});
  register_contended_calls(registry);
  register_signals(registry);
}

}  // namespace assay
