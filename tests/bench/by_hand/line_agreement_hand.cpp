// SPDX-License-Identifier: Apache-2.0
// Accesses to cache lines, measured the way one does by hand, with nothing of Assay: chains of addresses that the other
// thread wrote into the lines. x86 only, as most such programs.
// Usage: line_agreement_hand OPERATION-STATE CPU [CPU]   OPERATION: load, store, cas, fetch-add; STATE: modified,
// exclusive, invalid. With one CPU the lines are the thread's own. Prints "value,0": the median over passes, in ns.
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <x86intrin.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "core_step.hpp"

namespace {

constexpr int lines = 64;
constexpr unsigned spread =
    320;  // bytes between candidates: an odd number of lines, so that all sets of a cache are used
constexpr unsigned candidates = 400;

// Filled before the second thread starts, then written by one thread at a time, in turns.
struct Shared {
  char* memory = nullptr;
  std::string operation{};
  std::string state{};
  bool is_alone = false;
  std::uint64_t order[lines + 1] = {};  // addresses
  std::atomic<int> turn{0};             // 1: prepare, 0: access
  std::atomic<bool> over{false};
};

double now_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}

void bind(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set) == 0) return;
  std::perror("sched_setaffinity");
  std::exit(3);
}

volatile std::uint64_t* word(std::uint64_t at) { return reinterpret_cast<volatile std::uint64_t*>(at); }

// Each line has the address of the next.
void prepare(const Shared& s) {
  for (int i = 0; i < lines; ++i) *word(s.order[i]) = s.order[i + 1];
  _mm_mfence();
  if (s.state == "modified") return;
  for (int i = 0; i < lines; ++i) _mm_clflush(reinterpret_cast<const void*>(s.order[i]));
  _mm_mfence();
  if (s.state == "exclusive")
    for (int i = 0; i < lines; ++i) static_cast<void>(*word(s.order[i]));
  _mm_mfence();
  _mm_lfence();
}

void* partner(void* shared) {
  Shared& s = *static_cast<Shared*>(shared);
  while (!s.over.load()) {
    if (s.turn.load(std::memory_order_acquire) == 0) {
      _mm_pause();
      continue;
    }
    prepare(s);
    s.turn.store(0, std::memory_order_release);
  }
  return nullptr;
}

void choose(Shared& s, std::uint64_t& seed) {
  static bool is_taken[candidates];
  std::memset(is_taken, 0, sizeof is_taken);
  for (int i = 0; i <= lines;) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    const auto one = static_cast<unsigned>(seed >> 40U) % candidates;
    if (is_taken[one]) continue;
    is_taken[one] = true;
    s.order[i++] = reinterpret_cast<std::uint64_t>(s.memory + one * spread);
  }
}

double chain_of_loads(const Shared& s) {
  std::uint64_t at = s.order[0];
  const double from = now_ns();
  for (int i = 0; i < lines; ++i) at = *word(at);
  const double taken = now_ns() - from;
  return at == s.order[lines] ? taken : -1;
}

double chain_of_swaps(const Shared& s) {
  std::uint64_t at = s.order[0];
  const double from = now_ns();
  for (int i = 1; i <= lines; ++i) at = __sync_val_compare_and_swap(word(at), s.order[i], std::uint64_t{1});
  const double taken = now_ns() - from;
  return at == s.order[lines] ? taken : -1;
}

double chain_of_additions(const Shared& s) {
  std::uint64_t at = s.order[0];
  const double from = now_ns();
  for (int i = 0; i < lines; ++i) at = __sync_fetch_and_add(word(at), std::uint64_t{1});
  const double taken = now_ns() - from;
  return at == s.order[lines] ? taken : -1;
}

template <bool stores>
double fences(const Shared& s) {
  const double from = now_ns();
  for (int i = 0; i < lines; ++i) {
    if (stores) *word(s.order[i]) = 1;
    _mm_mfence();
    _mm_lfence();
  }
  return now_ns() - from;
}

double accesses(const Shared& s) {
  if (s.operation == "load") return chain_of_loads(s);
  if (s.operation == "cas") return chain_of_swaps(s);
  if (s.operation == "fetch-add") return chain_of_additions(s);
  const double with = fences<true>(s);
  return with - fences<false>(s);
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

double empty_timing() {
  std::vector<double> times;
  for (int i = 0; i < 10'000; ++i) {
    const double from = now_ns();
    times.push_back(now_ns() - from);
  }
  return median(times);
}

double pass(Shared& s, std::uint64_t& seed) {
  choose(s, seed);
  if (s.is_alone) {
    prepare(s);
  } else {
    s.turn.store(1, std::memory_order_release);
    while (s.turn.load(std::memory_order_acquire) != 0) _mm_pause();
  }
  // Translations: the bytes behind a candidate's line are in no chosen line.
  for (unsigned page = 0; page < candidates * spread / 4096; ++page)
    static_cast<void>(
        *word(reinterpret_cast<std::uint64_t>(s.memory + (page * 4096 + spread - 1) / spread * spread + 128)));
  _mm_mfence();
  _mm_lfence();
  return accesses(s);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 2 ? argv[1] : "";
  const auto dash = name.rfind('-');
  if (dash == std::string::npos) {
    std::fprintf(stderr, "usage: line_agreement_hand OPERATION-STATE CPU [CPU]\n");
    return 2;
  }
  Shared s;
  s.operation = name.substr(0, dash);
  s.state = name.substr(dash + 1);
  s.is_alone = argc < 4;
  s.memory = static_cast<char*>(
      mmap(nullptr, candidates * spread, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0));
  if (s.memory == MAP_FAILED) return 3;
  pthread_t other{};
  if (!s.is_alone) {
    bind(std::atoi(argv[3]));  // the new thread has the binding of its maker
    if (pthread_create(&other, nullptr, partner, &s) != 0) return 3;
  }
  bind(std::atoi(argv[2]));
  const double step = core_step();
  std::uint64_t seed = 20251125;
  constexpr double span_ns = 6e7;
  for (const double end = now_ns() + span_ns; now_ns() < end;) pass(s, seed);
  std::vector<double> times;
  for (const double end = now_ns() + span_ns; now_ns() < end;) times.push_back(pass(s, seed));
  s.over.store(true);
  if (!s.is_alone) pthread_join(other, nullptr);
  if (*std::min_element(times.begin(), times.end()) == -1) return 4;
  const double clock = s.operation == "store" ? 0 : empty_timing();
  std::printf("%.4f,0,%.5f,%.5f\n", (median(times) - clock) / lines, step, core_step());
}
