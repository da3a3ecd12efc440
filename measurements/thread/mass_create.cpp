// SPDX-License-Identifier: Apache-2.0
// The trace point raw_syscalls:sys_enter as a performance event.
#include "thread/mass_create.hpp"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string>
#include <system_error>

#include "api/measurement.hpp"

namespace assay {
namespace {

constexpr const char* places[] = {"/sys/kernel/tracing/", "/sys/kernel/debug/tracing/"};

[[noreturn]] void refuse(const std::string& what) {
  throw Unsupported("system calls cannot be counted: " + what +
                    "; it takes a kernel with trace points and the superuser, or CAP_PERFMON and a readable "
                    "/sys/kernel/tracing");
}

std::uint64_t trace_point() {
  for (const char* place : places) {
    std::ifstream file(std::string(place) + "events/raw_syscalls/sys_enter/id");
    if (std::uint64_t number = 0; file >> number) return number;
  }
  refuse("events/raw_syscalls/sys_enter/id cannot be read in " + std::string(places[0]) +
         "; where nothing is mounted there, the superuser does it: mount -t tracefs tracefs /sys/kernel/tracing");
}

}  // namespace

SystemCallCounter::SystemCallCounter(Of whose) {
  perf_event_attr event{};
  event.size = sizeof event;
  event.type = PERF_TYPE_TRACEPOINT;
  event.config = trace_point();
  event.inherit = whose == Of::caller_and_created;
  descriptor_ = static_cast<int>(::syscall(SYS_perf_event_open, &event, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
  if (descriptor_ < 0) refuse("perf_event_open: " + std::system_category().message(errno));
}

SystemCallCounter::~SystemCallCounter() { ::close(descriptor_); }

std::int64_t SystemCallCounter::read() const {
  std::int64_t count = 0;
  if (::read(descriptor_, &count, sizeof count) != static_cast<ssize_t>(sizeof count))
    throw std::system_error(errno, std::generic_category(), "reading a counter of system calls");
  return count;
}

}  // namespace assay
