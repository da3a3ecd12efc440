// SPDX-License-Identifier: Apache-2.0
// Two threads that hand a turn to and fro, each with a stamp.
#include "platform/clock/counter_pair.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <exception>
#include <thread>

#include "platform/clock/system_clock.hpp"
#include "platform/thread/guard.hpp"

namespace assay {
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
