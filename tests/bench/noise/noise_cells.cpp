// SPDX-License-Identifier: Apache-2.0
// Each action with what it needs around it, and the loop that times them all.
#include "bench/noise/noise_cells.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "api/keep.hpp"

namespace assay::bench {
namespace {

[[noreturn]] void refused(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

std::int64_t now_ns() {
  timespec time;
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

/// The usable CPU of that rank.
int usable_cpu(int rank) {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) refused("sched_getaffinity");
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &set) && rank-- == 0) return cpu;
  throw std::runtime_error("noise needs two usable CPUs; run it where there are two");
}

void bind_to(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (::sched_setaffinity(0, sizeof set, &set) != 0) refused("sched_setaffinity");
}

/// An action; `prepare` is not timed.
class Action {
 public:
  virtual ~Action() = default;
  virtual void prepare(std::int64_t /*reps*/) {}
  virtual void run(std::int64_t reps) = 0;
};

class MutexPair final : public Action {
 public:
  void run(std::int64_t reps) override {
    for (std::int64_t i = 0; i < reps; ++i) {
      pthread_mutex_lock(&mutex_);
      pthread_mutex_unlock(&mutex_);
    }
  }

 private:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
};

class ClockRead final : public Action {
 public:
  void run(std::int64_t reps) override {
    for (std::int64_t i = 0; i < reps; ++i) keep(now_ns());
  }
};

class CreateJoin final : public Action {
 public:
  void run(std::int64_t reps) override {
    for (std::int64_t i = 0; i < reps; ++i) std::thread([] {}).join();
  }
};

/// First touches of pages that were given back before the clock starts.
class PageFault final : public Action {
 public:
  PageFault() {
    if (pages_ == MAP_FAILED) refused("mmap");
    ::madvise(pages_, capacity * page, MADV_NOHUGEPAGE);
  }
  ~PageFault() override { ::munmap(pages_, capacity * page); }
  void prepare(std::int64_t reps) override {
    if (static_cast<std::size_t>(reps) > capacity) throw std::invalid_argument("too many pages in a batch");
    ::madvise(pages_, static_cast<std::size_t>(reps) * page, MADV_DONTNEED);
  }
  void run(std::int64_t reps) override {
    auto* bytes = static_cast<volatile char*>(pages_);
    for (std::int64_t i = 0; i < reps; ++i) bytes[static_cast<std::size_t>(i) * page] = 1;
  }

 private:
  static constexpr std::size_t page = 4096;
  static constexpr std::size_t capacity = 1024;
  void* pages_ = ::mmap(nullptr, capacity* page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
};

class Copy final : public Action {
 public:
  void run(std::int64_t reps) override {
    for (std::int64_t i = 0; i < reps; ++i) {
      std::memcpy(to_.data(), from_.data(), from_.size());
      clobber();
    }
  }

 private:
  std::vector<char> from_ = std::vector<char>(256 * 1024, 'a');
  std::vector<char> to_ = std::vector<char>(256 * 1024, 'b');
};

/// One byte to a partner and back, through a pipe each way.
class PingPong final : public Action {
 public:
  explicit PingPong(int partner_cpu) {
    if (::pipe(there_.data()) != 0 || ::pipe(back_.data()) != 0) refused("pipe");
    partner_ = std::thread([this, partner_cpu] {
      bind_to(partner_cpu);
      char byte = 0;
      while (::read(there_[0], &byte, 1) == 1 && ::write(back_[1], &byte, 1) == 1) continue;
    });
  }
  ~PingPong() override {
    ::close(there_[1]);
    partner_.join();
    for (const int end : {there_[0], back_[0], back_[1]}) ::close(end);
  }
  void run(std::int64_t reps) override {
    char byte = 'x';
    for (std::int64_t i = 0; i < reps; ++i)
      if (::write(there_[1], &byte, 1) != 1 || ::read(back_[0], &byte, 1) != 1) refused("ping-pong through a pipe");
  }

 private:
  std::array<int, 2> there_{};
  std::array<int, 2> back_{};
  std::thread partner_;
};

/// Additions to a counter that a partner adds to all the time.
class SharedAdd final : public Action {
 public:
  explicit SharedAdd(int partner_cpu) {
    partner_ = std::thread([this, partner_cpu] {
      bind_to(partner_cpu);
      while (!ended_.load(std::memory_order_relaxed)) counter_.fetch_add(1, std::memory_order_relaxed);
    });
  }
  ~SharedAdd() override {
    ended_ = true;
    partner_.join();
  }
  void run(std::int64_t reps) override {
    for (std::int64_t i = 0; i < reps; ++i) counter_.fetch_add(1, std::memory_order_relaxed);
  }

 private:
  alignas(128) std::atomic<std::int64_t> counter_ = 0;
  alignas(128) std::atomic<bool> ended_ = false;
  std::thread partner_;
};

struct Entry {
  NoiseCell cell;
  std::function<std::unique_ptr<Action>(int here, int there)> make;
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all{
      {{"mutex-pair", 64, 512}, [](int, int) { return std::make_unique<MutexPair>(); }},
      {{"clock-read", 64, 128}, [](int, int) { return std::make_unique<ClockRead>(); }},
      {{"pipe-same-cpu", 1, 1}, [](int here, int) { return std::make_unique<PingPong>(here); }},
      {{"pipe-two-cpus", 1, 1}, [](int, int there) { return std::make_unique<PingPong>(there); }},
      {{"create-join", 1, 1}, [](int, int) { return std::make_unique<CreateJoin>(); }},
      {{"page-fault", 16, 16}, [](int, int) { return std::make_unique<PageFault>(); }},
      {{"copy-256-kib", 1, 1}, [](int, int) { return std::make_unique<Copy>(); }},
      {{"add-two-threads", 64, 512}, [](int, int there) { return std::make_unique<SharedAdd>(there); }},
  };
  return all;
}

std::int64_t timed(Action& action, std::int64_t reps) {
  action.prepare(reps);
  const std::int64_t from = now_ns();
  action.run(reps);
  return now_ns() - from;
}

void run_until(Action& action, std::int64_t reps, std::int64_t end) {
  while (now_ns() < end) timed(action, reps);
}

}  // namespace

const std::vector<NoiseCell>& noise_cells() {
  static const std::vector<NoiseCell> cells = [] {
    std::vector<NoiseCell> found;
    for (const Entry& entry : entries()) found.push_back(entry.cell);
    return found;
  }();
  return cells;
}

std::vector<std::int64_t> time_cell(const std::string& cell, std::int64_t reps, const Kept& kept,
                                    std::int64_t warm_up_ns) {
  for (const Entry& entry : entries()) {
    if (entry.cell.name != cell) continue;
    const int here = usable_cpu(0);
    const int there = usable_cpu(1);
    const std::unique_ptr<Action> action = entry.make(here, there);
    bind_to(here);
    // Pages of the result are touched before anything is timed.
    std::vector<std::int64_t> all(static_cast<std::size_t>(kept.count), -1);
    run_until(*action, reps, now_ns() + warm_up_ns);
    std::int64_t left_of_stretch = kept.stretch;
    std::int64_t next = now_ns() + kept.spacing_ns;
    for (std::int64_t& elapsed : all) {
      if (left_of_stretch-- == 0) {
        run_until(*action, reps, next);
        left_of_stretch = kept.stretch - 1;
        next += kept.spacing_ns;
      }
      elapsed = timed(*action, reps);
    }
    return all;
  }
  throw std::invalid_argument("there is no noise cell named " + cell);
}

}  // namespace assay::bench
