// SPDX-License-Identifier: Apache-2.0
// A CPU's time made by hand: what happens on it, the gaps that a loop sees, and what the kernel would record.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "ledger/attribution.hpp"

namespace assay::ledgers {

/// Each call lets something happen, after which the observed loop goes on. Ways into the kernel and out of it take 0.3
/// to 1.5 us in which nothing is recorded; stamps of events are up to 0.1 us off.
class MadeTrace {
 public:
  explicit MadeTrace(std::uint64_t seed) : random_(seed) {}

  static constexpr double step = 25;
  std::vector<ClockGap> gaps;
  std::vector<CpuEvent> events;
  Ledger truth;
  double throttled = 0;

  void run(double ns) { now_ += ns; }

  void interrupt(const std::string& name, double ns, const std::string& softirq = {}, double softirq_ns = 0) {
    begin();
    const double way = take_way();
    record({.kind = Kind::interrupt_entry, .name = name});
    now_ += ns;
    record({.kind = Kind::interrupt_exit, .name = name});
    if (softirq_ns > 0) {
      record({.kind = Kind::softirq_entry, .name = softirq});
      now_ += softirq_ns;
      record({.kind = Kind::softirq_exit, .name = softirq});
      truth.add(Cause::softirq, softirq, softirq_ns);
    }
    truth.add(Cause::interrupt, name, ns + way + take_way());
    end();
  }
  /// A thread takes the CPU, is interrupted once, and gives it back.
  void thread(const std::string& name, double ns, bool is_kernel, bool is_real_time) {
    begin();
    const double ways = take_way();
    record({.kind = Kind::interrupt_entry, .name = "reschedule"});
    now_ += 600;
    record({.kind = Kind::interrupt_exit, .name = "reschedule"});
    truth.add(Cause::interrupt, "reschedule", 600);
    switch_to({.name = name, .to_kernel = is_kernel, .to_real_time = is_real_time, .from_runnable = true});
    const Cause cause = is_kernel ? Cause::kernel_thread : Cause::user_thread;
    now_ += ns / 2;
    record({.kind = Kind::interrupt_entry, .name = "local_timer"});
    now_ += 1500;
    record({.kind = Kind::interrupt_exit, .name = "local_timer"});
    truth.add(Cause::interrupt, "local_timer", 1500);
    now_ += ns / 2;
    switch_to({.name = "observed", .to_observed = true});
    truth.add(cause, name, ns + ways + take_way());
    end();
  }
  /// The observed thread's group has spent its quota: other threads run, or none.
  void throttle(double ns, bool has_others) {
    begin();
    const double start = now_;
    take_way();
    if (has_others)
      switch_to({.name = "neighbour (77)", .from_runnable = true});
    else
      switch_to({.name = "swapper/0", .to_idle = true, .from_runnable = true});
    now_ += ns / 2;
    record({.kind = Kind::interrupt_entry, .name = "local_timer"});
    now_ += 1500;
    record({.kind = Kind::interrupt_exit, .name = "local_timer"});
    now_ += ns / 2;
    switch_to({.name = "observed", .to_observed = true});
    take_way();
    throttled += now_ - start;
    truth.add(Cause::quota, "control group", now_ - start);
    end();
  }
  void steal(double ns) {
    begin();
    now_ += ns;
    truth.add(Cause::elsewhere, "hypervisor or hardware", ns);
    end();
  }

  Ledger attributed() const { return attribute(gaps, events, {step, throttled}); }

 private:
  using Kind = CpuEvent::Kind;

  void begin() { began_ = now_; }
  void end() {
    // Each gap contains a step of the loop.
    now_ += step;
    gaps.push_back({static_cast<std::int64_t>(began_), static_cast<std::int64_t>(now_)});
  }
  double take_way() {
    const double way = 300 + 1200 * random_.uniform();
    now_ += way;
    return way;
  }
  void record(CpuEvent event) {
    event.at = static_cast<std::int64_t>(now_ + 200 * (random_.uniform() - 0.5));
    if (!events.empty()) event.at = std::max(event.at, events.back().at);
    events.push_back(std::move(event));
  }
  void switch_to(CpuEvent event) {
    event.kind = Kind::thread;
    record(std::move(event));
  }

  Rng random_;
  double now_ = 1e9;
  double began_ = 0;
};

/// The share of the lost time that went to the cause, by class and name, that it was lost to.
inline double share_right(const Ledger& found, const Ledger& truth) {
  double right = 0;
  for (const auto& [key, entry] : truth.entries())
    if (const auto same = found.entries().find(key); same != found.entries().end())
      right += std::min(entry.lost, same->second.lost);
  return right / truth.lost();
}

}  // namespace assay::ledgers
