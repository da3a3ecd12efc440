// SPDX-License-Identifier: Apache-2.0
// tracefs, found or mounted nowhere, the texts in it, and tracepoints of a CPU by perf_event_open, all in one ring
// buffer.
#include "ledger/cpu_trace.hpp"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <ctime>
#include <limits>
#include <system_error>

#include "api/measurement.hpp"

namespace assay {
namespace {

std::optional<std::int64_t> number_after(std::string_view text, std::string_view key) {
  const auto at = text.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  std::int64_t number = 0;
  std::string_view rest = text.substr(at + key.size());
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  return read.ec == std::errc{} ? std::optional(number) : std::nullopt;
}

/// "field:char prev_comm[16]" to "prev_comm", and "field:__data_loc char[] name" to "name".
std::string name_in(std::string_view declaration) {
  const auto space = declaration.find_last_of(" \t*:");
  const std::string_view last = space == std::string_view::npos ? declaration : declaration.substr(space + 1);
  return std::string(last.substr(0, last.find('[')));
}

std::string contents(int folder, const std::string& path) {
  const int file = ::openat(folder, path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  std::string text;
  std::array<char, 4096> part;
  for (ssize_t got = 0; (got = ::read(file, part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(got));
  ::close(file);
  return text;
}

/// An instance that is mounted nowhere: the calls of Linux 5.2, whose numbers are the same on all machines, and which
/// older C libraries do not have.
int unmounted_tracefs() {
  constexpr long fsopen = 430, fsconfig = 431, fsmount = 432;
  constexpr unsigned close_on_exec = 1;
  constexpr unsigned create = 6;  // FSCONFIG_CMD_CREATE
  const auto context = static_cast<int>(::syscall(fsopen, "tracefs", close_on_exec));
  if (context < 0) return -1;
  long root = -1;
  if (::syscall(fsconfig, context, create, nullptr, nullptr, 0) == 0)
    root = ::syscall(fsmount, context, close_on_exec, 0);
  const int error = errno;
  ::close(context);
  errno = error;
  return static_cast<int>(root);
}

bool has_events(int folder) { return folder >= 0 && ::faccessat(folder, "events/sched", R_OK, 0) == 0; }

int open_tracefs() {
  for (const char* place : {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"}) {
    const int folder = ::open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (has_events(folder)) return folder;
    if (folder >= 0) ::close(folder);
  }
  return unmounted_tracefs();
}

}  // namespace

std::optional<TracepointFormat> TracepointFormat::parse(std::string_view text) {
  TracepointFormat format;
  const auto id = number_after(text, "ID:");
  if (!id) return std::nullopt;
  format.id_ = static_cast<int>(*id);
  constexpr std::string_view mark = "field:";
  for (auto at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at + 1)) {
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    const std::string_view declaration = line.substr(0, line.find(';'));
    const auto offset = number_after(line, "offset:");
    const auto size = number_after(line, "size:");
    if (!offset || !size || *offset < 0 || *size < 0) continue;
    format.fields_[name_in(declaration)] = {static_cast<std::size_t>(*offset), static_cast<std::size_t>(*size),
                                            number_after(line, "signed:").value_or(0) != 0,
                                            declaration.find("__data_loc") != std::string_view::npos};
  }
  return format;
}

std::int64_t TracepointFormat::number(std::span<const unsigned char> record, const std::string& field) const {
  const auto found = fields_.find(field);
  if (found == fields_.end()) return 0;
  const Field& where = found->second;
  if (where.size > 8 || where.offset > record.size() || where.size > record.size() - where.offset) return 0;
  std::int64_t number = 0;
  std::memcpy(&number, record.data() + where.offset, where.size);  // the machines that this runs on are little endian
  if (where.is_signed && where.size == 4) number = static_cast<std::int32_t>(number);
  return number;
}

std::string TracepointFormat::text(std::span<const unsigned char> record, const std::string& field) const {
  const auto found = fields_.find(field);
  if (found == fields_.end()) return {};
  std::size_t offset = found->second.offset, size = found->second.size;
  if (found->second.is_elsewhere) {
    const auto place = static_cast<std::uint32_t>(number(record, field));
    offset = place & 0xFFFFU;
    size = place >> 16U;
  }
  if (offset > record.size()) return {};
  const auto bytes = record.subspan(offset, std::min(size, record.size() - offset));
  return {bytes.begin(), std::ranges::find(bytes, '\0')};
}

Tracefs::Tracefs() {
  const int root = open_tracefs();
  if (!has_events(root)) {
    const std::string why = std::generic_category().message(errno);
    if (root >= 0) ::close(root);
    throw Unsupported("the kernel's tracepoints cannot be read (tracefs: " + why +
                      "); they need root, or a readable /sys/kernel/tracing; by = counters needs neither");
  }
  root_ = std::make_unique<OwnedDescriptor>("tracefs", root);
}

std::optional<TracepointFormat> Tracefs::format(const std::string& event) const {
  return TracepointFormat::parse(contents(root_->number(), "events/" + event + "/format"));
}

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
