// SPDX-License-Identifier: Apache-2.0
// Batches that change what belongs to the whole process.
#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <clocale>
#include <csignal>

#include "fault.hpp"

namespace faults {
namespace {

// To the last of the CPUs that it has; to one that it has not where there is but one.
void move_away() {
  cpu_set_t all;
  CPU_ZERO(&all);
  ::sched_getaffinity(0, sizeof all, &all);
  int last = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &all)) last = cpu;
  CPU_ZERO(&all);
  CPU_SET(last, &all);
  ::sched_setaffinity(0, sizeof all, &all);
}

void block_a_signal() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

void lower_a_limit() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = 64;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

void register_meddling(assay::Registry& registry) {
  add(registry, "changes-affinity", move_away);
  add(registry, "changes-signal-mask", block_a_signal);
  add(registry, "sets-locale", [] { std::setlocale(LC_NUMERIC, "C.UTF-8"); });
  add(registry, "chdir", [] { [[maybe_unused]] const int error = ::chdir("/"); });
  add(registry, "changes-limit", lower_a_limit);
  add(registry, "closes-stderr", [] { ::close(2); });
}

}  // namespace faults
