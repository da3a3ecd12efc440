// SPDX-License-Identifier: Apache-2.0
// Actions that one thread does alone, in batches of some 25 us, as a campaign measures them.
#include "bench/noise/core_visits.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <system_error>
#include <thread>

#include "api/keep.hpp"
#include "base/rng.hpp"
#include "platform/clock/yardstick.hpp"

namespace assay::bench {
namespace {

constexpr std::int64_t batch_ns = 25'000;
constexpr std::int64_t warm_up_ns = 5'000'000;
constexpr std::size_t visit_batches = 8;
constexpr std::size_t stretch_batches = 200;
constexpr std::size_t stretched = 1;  // null-call: its lone batches differ least
constexpr double shortest_pause = 0.3e-3;
constexpr std::size_t most_pages = 1000;

// Of half the program's reading: 4800 additions and 200 steps.
constexpr double length = 0.5;
constexpr std::int64_t additions = 4800;
constexpr std::int64_t steps = 200;

[[noreturn]] void refused(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

std::int64_t now_ns() {
  timespec time;
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

/// Lines that have one place in the first level's cache, which cannot hold them all, and places of their own in the
/// second: each step waits for the second level, or for what is beyond it where other data took the line's place.
class Walk {
 public:
  static constexpr std::int64_t lines = 32;

  explicit Walk(Rng rng) {
    std::vector<std::uint32_t> order(lines);
    std::iota(order.begin(), order.end(), 0U);
    order = rng.shuffled(order);
    for (std::size_t i = 0; i < order.size(); ++i) lines_[order[i]].next = order[(i + 1) % order.size()];
  }
  std::int64_t time() {
    const std::int64_t from = now_ns();
    for (std::int64_t i = 0; i < lines; ++i) at_ = lines_[at_].next;
    keep(at_);
    return now_ns() - from;
  }

 private:
  struct alignas(4096) Line {
    std::uint32_t next = 0;
  };
  std::vector<Line> lines_ = std::vector<Line>(lines);
  std::uint32_t at_ = 0;
};

test::KeptReading read(Walk& walk) {
  test::KeptReading kept;
  for (std::int64_t& wide : kept.wide) {
    const CoreReading reading = read_core(length);
    wide = std::llround(reading.wide.count * additions);
    kept.chain += std::llround(reading.chain.count * steps);
  }
  kept.walk = walk.time();
  return kept;
}

struct Action {
  std::string name;
  std::function<void(std::int64_t reps)> run;
  std::function<void()> prepare = [] {};  ///< not timed
};

Action mutex_pair() {
  return {"mutex-pair", [](std::int64_t reps) {
            pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
            for (std::int64_t i = 0; i < reps; ++i) {
              pthread_mutex_lock(&mutex);
              pthread_mutex_unlock(&mutex);
            }
          }};
}

Action null_call() {
  return {"null-call", [](std::int64_t reps) {
            for (std::int64_t i = 0; i < reps; ++i) ::syscall(SYS_getppid);
          }};
}

Action pipe_of_one() {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) refused("pipe");
  return {"pipe-one-thread", [ends](std::int64_t reps) {
            char byte = 'x';
            for (std::int64_t i = 0; i < reps; ++i)
              if (::write(ends[1], &byte, 1) != 1 || ::read(ends[0], &byte, 1) != 1) refused("a pipe");
          }};
}

Action short_copy() {
  return {"copy-16-kib",
          [from = std::vector<char>(16384, 'a'), to = std::vector<char>(16384, 'b')](std::int64_t reps) mutable {
            for (std::int64_t i = 0; i < reps; ++i) {
              std::memcpy(to.data(), from.data(), from.size());
              clobber();
            }
          }};
}

Action page_fault() {
  constexpr std::size_t page = 4096;
  void* pages = ::mmap(nullptr, most_pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) refused("mmap");
  ::madvise(pages, most_pages * page, MADV_NOHUGEPAGE);
  return {"page-fault",
          [pages](std::int64_t reps) {
            auto* bytes = static_cast<volatile char*>(pages);
            for (std::int64_t i = 0; i < reps; ++i) bytes[static_cast<std::size_t>(i) * page] = 1;
          },
          [pages] { ::madvise(pages, most_pages * page, MADV_DONTNEED); }};
}

std::int64_t timed(const Action& action, std::int64_t reps) {
  action.prepare();
  const std::int64_t from = now_ns();
  action.run(reps);
  return now_ns() - from;
}

/// Repetitions that take a batch's time without disturbance; warms up as well.
std::int64_t reps_for(const Action& action) {
  constexpr std::int64_t probe = 64;
  std::int64_t least = timed(action, probe);
  for (const std::int64_t end = now_ns() + warm_up_ns; now_ns() < end;) least = std::min(least, timed(action, probe));
  return std::clamp<std::int64_t>(batch_ns * probe / std::max<std::int64_t>(least, 1), 1,
                                  action.name == "page-fault" ? most_pages : 1'000'000);
}

long switches() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw + usage.ru_nvcsw;
}

test::KeptVisit visit(const Action& action, std::int64_t reps, std::size_t batches, Walk& walk) {
  test::KeptVisit kept;
  kept.readings.reserve(batches + 1);
  kept.batches.reserve(batches);
  // The first ones after a pause are like no others: the program settles its yardsticks and discards a batch as well.
  read(walk);
  timed(action, reps);
  long before = switches();
  kept.readings.push_back(read(walk));
  for (std::size_t i = 0; i < batches; ++i) {
    const std::int64_t elapsed = timed(action, reps);
    kept.readings.push_back(read(walk));
    const long after = switches();
    kept.batches.push_back({elapsed, after != before});
    before = after;
  }
  return kept;
}

void bind_to(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (::sched_setaffinity(0, sizeof set, &set) != 0) refused("sched_setaffinity");
}

/// What to visit, in order: the actions by index, and one beyond them for a stretch.
std::vector<std::size_t> order_of(const VisitsAsked& asked, std::size_t actions, Rng& rng) {
  std::vector<std::size_t> order;
  std::vector<std::size_t> round(actions);
  std::iota(round.begin(), round.end(), 0U);
  for (int i = 0; i < asked.rounds; ++i) {
    for (const std::size_t action : rng.shuffled(round)) order.push_back(action);
    // Stretches are spread evenly over the rounds.
    if ((i + 1) * asked.stretches / asked.rounds > i * asked.stretches / asked.rounds) order.push_back(actions);
  }
  return order;
}

}  // namespace

test::StateTrace record_visits(const VisitsAsked& asked) {
  bind_to(asked.cpu);
  Rng rng(asked.seed);
  Walk walk(rng.substream("order of lines"));
  const std::vector<Action> actions{mutex_pair(), null_call(), pipe_of_one(), short_copy(), page_fault()};
  test::StateTrace trace;
  trace.additions = additions;
  trace.steps = steps * static_cast<std::int64_t>(test::KeptReading::tries);
  trace.lines = Walk::lines;
  trace.cycles_per_step = cycles_per_chain_step();
  for (const Action& action : actions) trace.cells.push_back({action.name, reps_for(action)});
  trace.cells.push_back({actions[stretched].name + "-stretch", trace.cells[stretched].reps});
  const double decades = std::log(std::max(asked.longest_pause, shortest_pause) / shortest_pause);
  const std::int64_t start = now_ns();
  for (const std::size_t cell : order_of(asked, actions.size(), rng)) {
    // The pause is what is varied here: how far apart visits are.
    std::this_thread::sleep_for(std::chrono::duration<double>(shortest_pause * std::exp(decades * rng.uniform())));
    const bool is_stretch = cell == actions.size();
    const std::int64_t at = (now_ns() - start) / 1000;
    trace.visits.push_back(visit(actions[is_stretch ? stretched : cell], trace.cells[cell].reps,
                                 is_stretch ? stretch_batches : visit_batches, walk));
    trace.visits.back().at = at;
    trace.visits.back().cell = cell;
  }
  return trace;
}

}  // namespace assay::bench
