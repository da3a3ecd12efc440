// SPDX-License-Identifier: Apache-2.0
// Five costs measured the way one does by hand, with nothing of Assay but its spin hint.
// Usage: agreement_hand mutex|flag|futex|pipe|create-join CPU [SECOND_CPU]. Prints "value,switches" of one of them: the
// median over batches in ns per event, and the second thread's voluntary context switches per event.
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

#include "api/keep.hpp"

namespace {

double now_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}

void bind(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) {
    std::perror("sched_setaffinity");
    std::exit(3);
  }
}

long voluntary_switches() {
  rusage usage;
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
}

// Batches of about 100 us for 300 ms after as long a warm-up: the median of their times per event.
template <class Event>
double median_time(Event event) {
  constexpr double batch_ns = 1e5;
  constexpr double span_ns = 3e8;
  long events = 1;
  for (const double end = now_ns() + span_ns; now_ns() < end;) {
    const double from = now_ns();
    for (long i = 0; i < events; ++i) event();
    if (now_ns() - from < batch_ns) events += events;
  }
  std::vector<double> times;
  for (const double end = now_ns() + span_ns; now_ns() < end;) {
    const double from = now_ns();
    for (long i = 0; i < events; ++i) event();
    times.push_back((now_ns() - from) / static_cast<double>(events));
  }
  std::nth_element(times.begin(), times.begin() + static_cast<long>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

// A second thread echoes until the process ends; what it counted is kept for the report.
struct Echo {
  std::atomic<long> events{0};
  std::atomic<long> switches{0};
};

template <class Exchange, class Answer>
void report_ping_pong(int second_cpu, Exchange exchange, Answer answer) {
  static Echo echo;
  std::thread([=]() mutable {
    bind(second_cpu);
    for (long i = 0;; ++i) {
      answer();
      if (i % 1024 != 0) continue;
      echo.events = i;
      echo.switches = voluntary_switches();
    }
  }).detach();
  const double median = median_time(exchange);
  const double events = static_cast<double>(std::max(1L, echo.events.load()));
  std::printf("%.6f,%.3f\n", median, static_cast<double>(echo.switches.load()) / events);
  std::fflush(stdout);
  _exit(0);
}

struct alignas(128) Line {
  std::atomic<unsigned> value{0};
};

// One place decides on a flag by up to a third: both sides go on to the next after as many exchanges.
struct Places {
  struct Place {
    Line there;
    Line back;
    std::array<std::byte, 4096> gap;
  };
  static constexpr unsigned exchanges = 256;
  Place& of(unsigned exchange) { return all[exchange / exchanges % all.size()]; }
  std::array<Place, 64> all;
};

void flag(int second_cpu) {
  static Places places;
  report_ping_pong(
      second_cpu,
      [n = 0U]() mutable {
        auto& [there, back, gap] = places.of(++n);
        there.value.store(n, std::memory_order_release);
        while (back.value.load(std::memory_order_acquire) != n) assay::relax();
      },
      [n = 0U]() mutable {
        auto& [there, back, gap] = places.of(++n);
        while (there.value.load(std::memory_order_acquire) != n) assay::relax();
        back.value.store(n, std::memory_order_release);
      });
}

void futex_wait_for(Line& line, unsigned wanted) {
  for (unsigned seen; (seen = line.value.load(std::memory_order_acquire)) != wanted;)
    syscall(SYS_futex, &line.value, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, seen, nullptr, nullptr, 0);
}

void futex_post(Line& line) {
  line.value.fetch_add(1, std::memory_order_release);
  syscall(SYS_futex, &line.value, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, nullptr, nullptr, 0);
}

void futex(int second_cpu) {
  static Line there, back;
  report_ping_pong(
      second_cpu,
      [] {
        const unsigned next = there.value.load(std::memory_order_relaxed) + 1;
        futex_post(there);
        futex_wait_for(back, next);
      },
      [n = 0U]() mutable {
        futex_wait_for(there, ++n);
        futex_post(back);
      });
}

void pipe_of_one_byte(int second_cpu) {
  static int there[2], back[2];
  if (pipe(there) != 0 || pipe(back) != 0) std::exit(3);
  const auto put = [](int end) {
    if (write(end, "x", 1) != 1) std::exit(3);
  };
  const auto take = [](int end) {
    char byte;
    if (read(end, &byte, 1) != 1) std::exit(3);
  };
  report_ping_pong(
      second_cpu,
      [=] {
        put(there[1]);
        take(back[0]);
      },
      [=] {
        take(there[0]);
        put(back[1]);
      });
}

void mutex() {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  std::printf("%.6f,0\n", median_time([&] {
                pthread_mutex_lock(&mutex);
                pthread_mutex_unlock(&mutex);
              }));
}

void create_join() {
  std::printf("%.6f,0\n", median_time([] {
                pthread_t thread;
                if (pthread_create(
                        &thread, nullptr, [](void* p) { return p; }, nullptr) != 0)
                  std::exit(3);
                pthread_join(thread, nullptr);
              }));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::string what = argv[1];
  const int second_cpu = std::atoi(argv[argc - 1]);
  bind(std::atoi(argv[2]));
  if (what == "mutex")
    mutex();
  else if (what == "create-join")
    create_join();
  else if (what == "flag")
    flag(second_cpu);
  else if (what == "futex")
    futex(second_cpu);
  else if (what == "pipe")
    pipe_of_one_byte(second_cpu);
  else
    return 2;
}
