// SPDX-License-Identifier: Apache-2.0
// Readings before and after visits, summed up.
#include "run/session/disturbance_monitor.hpp"

#include <algorithm>
#include <cmath>

#include "base/value.hpp"
#include "platform/procfs/kernel_observers.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

constexpr Nanoseconds clock_every = seconds(3600);
constexpr double noticeable_wait = 0.05;
constexpr Nanoseconds falling_asleep = microseconds(200);
// Processes come and go within seconds; a look takes some 10 us for each, and at most a hundredth of the time.
constexpr Nanoseconds observers_every = seconds(2);
constexpr double share_of_looking = 0.01;

}  // namespace

DisturbanceMonitor::DisturbanceMonitor(const Surroundings& world)
    : world_(&world),
      clock_checked_{static_cast<double>(world.clock.now().ns)},
      clock_source_(world.look({}).clock_source) {}

void DisturbanceMonitor::begin(const std::vector<int>& cpus) {
  check_clock();
  look_for_observers();
  cpus_ = cpus;
  before_ = world_->look(cpus_);
}

bool DisturbanceMonitor::begin_among_others(const std::vector<int>& cpus) {
  const Interruptions latest = world_->interruptions();
  interruptions_ += latest;
  begin(cpus);
  const auto are_others_at_work = [&] { return before_.at_work.value_or(0) > much_of_cpus; };
  // Members of the visit before may be on their way to sleep.
  if (are_others_at_work()) {
    world_->pause(falling_asleep);
    before_ = world_->look(cpus_);
  }
  const bool are_at_work = are_others_at_work();
  ++visits_among_;
  among_others_ += are_at_work ? 1 : 0;
  return are_at_work || latest.is_heavy();
}

Disturbances DisturbanceMonitor::end() {
  const SystemReading after = world_->look(cpus_);
  const Interference found = between(before_, after, cpus_.empty() ? world_->usable_cpus : cpus_.size());
  add(found, after);
  return found.marks();
}

void DisturbanceMonitor::add(const Interference& found, const SystemReading& after) {
  const double time = found.time.count * static_cast<double>(found.cpus);
  cpu_time_ += time;
  visit_time_ += found.time.count;
  if (!observers_.empty()) observed_ += found.time.count;
  stolen_ += found.told_stolen * time;
  waited_ += found.waited * time;
  throttled_ += found.throttled;
  heated_ += found.heated;
  asleep_ = asleep_ + found.asleep;
  if (after.clock_source == clock_source_) return;
  told_.push_back("the kernel changed its clock source from '" + clock_source_ + "' to '" + after.clock_source +
                  "' during this session (G-CLK)");
  clock_source_ = after.clock_source;
}

void DisturbanceMonitor::check_clock() {
  const Nanoseconds now{static_cast<double>(world_->clock.now().ns)};
  if (now - clock_checked_ < clock_every) return;
  clock_checked_ = now;
  if (const std::string found = world_->check_clock(); !found.empty())
    told_.push_back("the clock changed during this session: " + found + " (G-CLK)");
}

void DisturbanceMonitor::look_for_observers() {
  const Nanoseconds begin{static_cast<double>(world_->clock.now().ns)};
  if (begin < observers_due_) return;
  observers_ = world_->observed_by();
  if (!observers_.empty()) last_observers_ = observers_;
  const Nanoseconds end{static_cast<double>(world_->clock.now().ns)};
  observers_due_ = end + std::max(observers_every, (end - begin) / share_of_looking);
}

std::vector<std::string> DisturbanceMonitor::remarks() {
  clock_checked_ = clock_checked_ - clock_every;
  check_clock();
  std::vector<std::string> texts = told_;
  const auto tell = [&](bool is_so, const std::string& text) {
    if (is_so) texts.push_back(text);
  };
  const double stolen = cpu_time_ > 0 ? stolen_ / cpu_time_ : 0;
  const double waited = cpu_time_ > 0 ? waited_ / cpu_time_ : 0;
  tell(stolen > noticeable_steal,
       percent(stolen) + " of CPU time was taken by the hypervisor during the visits of this session (G-STEAL)");
  tell(interruptions_.is_noticeable(), interruptions_.meaning() + " (G-TAKEN)");
  const double among = visits_among_ > 0 ? static_cast<double>(among_others_) / visits_among_ : 0;
  tell(among > noticeable_wait,
       "other threads of this system were at work at the beginning of " + percent(among) + " of the visits (G-LOAD)");
  tell(waited > noticeable_wait, "measured CPUs were wanted by others " + percent(waited) + " of the time (G-LOAD)");
  tell(observed_ > 0, "during " + percent(observed_ / visit_time_) + " of the visits' time " + last_observers_ + ": " +
                          observers_meaning + " (G-PERF)");
  tell(throttled_ > 0, "the CPU quota was used up " + std::to_string(throttled_) +
                           " times during visits, whose batches are excluded (G-QUOTA)");
  tell(heated_ > 0, "measured CPUs were throttled by heat " + std::to_string(heated_) +
                        " times during visits, whose batches are excluded (G-THERM)");
  tell(asleep_ > seconds(1), "the machine slept " + to_text(std::round(asleep_.count / 1e9)) +
                                 " s during visits, whose batches are excluded (G-SUSP)");
  return texts;
}

}  // namespace assay
