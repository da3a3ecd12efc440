// SPDX-License-Identifier: Apache-2.0
// The uncontended mutex pair and an empty body under Google Benchmark, with its own defaults.
#include <benchmark/benchmark.h>
#include <pthread.h>

namespace {

void mutex_pair(benchmark::State& state) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  for (auto _ : state) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
}
BENCHMARK(mutex_pair)->Name("mutex");

void empty_body(benchmark::State& state) {
  for (auto _ : state) benchmark::ClobberMemory();
}
BENCHMARK(empty_body)->Name("empty");

}  // namespace

BENCHMARK_MAIN();
