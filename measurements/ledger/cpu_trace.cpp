// SPDX-License-Identifier: Apache-2.0
// Tracepoints of a CPU by perf_event_open, all in one ring buffer.
#include "ledger/cpu_trace.hpp"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <limits>
#include <system_error>

#include "api/measurement.hpp"

namespace assay {
namespace {

using Kind = CpuEvent::Kind;

/// Interrupts that have tracepoints of their own: "local_timer" for irq_vectors/local_timer_entry and _exit. Those of
/// irq_work are not permitted to anyone, since recording them causes the next one.
constexpr std::array<const char*, 8> vectors{"local_timer",          "reschedule",   "call_function",
                                             "call_function_single", "thermal_apic", "x86_platform_ipi",
                                             "spurious_apic",        "error_apic"};
constexpr std::size_t most_pages = 2048;
constexpr std::size_t least_pages = 16;

int open_event(int id, int cpu) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_TRACEPOINT;
  attributes.config = static_cast<std::uint64_t>(id);
  attributes.sample_period = 1;
  attributes.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_RAW;
  attributes.disabled = 1;
  attributes.use_clockid = 1;
  attributes.clockid = CLOCK_MONOTONIC;
  // No thread waits for the ring to fill: it is read when the window is over.
  attributes.watermark = 1;
  attributes.wakeup_watermark = 0x7FFFFFFF;
  return static_cast<int>(::syscall(SYS_perf_event_open, &attributes, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC));
}

std::size_t page_size() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

template <class T>
T at(std::span<const unsigned char> bytes, std::size_t offset) {
  T value{};
  if (offset + sizeof value <= bytes.size()) std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

}  // namespace

CpuTrace::CpuTrace(int cpu, int observed) {
  const Tracefs tracefs;
  open("sched/sched_switch", Kind::thread, {}, cpu, tracefs);
  if (events_.empty()) throw Unsupported("this kernel has no tracepoint sched/sched_switch; use by = counters");
  open("irq/irq_handler_entry", Kind::interrupt_entry, {}, cpu, tracefs);
  open("irq/irq_handler_exit", Kind::interrupt_exit, {}, cpu, tracefs);
  open("irq/softirq_entry", Kind::softirq_entry, {}, cpu, tracefs);
  open("irq/softirq_exit", Kind::softirq_exit, {}, cpu, tracefs);
  for (const std::string vector : vectors) {
    open("irq_vectors/" + vector + "_entry", Kind::interrupt_entry, vector, cpu, tracefs);
    open("irq_vectors/" + vector + "_exit", Kind::interrupt_exit, vector, cpu, tracefs);
  }
  open("ipi/ipi_entry", Kind::interrupt_entry, "inter-processor", cpu, tracefs);
  open("ipi/ipi_exit", Kind::interrupt_exit, "inter-processor", cpu, tracefs);
  map_ring();
  reader_ = std::make_unique<EventReader>(known_, observed);
}

CpuTrace::~CpuTrace() {
  if (ring_ != nullptr) ::munmap(ring_, (1 + pages_) * page_size());
}

void CpuTrace::open(const std::string& event, Kind kind, const std::string& name, int cpu, const Tracefs& tracefs) {
  auto format = tracefs.format(event);
  if (!format) return;
  const int number = open_event(format->id(), cpu);
  if (number < 0)
    throw Unsupported("tracepoint " + event + " of CPU " + std::to_string(cpu) +
                      " is not permitted (perf_event_open: " + std::generic_category().message(errno) +
                      "); it needs CAP_PERFMON, or /proc/sys/kernel/perf_event_paranoid of -1; by = counters needs "
                      "neither");
  events_.push_back(std::make_unique<OwnedDescriptor>("a tracepoint", number));
  known_.push_back({std::move(*format), kind, name});
}

void CpuTrace::map_ring() {
  const int first = events_.front()->number();
  void* mapped = MAP_FAILED;
  for (pages_ = most_pages; pages_ >= least_pages && mapped == MAP_FAILED; pages_ /= 2)
    mapped = ::mmap(nullptr, (1 + pages_) * page_size(), PROT_READ | PROT_WRITE, MAP_SHARED, first, 0);
  pages_ *= 2;  // what the loop has halved
  if (mapped == MAP_FAILED)
    throw Unsupported("there is no memory for a ring of tracepoints (mmap: " + std::generic_category().message(errno) +
                      "); raise /proc/sys/kernel/perf_event_mlock_kb, or use by = counters");
  ring_ = static_cast<unsigned char*>(mapped);
  for (std::size_t i = 1; i < events_.size(); ++i)
    if (::ioctl(events_[i]->number(), PERF_EVENT_IOC_SET_OUTPUT, first) != 0) fail("joining rings of tracepoints");
}

void CpuTrace::enable() {
  for (const auto& event : events_)
    if (::ioctl(event->number(), PERF_EVENT_IOC_ENABLE, 0) != 0) fail("enabling a tracepoint");
}

void CpuTrace::disable() {
  for (const auto& event : events_)
    if (::ioctl(event->number(), PERF_EVENT_IOC_DISABLE, 0) != 0) fail("disabling a tracepoint");
}

std::vector<CpuEvent> CpuTrace::take() {
  auto* const head_page = reinterpret_cast<perf_event_mmap_page*>(ring_);
  const std::uint64_t head = std::atomic_ref(head_page->data_head).load(std::memory_order_acquire);
  std::uint64_t tail = head_page->data_tail;
  const std::size_t size = pages_ * page_size();
  const unsigned char* data = ring_ + page_size();
  std::vector<RawEvent> raw;
  std::vector<unsigned char> record;
  complete_until_ = std::numeric_limits<std::int64_t>::max();
  constexpr std::size_t largest_record = 1024;
  const bool is_full = head - tail + largest_record > size;
  while (tail < head) {
    // A record may go on at the beginning of the ring.
    const auto copy = [&](std::size_t bytes) {
      record.resize(bytes);
      for (std::size_t i = 0; i < bytes; ++i) record[i] = data[(tail + i) % size];
    };
    copy(sizeof(perf_event_header));
    const std::size_t length = at<perf_event_header>(record, 0).size;
    if (length < sizeof(perf_event_header)) break;
    copy(length);
    decode(record, raw);
    tail += length;
  }
  // What did not fit is announced by a record as soon as there is room again, which is in the next window.
  if (is_full && !raw.empty()) complete_until_ = raw.back().at;
  std::atomic_ref(head_page->data_tail).store(tail, std::memory_order_release);
  return reader_->read(raw);
}

void CpuTrace::decode(std::span<const unsigned char> record, std::vector<RawEvent>& events) {
  const std::uint32_t type = at<perf_event_header>(record, 0).type;
  constexpr std::size_t body = sizeof(perf_event_header);
  if (type != PERF_RECORD_SAMPLE) return;
  const std::size_t size = at<std::uint32_t>(record, body + 16);
  if (body + 20 + size > record.size()) return;
  const auto raw = record.subspan(body + 20, size);
  events.push_back({static_cast<std::int64_t>(at<std::uint64_t>(record, body + 8)),
                    static_cast<int>(at<std::uint32_t>(record, body + 4)),
                    {raw.begin(), raw.end()}});
}

}  // namespace assay
