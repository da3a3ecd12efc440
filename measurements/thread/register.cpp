// SPDX-License-Identifier: Apache-2.0
// Registers the life of threads: created, giving way, preempted, cancelled.
#include "groups.hpp"
#include "thread/cancel.hpp"
#include "thread/create_chain.hpp"
#include "thread/create_join.hpp"
#include "thread/mass_create.hpp"
#include "thread/time_slice.hpp"
#include "thread/yield.hpp"
#include "work/counted.hpp"

namespace assay {
namespace {

Factor words(const char* name, std::vector<std::string> levels, const char* summary) {
  return {.name = name, .standard = levels.front(), .words = levels, .summary = summary};
}

Factor number(const char* name, std::int64_t standard, const char* summary, Unit unit = Unit::count) {
  return {.name = name, .kind = FactorKind::quantitative, .unit = unit, .standard = standard, .summary = summary};
}

Factor stack_factor() { return number("stack", 0, "stack size; 0 is the library's own default", Unit::bytes); }
Factor state_factor() {
  return words("detachstate", {"joinable", "detached"},
               "whether the threads can be joined; they are outside the clock");
}

Quantity of_batch(const char* name, Unit unit, const char* summary) {
  return {.name = name, .unit = unit, .per = Per::batch, .summary = summary};
}

void register_creation(Registry& registry) {
  const Traits sleeping{.waiting = Waiting::blocks, .takes_memory = true};
  registry.add<Batches<CreateJoin>>(
      {.name = "thread/create_join",
       .summary = "Creation of a thread that only records its CPU, and joining it.",
       .quantities = Batches<CreateJoin>::quantities("one create and one join"),
       .factors = {stack_factor(), words("api", {"pthread", "std"}, "threads of POSIX, or std::thread")},
       .members = exactly(1),
       .traits = CreateJoin::traits(),
       .core_cycles = CoreCycles::on_one_cpu});
  using CreateJoinWindow = CountedWindow<CreateJoin>;
  registry.add<CreateJoinWindow>(
      {.name = "thread/create_join_window",
       .summary = "Creations of threads that only record their CPU, each joined before the next, counted.",
       .quantities = CreateJoinWindow::quantities("threads"),
       .factors = {stack_factor(), words("api", {"pthread", "std"}, "threads of POSIX, or std::thread"),
                   window_factor()},
       .members = exactly(1),
       .traits = CreateJoinWindow::traits()});
  registry.add<Create>({.name = "thread/create",
                        .summary = "The call that creates a thread, alone.",
                        .quantities = {{.name = "time", .summary = "one pthread_create"}},
                        .factors = {state_factor(), stack_factor()},
                        .members = exactly(1),
                        .traits = sleeping,
                        .core_cycles = CoreCycles::on_one_cpu});
  registry.add<CreateChain>(
      {.name = "thread/create_chain",
       .summary = "A chain of threads, each created by the one before it (de Supinski and May, 1999).",
       .quantities = {{.name = "time", .summary = "the chain's time divided by its length: one creation"}},
       .factors = {number("chain", 200, "threads in a chain"), state_factor(),
                   words("scope", {"system", "process"}, "contention scope of the threads"), stack_factor(),
                   words("scheduling", {"inherited", "explicit"}, "the source of the threads' policy")},
       .members = exactly(1),
       .traits = sleeping,
       .core_cycles = CoreCycles::on_one_cpu});
}

std::vector<Factor> mass_factors() {
  return {number("toplevel", 1, "threads that create"),
          number("children", 1, "maximum number of threads of each at a time"),
          stack_factor(),
          number("guard", 4096, "guard below each stack; 0 for none", Unit::bytes),
          words("detachstate", {"joinable", "detached"}, "joined, the oldest first; or each signals its end"),
          number("work-rounds", 0, "rounds of work or sleep of a created thread; 0: none"),
          number("work", 75, "percentage of rounds with work, at random; the others sleep for 10 ms"),
          number("loop", 20, "dependent multiplications in a round of work")};
}

// So many creations that starting the creators is a small part of the time, and steady where each has ten children.
constexpr RepsBounds many_creations{.least = Reps{2000}};

void register_mass(Registry& registry) {
  const Traits one_run{.waiting = Waiting::blocks, .reps = {.least = Reps{1}, .most = Reps{1}}, .takes_memory = true};
  std::vector<Factor> factors = mass_factors();
  factors.push_back(number("creations", 0, "threads in a run, which is a repetition; 0: a repetition is a creation"));
  registry.add<MassCreate>(
      {.name = "thread/mass_create",
       .summary = "Threads created by several threads at once, a given number at a time (Drepper, 2002); an event is a "
                  "creation.",
       .quantities = {{.name = "time", .summary = "the time of a run, creators included, divided by its creations"},
                      of_batch("switches", Unit::ratio, "context switches of the process per creation"),
                      {.name = "run", .summary = "the time of a run, where 'creations' sets its length"}},
       .factors = factors,
       .members = exactly(1),
       .traits = one_run,
       .selector = "creations",
       .selected = {{"0", {.waiting = Waiting::blocks, .reps = many_creations, .takes_memory = true}}}});
  factors.back() = number("creations", 2000, "threads in a run, which is a repetition");
  registry.add<LifeCalls>(
      {.name = "thread/life_calls",
       .summary =
           "System calls in the life of a thread, its creation and joining included, in runs of thread/mass_create.",
       .quantities = {{.name = "system_calls", .unit = Unit::count, .summary = "system calls per creation"},
                      {.name = "switches", .unit = Unit::count, .summary = "context switches per creation"}},
       .factors = factors,
       .members = exactly(1),
       .traits = one_run});
}

void register_yield(Registry& registry) {
  registry.add<Yield>(
      {.name = "thread/yield",
       .summary = "Two members yield the CPU to each other; meant for placement same-pu.",
       .quantities = {{.name = "time", .summary = "the time divided by the yields of both members"},
                      of_batch("alternation", Unit::ratio, "share of yields that followed one of the other member"),
                      of_batch("switch", Unit::nanoseconds, "the time divided by the context switches counted"),
                      of_batch("switches", Unit::ratio, "context switches per yield")},
       .factors = {words("proxy", {"off", "on"}, "a separate thread takes the first member's part")},
       .members = exactly(2),
       .traits = {.vehicles = {"thread", "process"}, .waiting = Waiting::yields, .reps = {.least = Reps{32}}},
       .core_cycles = CoreCycles::on_one_cpu});
  registry.add<YieldAlone>({.name = "thread/yield_alone",
                            .summary = "A yield without another runnable thread.",
                            .quantities = {{.name = "time", .summary = "one sched_yield"}},
                            .members = exactly(1),
                            .core_cycles = CoreCycles::always});
}

void register_time_slice(Registry& registry) {
  const Traits one_batch{
      .vehicles = {"thread", "process"}, .waiting = Waiting::yields, .reps = {.least = Reps{1}, .most = Reps{1}}};
  registry.add<TimeSlice>(
      {.name = "thread/time_slice",
       .summary = "How long a spinning thread keeps its CPU when another one is runnable; placement same-pu.",
       .quantities = {of_batch("slice", Unit::nanoseconds, "upper mode of the on-CPU times of the batch's turns"),
                      of_batch("shortest", Unit::nanoseconds, "shortest turn"),
                      of_batch("median", Unit::nanoseconds, "median turn"),
                      of_batch("longest", Unit::nanoseconds, "longest turn"),
                      of_batch("foreign", Unit::ratio, "interruptions by other threads, per turn"),
                      of_batch("interrupts", Unit::count, "interruptions above 2 us without a switch, in a batch"),
                      of_batch("requested", Unit::nanoseconds, "the slice that sched_getattr reports"),
                      of_batch("interval", Unit::nanoseconds, "the slice that sched_rr_get_interval reports")},
       .factors = {number("turns", 10, "turns of the first member in a batch")},
       .members = exactly(2),
       .traits = one_batch});
  registry.add<TimeSlicePaper>(
      {.name = "thread/time_slice_paper",
       .summary = "Two spinners hand a flag over once per slice (de Supinski and May, 1999); placement same-pu.",
       .quantities = {of_batch("time", Unit::nanoseconds, "the time divided by twice the turns"),
                      {.name = "cpu",
                       .combine = Combine::sum,
                       .per = Per::batch,
                       .summary = "the members' CPU time divided by the same: less where others ran"}},
       .factors = {number("turns", 10, "turns of each member in a batch")},
       .members = exactly(2),
       .traits = one_batch});
}

void register_cancel(Registry& registry) {
  registry.add<Cancel>({.name = "thread/cancel",
                        .summary = "Cancelling a thread, from the call on.",
                        .quantities = {{.name = "handler", .summary = "until the target's cleanup handler runs"},
                                       {.name = "join", .summary = "until the target is joined"},
                                       {.name = "call", .summary = "until pthread_cancel returns"}},
                        .factors = {words("target", {"deferred", "read", "condvar", "spinner"}, "where the target is"),
                                    number("every", 1000, "operations between two tests of a deferred target")},
                        .members = exactly(1),
                        .traits = {.waiting = Waiting::blocks}});
}

}  // namespace

void register_thread(Registry& registry) {
  register_creation(registry);
  register_mass(registry);
  register_yield(registry);
  register_time_slice(registry);
  register_cancel(registry);
}

}  // namespace assay
