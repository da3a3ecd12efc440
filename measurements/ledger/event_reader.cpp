// SPDX-License-Identifier: Apache-2.0
// Records of tracepoints turned into who had the CPU.
#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string_view>

#include "ledger/cpu_trace.hpp"

namespace assay {
namespace {

constexpr std::array<const char*, 10> softirqs{"HI",       "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
                                               "IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU"};
constexpr std::int64_t real_time_below = 100;  // of the kernel's priorities

std::string softirq_name(std::int64_t vector) {
  const bool is_known = vector >= 0 && static_cast<std::size_t>(vector) < softirqs.size();
  return is_known ? softirqs[static_cast<std::size_t>(vector)] : "softirq " + std::to_string(vector);
}

/// Names that only threads of the kernel have, by how they begin.
bool has_kernel_name(std::string_view name) {
  constexpr std::array<std::string_view, 16> beginnings{
      "kworker/", "ksoftirqd/", "migration/", "rcu_",    "rcuc/",   "rcuog/", "irq/",      "cpuhp/",
      "kthreadd", "watchdog/",  "kswapd",     "kcompac", "khugepa", "jbd2/",  "irq_work/", "idle_inject/"};
  return std::ranges::any_of(beginnings, [&](std::string_view one) { return name.starts_with(one); });
}

/// The flags in /proc/N/stat of a thread of that name; nothing where it is another one, or gone.
std::optional<bool> kernel_flag(std::int64_t thread, const std::string& name) {
  constexpr unsigned long kernel = 0x00200000;  // PF_KTHREAD
  std::ifstream file("/proc/" + std::to_string(thread) + "/stat");
  std::string text;
  if (!std::getline(file, text)) return std::nullopt;
  const auto open = text.find('('), close = text.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close < open) return std::nullopt;
  // A worker's name there goes on with what it works at.
  if (!text.substr(open + 1, close - open - 1).starts_with(name)) return std::nullopt;
  std::istringstream rest(text.substr(close + 1));
  rest.imbue(std::locale::classic());
  std::string state;
  std::array<long, 5> skipped{};
  unsigned long flags = 0;
  rest >> state;
  for (long& one : skipped) rest >> one;
  rest >> flags;
  return rest ? std::optional((flags & kernel) != 0) : std::nullopt;
}

}  // namespace

std::vector<CpuEvent> EventReader::read(const std::vector<RawEvent>& records) {
  std::vector<CpuEvent> events;
  events.reserve(records.size());
  for (const RawEvent& raw : records) {
    const Known* known = find(raw);
    if (known == nullptr) continue;
    if (known->kind == CpuEvent::Kind::thread) {
      events.push_back(change_of_thread(known->format, raw));
      continue;
    }
    CpuEvent event{.at = raw.at, .kind = known->kind, .name = known->name};
    const bool is_softirq = known->kind == CpuEvent::Kind::softirq_entry || known->kind == CpuEvent::Kind::softirq_exit;
    if (is_softirq) event.name = softirq_name(known->format.number(raw.record, "vec"));
    if (event.name.empty()) {
      const std::string device = known->format.text(raw.record, "name");
      event.name = std::to_string(known->format.number(raw.record, "irq")) + (device.empty() ? "" : " " + device);
    }
    events.push_back(std::move(event));
  }
  std::ranges::stable_sort(events, {}, &CpuEvent::at);
  return events;
}

const EventReader::Known* EventReader::find(const RawEvent& event) const {
  if (event.record.size() < 2) return nullptr;
  const int type = event.record[0] + 256 * event.record[1];
  const auto found = std::ranges::find_if(known_, [&](const Known& one) { return one.format.id() == type; });
  return found == known_.end() ? nullptr : &*found;
}

CpuEvent EventReader::change_of_thread(const TracepointFormat& format, const RawEvent& event) {
  const auto number = [&](const char* field) { return format.number(event.record, field); };
  if (event.thread == observed_) observed_globally_ = number("prev_pid");
  CpuEvent change{.at = event.at, .kind = CpuEvent::Kind::thread, .name = format.text(event.record, "next_comm")};
  const std::int64_t next = number("next_pid");
  change.to_observed = next == observed_globally_;
  change.to_idle = next == 0;
  change.to_real_time = number("next_prio") < real_time_below;
  change.from_runnable = (number("prev_state") & 0xFF) == 0;  // beyond it: that it was preempted
  if (!change.to_observed && !change.to_idle) change.to_kernel = is_kernel(next, change.name);
  return change;
}

bool EventReader::is_kernel(std::int64_t thread, const std::string& name) {
  const auto [entry, is_new] = kernel_threads_.try_emplace({thread, name}, false);
  if (is_new) entry->second = kernel_flag(thread, name).value_or(has_kernel_name(name));
  return entry->second;
}

}  // namespace assay
