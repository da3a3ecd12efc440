// SPDX-License-Identifier: Apache-2.0
// What the kernel knows about the calling thread: counters around a batch, binding and its proof.
#include "platform/thread/guard.hpp"

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "text/words.hpp"

namespace assay {
namespace {

std::int64_t reading(clockid_t clock) noexcept {
  timespec now{};
  ::clock_gettime(clock, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

/// Both clocks always in this order: the two windows are then shifted against each other, but equally long.
void read_times(GuardReading& guards) noexcept {
  guards.cpu_ns = reading(CLOCK_THREAD_CPUTIME_ID);
  guards.wall_ns = reading(CLOCK_MONOTONIC);
}

void read_counters(GuardReading& guards) noexcept {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  guards.voluntary = usage.ru_nvcsw;
  guards.involuntary = usage.ru_nivcsw;
  guards.major_faults = usage.ru_majflt;
  guards.cpu = ::sched_getcpu();
}

/// A CPU set for `count` CPUs, however many the C library's fixed one holds.
class CpuSet {
 public:
  explicit CpuSet(int count) : count_(count), size_(CPU_ALLOC_SIZE(static_cast<std::size_t>(count))) {
    set_.reset(CPU_ALLOC(static_cast<std::size_t>(count)));
    if (!set_) throw std::bad_alloc();
    CPU_ZERO_S(size_, set_.get());
  }
  void add(int cpu) { CPU_SET_S(static_cast<std::size_t>(cpu), size_, set_.get()); }
  bool has(int cpu) const { return CPU_ISSET_S(static_cast<std::size_t>(cpu), size_, set_.get()); }
  bool impose() const { return ::sched_setaffinity(0, size_, set_.get()) == 0; }
  bool fetch() { return ::sched_getaffinity(0, size_, set_.get()) == 0; }
  std::vector<int> members() const {
    std::vector<int> cpus;
    for (int cpu = 0; cpu < count_; ++cpu)
      if (has(cpu)) cpus.push_back(cpu);
    return cpus;
  }

 private:
  struct Release {
    void operator()(cpu_set_t* set) const { CPU_FREE(set); }
  };
  int count_;
  std::size_t size_;
  std::unique_ptr<cpu_set_t, Release> set_;
};

/// More CPUs than any kernel knows.
constexpr int most_cpus = 1 << 20;

std::vector<int> ordered_set(std::vector<int> cpus) {
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  return cpus;
}

}  // namespace

GuardReading read_guards(bool closing) noexcept {
  GuardReading guards;
  if (closing) read_times(guards);
  read_counters(guards);
  if (!closing) read_times(guards);
  return guards;
}

void store_guards(const GuardReading& before, const GuardReading& after, MemberReport& report) noexcept {
  report.voluntary = after.voluntary - before.voluntary;
  report.involuntary = after.involuntary - before.involuntary;
  report.major_faults = after.major_faults - before.major_faults;
  report.cpu_before = before.cpu;
  report.cpu_after = after.cpu;
  report.cpu = Nanoseconds{static_cast<double>(after.cpu_ns - before.cpu_ns)};
  report.wall = Nanoseconds{static_cast<double>(after.wall_ns - before.wall_ns)};
}

void bind_self(const std::vector<int>& cpus) {
  const std::vector<int> wanted = ordered_set(cpus);
  const std::string what = "binding to CPUs " + cpu_ranges(wanted);
  if (wanted.empty() || wanted.front() < 0 || wanted.back() >= most_cpus) throw PlatformError(what, EINVAL);
  CpuSet set(wanted.back() + 1);
  for (const int cpu : wanted) set.add(cpu);
  if (!set.impose()) throw PlatformError(what, errno);
  // The kernel cuts a set silently to the CPUs that it permits.
  if (const std::vector<int> effect = binding_of_self(); effect != wanted)
    throw PlatformError(what + ": in effect are only " + cpu_ranges(effect), 0);
}

std::vector<int> binding_of_self() {
  for (int count = 1024; count <= most_cpus; count *= 2) {
    CpuSet set(count);
    if (set.fetch()) return set.members();
    if (errno != EINVAL) throw PlatformError("sched_getaffinity", errno);
  }
  throw PlatformError("sched_getaffinity", EINVAL);
}

}  // namespace assay
