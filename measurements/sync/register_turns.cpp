// SPDX-License-Identifier: Apache-2.0
// Members that wake each other by turns, and what is counted in windows of time.
#include "sync/choice.hpp"
#include "sync/handover.hpp"
#include "sync/over_locks.hpp"
#include "sync/parts.hpp"
#include "sync/uncontended.hpp"
#include "sync/wakeup.hpp"
#include "sync/wakeup_latency.hpp"
#include "work/counted.hpp"

namespace assay {
namespace {

constexpr const char* style_summary = "how a member waits for its turn: in its own condition variable, or yielding";
constexpr const char* handover_summary =
    "Two members take turns at a variable under a mutex; an event is one hand-over.";
constexpr const char* wakeup_summary =
    "A master fills a queue and wakes one of the members waiting for it; an event is one wake-up.";

Factor queue_factor() {
  return {.name = "queue",
          .kind = FactorKind::quantitative,
          .standard = std::int64_t{10},
          .summary = "items in a full queue"};
}

template <template <class> class In>
void add_handover(Registry& registry, Description description) {
  Choice styles("style", style_summary);
  styles.add<In<Handover<CondvarTurns>>>("condvar");
  styles.add<In<Handover<YieldTurns>>>("yield");
  styles.register_as(registry, std::move(description));
}

Quantity of_window(const char* name, Unit unit, const char* summary) {
  return {.name = name, .unit = unit, .per = Per::batch, .summary = summary};
}

void add_latency(Registry& registry) {
  std::vector<Factor> factors = work_factors("work", "before it waits to be woken again");
  factors.push_back({.name = "window",
                     .kind = FactorKind::quantitative,
                     .unit = Unit::nanoseconds,
                     .standard = std::int64_t{500'000'000},
                     .summary = "length of a batch; rarer wake-ups are in few windows only"});
  registry.add<WakeupLatency>(
      {.name = "sync/wakeup_latency",
       .summary = "From the call that wakes a sleeping member until it runs, with its tail, in a window "
                  "(after schbench).",
       .quantities = {of_window("p50", Unit::nanoseconds, "median"),
                      of_window("p99", Unit::nanoseconds, "what 99 % do not exceed, of 1000 wake-ups or more"),
                      of_window("p99.9", Unit::nanoseconds, "what 99.9 % do not exceed, of 10000 wake-ups or more"),
                      of_window("longest", Unit::nanoseconds, "the longest of the window"),
                      of_window("rate", Unit::per_second, "calls to all members"),
                      of_window("slept", Unit::ratio,
                                "share of the calls that found the member asleep; only these are wake-ups")},
       .factors = std::move(factors),
       .members = at_least(2),
       .traits = {
           .vehicles = local_vehicles(), .waiting = Waiting::blocks, .reps = {.least = Reps{1}, .most = Reps{1}}}});
}

template <class A>
using AlarmWindow = CountedWindow<A>;
using WakeupBatches = Batches<Wakeup>;
using WakeupWindow = CountedWindow<Wakeup>;

/// What takes the CPU of a window's member is part of what it counts, as in the original: it is no disturbance.
template <class L>
class LockWindow final : public CountedWindow<Alone<LockPair<L>, Waiting::watches>> {
 public:
  static constexpr bool takes = true;
  explicit LockWindow(Setup& setup) : CountedWindow<Alone<LockPair<L>, Waiting::watches>>(setup) {}
};

}  // namespace

void register_turns(Registry& registry) {
  add_handover<Batches>(registry,
                        {.name = "sync/handover",
                         .summary = handover_summary,
                         .quantities = Batches<Handover<CondvarTurns>>::quantities("one hand-over: half a turn"),
                         .members = exactly(2),
                         .core_cycles = CoreCycles::on_one_cpu});
  add_handover<AlarmWindow>(registry, {.name = "sync/handover_window",
                                       .summary = handover_summary,
                                       .quantities = CountedWindow<Handover<CondvarTurns>>::quantities("hand-overs"),
                                       .factors = {window_factor()},
                                       .members = exactly(2)});
  registry.add<WakeupBatches>(
      {.name = "sync/wakeup",
       .summary = wakeup_summary,
       .quantities = WakeupBatches::quantities("one wake-up, from filling the queue until it is empty"),
       .factors = {queue_factor()},
       .members = at_least(2),
       .traits = WakeupBatches::traits(),
       .core_cycles = CoreCycles::on_one_cpu});
  registry.add<WakeupWindow>({.name = "sync/wakeup_window",
                              .summary = wakeup_summary,
                              .quantities = WakeupWindow::quantities("wake-ups"),
                              .factors = {queue_factor(), window_factor()},
                              .members = at_least(2),
                              .traits = WakeupWindow::traits()});
  add_latency(registry);
  add_over_all_locks<LockWindow>(registry, {.name = "sync/lock_window",
                                            .summary = "Uncontended locks and unlocks of one lock, counted.",
                                            .quantities = LockWindow<Spinlock>::quantities("pairs"),
                                            .factors = {window_factor()},
                                            .members = exactly(1)});
}

}  // namespace assay
