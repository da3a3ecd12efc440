// SPDX-License-Identifier: Apache-2.0
// The cycle counter of this machine: its evidence, what a reading costs, its rate, the grounds to refuse it; and two
// threads that compare theirs by taking turns.
#include "platform/clock/cycle_counter.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <ctime>
#include <exception>
#include <limits>
#include <sstream>
#include <string_view>
#include <thread>

#include "base/error.hpp"
#include "platform/clock/system_clock.hpp"
#include "platform/file/append_file.hpp"
#include "platform/thread/guard.hpp"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace assay {
namespace {

#if defined(__x86_64__)
constexpr const char* architecture = "x86_64";
std::int64_t counter() noexcept {
  _mm_lfence();
  const auto ticks = __rdtsc();
  _mm_lfence();
  return static_cast<std::int64_t>(ticks);
}
/// No register contains it on this architecture.
double nominal_ns_per_tick() { return 0; }
#elif defined(__aarch64__)
constexpr const char* architecture = "aarch64";
std::int64_t counter() noexcept {
  std::int64_t ticks;
  asm volatile("dsb ishld; isb; mrs %0, cntvct_el0; isb" : "=r"(ticks) : : "memory");
  return ticks;
}
double nominal_ns_per_tick() {
  std::uint64_t hertz;
  asm volatile("mrs %0, cntfrq_el0" : "=r"(hertz));
  return hertz == 0 ? 0 : 1e9 / static_cast<double>(hertz);
}
#else
constexpr const char* architecture = "unknown";
std::int64_t counter() noexcept { return 0; }
double nominal_ns_per_tick() { return 0; }
#endif

/// CLOCK_MONOTONIC_RAW is not steered by time synchronisation.
std::int64_t raw_time() noexcept {
  timespec reading{};
  ::clock_gettime(CLOCK_MONOTONIC_RAW, &reading);
  return reading.tv_sec * 1'000'000'000LL + reading.tv_nsec;
}

/// The cheapest of a few rounds: a preempted round says nothing about the counter.
Nanoseconds measured_read_cost() {
  constexpr int readings = 1000;
  auto best = std::numeric_limits<std::int64_t>::max();
  for (int round = 0; round < 5; ++round) {
    const std::int64_t start = raw_time();
    for (int i = 0; i < readings; ++i) [[maybe_unused]]
      const volatile std::int64_t ticks = counter();
    best = std::min(best, raw_time() - start);
  }
  return Nanoseconds{static_cast<double>(best)} / readings;
}

/// One moment on both clocks.
struct Moment {
  std::int64_t ticks = 0;
  std::int64_t ns = 0;
  std::int64_t width = 0;
};

Moment bracketed() {
  const std::int64_t before = counter();
  const std::int64_t ns = raw_time();
  const std::int64_t width = counter() - before;
  return {before + width / 2, ns, width};
}

Moment narrowest() {
  Moment best = bracketed();
  for (int i = 1; i < 50; ++i)
    if (const Moment next = bracketed(); next.width < best.width) best = next;
  return best;
}

void sleep_for(Nanoseconds duration) {
  timespec rest{0, static_cast<long>(duration.count)};
  while (::nanosleep(&rest, &rest) != 0 && errno == EINTR) continue;
}

double calibrated_ns_per_tick() {
  const Moment from = narrowest();
  sleep_for(milliseconds(20));
  const Moment to = narrowest();
  return static_cast<double>(to.ns - from.ns) / static_cast<double>(to.ticks - from.ticks);
}

std::string content_of(const char* path) {
  try {
    std::string text = read_file(path, std::size_t{1} << 26);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
  } catch (const PlatformError&) {
    return {};
  }
}

std::string rate_objection(double ns_per_tick) {
  if (!std::isfinite(ns_per_tick) || ns_per_tick <= 0) return "the counter did not advance with CLOCK_MONOTONIC_RAW";
  const double nominal = nominal_ns_per_tick();
  if (nominal > 0 && std::abs(ns_per_tick / nominal - 1) > 0.01)
    return "the calibrated rate differs from the frequency register by more than 1 %";
  return {};
}

std::string decimal(double value) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 6).ptr;
  return std::string(text.data(), end);
}

std::string grounds(const CounterEvidence& evidence, double ns_per_tick) {
  return "invariant, clock source '" + evidence.clock_source + "', " + decimal(evidence.read_cost.count) +
         " ns per reading, " + decimal(ns_per_tick) + " ns per tick";
}

constexpr Nanoseconds trapped_cost{100};

bool has_word(const std::string& line, std::string_view wanted) {
  std::istringstream words(line);
  for (std::string word; words >> word;)
    if (word == wanted) return true;
  return false;
}

/// Every CPU must have the flag: mixed machines exist under hypervisors.
std::string flag_objection(const std::string& cpu_info, std::string_view flag) {
  std::istringstream lines(cpu_info);
  int with = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("flags")) continue;
    if (!has_word(line, flag)) return "a CPU lacks the flag " + std::string(flag);
    ++with;
  }
  return with > 0 ? std::string() : "the CPU flags cannot be read";
}

std::string invariance_objection(const CounterEvidence& evidence) {
  if (evidence.architecture != "x86_64") return {};
  const std::string objection = flag_objection(evidence.cpu_info, "constant_tsc");
  return objection.empty() ? flag_objection(evidence.cpu_info, "nonstop_tsc") : objection;
}

