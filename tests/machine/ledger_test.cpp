// SPDX-License-Identifier: Apache-2.0
// The noise ledger against planted noise: a real-time thread, a timer and a quota, each of known length.
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "catalog.hpp"
#include "ledger/counters.hpp"
#include "platform/thread/guard.hpp"
#include "team/team.hpp"

namespace assay::test {
namespace {

double time_of(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

double time_now() { return time_of(CLOCK_MONOTONIC); }

/// A process on one CPU that does its own work for ever, until it goes out of scope.
class Plant {
 public:
  template <class Work>
  Plant(const char* name, int cpu, Work work) {
    process_ = ::fork();
    if (process_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::prctl(PR_SET_NAME, name);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(cpu), &one);
    ::sched_setaffinity(0, sizeof one, &one);
    work();
    ::_exit(0);
  }
  Plant(const Plant&) = delete;
  Plant& operator=(const Plant&) = delete;
  ~Plant() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  /// CPU time, in ns.
  double ran() const {
    clockid_t clock{};
    return ::clock_getcpuclockid(process_, &clock) == 0 ? time_of(clock) : 0;
  }

 private:
  pid_t process_ = -1;
};

void work_for(double ns) {
  const double end = time_of(CLOCK_THREAD_CPUTIME_ID) + ns;
  while (time_of(CLOCK_THREAD_CPUTIME_ID) < end) continue;
}

/// Two milliseconds in ten, before everybody where that is permitted, else as an ordinary thread.
void be_real_time() {
  sched_param parameters{};
  parameters.sched_priority = 10;
  if (::sched_setscheduler(0, SCHED_FIFO, &parameters) != 0) static_cast<void>(::setpriority(PRIO_PROCESS, 0, -10));
  for (;;) {
    work_for(2e6);
    const timespec pause{0, 8'000'000};
    ::clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, nullptr);
  }
}

/// A signal every 500 us, whose handler works for 30 us.
void be_timer() {
  static_cast<void>(::signal(SIGALRM, [](int) { work_for(30e3); }));
  const itimerval often{{0, 500}, {0, 500}};
  ::setitimer(ITIMER_REAL, &often, nullptr);
  for (;;) ::pause();
}

/// A control group of its own for the calling thread, which may use 25 ms of each 100.
class Quota {
 public:
  Quota() {
    const std::string name = "/assay-ledger-" + std::to_string(::getpid());
    for (const std::string root : {"/sys/fs/cgroup", "/sys/fs/cgroup/cpu"}) {
      const std::string path = root + name;
      if (::access((root + "/cgroup.procs").c_str(), W_OK) != 0 || ::mkdir(path.c_str(), 0755) != 0) continue;
      const bool is_unified = ::access((path + "/cpu.max").c_str(), W_OK) == 0;
      const bool is_limited =
          is_unified ? put(path + "/cpu.max", "25000 100000")
                     : put(path + "/cpu.cfs_period_us", "100000") && put(path + "/cpu.cfs_quota_us", "25000");
      const std::string list = path + (is_unified ? "/cgroup.procs" : "/tasks");
      const std::string own = std::to_string(is_unified ? ::getpid() : ::gettid());
      if (is_limited && put(list, own)) {
        path_ = path;
        leave_ = root + (is_unified ? "/cgroup.procs" : "/tasks");
        own_ = own;
        return;
      }
      ::rmdir(path.c_str());
    }
  }
  Quota(const Quota&) = delete;
  Quota& operator=(const Quota&) = delete;
  ~Quota() {
    if (path_.empty()) return;
    put(leave_, own_);
    ::rmdir(path_.c_str());
  }
  bool exists() const { return !path_.empty(); }

 private:
  static bool put(const std::string& file, const std::string& text) {
    std::ofstream out(file);
    out << text << std::flush;
    return out.good();
  }
  std::string path_, leave_, own_;
};

constexpr double window_ns = 500e6;
constexpr const char* of_fifo = "user thread plant-fifo";
constexpr const char* of_timer = "user thread plant-timer";
constexpr const char* of_quota = "quota control group";

struct Planted {
  std::map<std::string, double> truth;  ///< ns, by how the name of the part begins
  std::map<std::string, double> found;
  double window = 0;
};

Planted measure(const std::string& by) {
  Registry registry;
  register_all(registry);
  const Entry& entry = *registry.find("os/noise-ledger");
  const int cpu = binding_of_self().back();
  const Plant fifo("plant-fifo", cpu, be_real_time);
  const Plant timer("plant-timer", cpu, be_timer);
  const Quota quota;
  TeamRequest request;
  request.placement = {"test", {cpu}};
  request.point.set("by", by);
  request.point.set("window", static_cast<std::int64_t>(window_ns));
  const auto team = open_team(entry, request);
  team->run(Reps{1});
  team->found_parts();
  const QuotaCount count;
  Planted planted;
  std::map<std::string, double>& truth = planted.truth;
  constexpr int windows = 6;
  planted.window = windows * window_ns;
  for (int i = 0; i < windows; ++i) {
    const double fifo_before = fifo.ran(), timer_before = timer.ran(), quota_before = count.read();
    const double from = time_now();
    team->run(Reps{1});
    // A batch is a little longer than its window.
    const double share = window_ns / (time_now() - from);
    truth[of_fifo] += share * (fifo.ran() - fifo_before);
    truth[of_timer] += share * (timer.ran() - timer_before);
    truth[of_quota] += share * (count.read() - quota_before);
  }
  // What others do while the quota keeps the loop from running takes nothing from it.
  const double free = 1 - truth[of_quota] / planted.window;
  truth[of_fifo] *= free;
  truth[of_timer] *= free;
  if (!quota.exists()) truth.erase(of_quota);
  for (const FoundPart& one : team->found_parts()) planted.found[one.name] = one.value * window_ns;
  return planted;
}

void check(const std::string& by, double least) {
  const Planted planted = measure(by);
  double wrong = 0, all = 0;
  for (const auto& [name, truth] : planted.truth) {
    double found = 0;
    for (const auto& [own, value] : planted.found) found += own.starts_with(name) ? value : 0;
    std::printf("by %s: %-24s planted %7.2f ms, found %7.2f ms\n", by.c_str(), name.c_str(), truth / 1e6, found / 1e6);
    wrong += std::abs(truth - found);
    all += truth;
  }
  for (const auto& [name, value] : planted.found)
    if (value > 1e-3 * planted.window) std::printf("  %6.2f %% %s\n", 100 * value / planted.window, name.c_str());
  std::printf("by %s: %.1f %% of the planted time went to its cause\n", by.c_str(), 100 * (1 - wrong / all));
  EXPECT_GE(1 - wrong / all, least);
}

TEST(PlantedNoise, IsFoundByTracepoints) {
  try {
    check("tracepoints", 0.95);
  } catch (const Unsupported& why) {
    GTEST_SKIP() << why.what();
  }
}

TEST(PlantedNoise, IsFoundByCounters) { check("counters", 0.8); }

}  // namespace
}  // namespace assay::test
