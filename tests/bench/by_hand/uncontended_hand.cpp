// SPDX-License-Identifier: Apache-2.0
// The uncontended mutex pair and an empty body in the loop one writes by hand: ten million repetitions between two
// clock reads.
#include <pthread.h>

#include <cstdio>
#include <ctime>

namespace {

double now_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}

template <class Body>
void report(const char* name, Body body) {
  constexpr int repetitions = 10'000'000;
  const double from = now_ns();
  for (int i = 0; i < repetitions; ++i) body();
  std::printf("%s,%.6f\n", name, (now_ns() - from) / repetitions);
}

}  // namespace

int main() {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  report("mutex", [&] {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  });
  report("empty", [] { asm volatile("" : : : "memory"); });
}