std::string source_objection(const CounterEvidence& evidence) {
  const std::string expected = evidence.architecture == "x86_64" ? "tsc" : "arch_sys_counter";
  if (evidence.clock_source == expected) return {};
  const std::string used = evidence.clock_source.empty() ? "not known" : "'" + evidence.clock_source + "'";
  return "the kernel's clock source is " + used + ", not '" + expected + "'";
}

}  // namespace

CounterFacts probe_counter() {
  CounterEvidence evidence{architecture,
                           content_of("/proc/cpuinfo"),
                           content_of("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
                           {}};
  CounterFacts facts;
  facts.reason = counter_objection(evidence);
  if (!facts.reason.empty()) return facts;
  evidence.read_cost = measured_read_cost();
  facts.reason = counter_objection(evidence);
  if (!facts.reason.empty()) return facts;
  facts.ns_per_tick = calibrated_ns_per_tick();
  facts.reason = rate_objection(facts.ns_per_tick);
  facts.trusted = facts.reason.empty();
  if (facts.trusted) facts.reason = grounds(evidence, facts.ns_per_tick);
  return facts;
}

std::string counter_objection(const CounterEvidence& evidence) {
  if (evidence.architecture != "x86_64" && evidence.architecture != "aarch64")
    return "no cycle counter is known for this architecture (" + evidence.architecture + ")";
  if (std::string why = invariance_objection(evidence); !why.empty()) return why;
  if (std::string why = source_objection(evidence); !why.empty()) return why;
  if (evidence.read_cost >= trapped_cost)
    return "a reading takes " + std::to_string(static_cast<long long>(evidence.read_cost.count)) +
           " ns: the counter is trapped";
  return {};
}

namespace {

constexpr int turns_of_a_test = 4000;
constexpr std::size_t fewest = 10;

/// What both sides see.
struct Turns {
  std::vector<std::int64_t> stamps;
  std::atomic<int> next{0};
  std::atomic<bool> given_up{false};
};

/// False when the turn does not come within a second.
bool await_turn(Turns& turns, int wanted) {
  const MonotonicClock clock;
  const Instant start = clock.now();
  for (int polls = 0; turns.next.load(std::memory_order_acquire) != wanted; ++polls) {
    if (turns.given_up) return false;
    if (polls % 1024 == 1023) {
      std::this_thread::yield();
      if (clock.now() - start > seconds(1)) turns.given_up = true;
    }
  }
  return true;
}

void take_turns(Turns& turns, int side, int cpu, const ReadCounter& read, std::exception_ptr& failure) {
  try {
    bind_self({cpu});
    for (auto at = static_cast<std::size_t>(side); at < turns.stamps.size(); at += 2) {
      if (!await_turn(turns, static_cast<int>(at))) return;
      turns.stamps[at] = read(side);
      turns.next.store(static_cast<int>(at) + 1, std::memory_order_release);
    }
  } catch (...) {
    failure = std::current_exception();
    turns.given_up = true;
  }
}

std::string text_at(int descriptor) {
  std::array<char, 512> text{};
  const auto got = ::read(descriptor, text.data(), text.size());
  return got > 0 ? std::string(text.data(), static_cast<std::size_t>(got)) : std::string();
}

/// In the child: the objection, with a letter before it that shows that there is an answer.
std::string answer(int cpu, int other, double ns_per_tick, const ReadCounter& read) {
  try {
    const auto stamps = stamps_in_turns(cpu, other, turns_of_a_test, read);
    return "=" + pair_objection(stamps, ns_per_tick);
  } catch (const std::exception& error) {
    return std::string("=they could not be compared: ") + error.what();
  }
}

}  // namespace

std::vector<std::int64_t> stamps_in_turns(int cpu, int other, int turns, const ReadCounter& read) {
  Turns shared;
  shared.stamps.resize(static_cast<std::size_t>(turns));
  std::array<std::exception_ptr, 2> failures;
  std::thread first(take_turns, std::ref(shared), 0, cpu, std::cref(read), std::ref(failures[0]));
  std::thread second(take_turns, std::ref(shared), 1, other, std::cref(read), std::ref(failures[1]));
  first.join();
  second.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  shared.stamps.resize(static_cast<std::size_t>(shared.next.load()));
  return shared.stamps;
}

std::string pair_objection(std::span<const std::int64_t> stamps, double ns_per_tick) {
  if (stamps.size() < fewest) return "they did not answer each other within a second";
  std::int64_t worst = 0;
  for (std::size_t i = 1; i < stamps.size(); ++i) worst = std::max(worst, stamps[i - 1] - stamps[i]);
  if (worst == 0) return {};
  const auto behind = std::llround(static_cast<double>(worst) * ns_per_tick);
  return "one is " + std::to_string(behind) + " ns and more behind the other";
}

std::string counter_pair_objection(int cpu, int other, double ns_per_tick, const ReadCounter& read) {
  const std::string unknown = "they could not be compared";
  int ends[2];
  if (::pipe(ends) != 0) return unknown;
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string text = answer(cpu, other, ns_per_tick, read);
    ::_exit(::write(ends[1], text.data(), text.size()) < 0 ? 1 : 0);
  }
  ::close(ends[1]);
  const std::string text = child < 0 ? std::string() : text_at(ends[0]);
  ::close(ends[0]);
  while (child > 0 && ::waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
  return text.starts_with('=') ? text.substr(1) : unknown;
}

}  // namespace assay
