// SPDX-License-Identifier: Apache-2.0
// What os_agreement_hand becomes for fork and exit: a fork costs more the larger the program, so that this one has the
// C library and nothing else, as the one that Assay has its processes made by. Prints the median time of a process in
// ns.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace {

constexpr int most = 4096;
double times[most];

double now_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}

int order(const void* a, const void* b) {
  const double x = *static_cast<const double*>(a);
  const double y = *static_cast<const double*>(b);
  return (x > y) - (x < y);
}

double one_process() {
  const double from = now_ns();
  const pid_t pid = fork();
  if (pid == 0) std::exit(1);
  int status = 0;
  if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 1) std::exit(3);
  return now_ns() - from;
}

}  // namespace

int main() {
  for (const double end = now_ns() + 3e8; now_ns() < end;) one_process();
  int taken = 0;
  for (const double end = now_ns() + 3e8; now_ns() < end && taken < most; ++taken) times[taken] = one_process();
  qsort(times, static_cast<std::size_t>(taken), sizeof *times, order);
  std::printf("%.6f,0\n", times[taken / 2]);
}
