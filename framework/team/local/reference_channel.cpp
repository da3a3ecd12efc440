// SPDX-License-Identifier: Apache-2.0
// Two flags, one line each, passed to and fro, from place to place.
#include "team/local/reference_channel.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "api/keep.hpp"
#include "stats/sample/summary.hpp"

namespace assay {
namespace {

constexpr std::uint32_t given_up = ~std::uint32_t{0};
// Polls without the processor's spin hint, with which trips depended on more than the distance: over a minute their
// medians by the second had a standard deviation of 2.8 %, and did not follow those without it, which had 1.4 and went
// with the means of polled round trips (correlation 0.9).
constexpr int at_once = 1 << 10;

// What the line holds: the turn, or what it held when waiting was given up.
template <class Stop>
std::uint32_t await_turn(const ReferenceLine& line, std::uint32_t turn, int polls, Stop stop) {
  std::uint32_t value = 0;
  const auto has_come = [&] {
    value = line.turn.load(std::memory_order_acquire);
    return value == turn || value == given_up;
  };
  for (int i = 0; i < at_once; ++i)
    if (has_come()) return value;
  for (;;) {
    for (int i = 0; i < polls; ++i) {
      if (has_come()) return value;
      relax();
    }
    if (stop()) return value;
    std::this_thread::yield();
  }
}

// Polls between two yields: few where the other side may need this CPU.
int polls_of(bool are_apart) { return are_apart ? 1 << 14 : 1 << 7; }

ReferenceLines::Place& place_of(ReferenceLines& lines, std::uint32_t turn) {
  return lines.places[turn % lines.places.size()];
}

template <class Stop>
bool initiate(ReferenceLines& lines, int round_trips, int polls, Stop stop) {
  std::uint32_t turn = lines.initiated.turn.load(std::memory_order_relaxed);
  for (int i = 0; i < round_trips; ++i) {
    auto& [there, back] = place_of(lines, ++turn);
    there.turn.store(turn, std::memory_order_release);
    if (await_turn(back, turn, polls, stop) == turn) continue;
    there.turn.store(given_up, std::memory_order_release);
    return false;
  }
  lines.initiated.turn.store(turn, std::memory_order_relaxed);
  return true;
}

template <class Stop>
bool respond(ReferenceLines& lines, int round_trips, int polls, Stop stop) {
  std::uint32_t turn = lines.responded.turn.load(std::memory_order_relaxed);
  for (int i = 0; i < round_trips; ++i) {
    auto& [there, back] = place_of(lines, ++turn);
    if (const std::uint32_t found = await_turn(there, turn, polls, stop); found != turn) {
      if (found != given_up) back.turn.store(given_up, std::memory_order_release);
      return false;
    }
    back.turn.store(turn, std::memory_order_release);
  }
  lines.responded.turn.store(turn, std::memory_order_relaxed);
  return true;
}

auto after(Nanoseconds patience) {
  return [patience, from = std::chrono::steady_clock::now()] {
    const auto spent = static_cast<double>((std::chrono::steady_clock::now() - from) / std::chrono::nanoseconds(1));
    return spent >= patience.count;
  };
}

}  // namespace

bool exchange(Mailbox& mailbox, bool initiator, int round_trips, Nanoseconds patience) {
  const int polls = polls_of(mailbox.are_apart);
  if (!initiator) return respond(mailbox.lines, round_trips, polls, [] { return false; });
  return initiate(mailbox.lines, round_trips, polls,
                  [&, is_over = after(patience)] { return any_failed(mailbox) || is_over(); });
}

bool exchange(ReferenceLines& lines, bool initiator, int round_trips, Nanoseconds patience) {
  const int polls = polls_of(true);
  return initiator ? initiate(lines, round_trips, polls, after(patience))
                   : respond(lines, round_trips, polls, after(patience));
}

std::optional<Nanoseconds> time_round_trips(const Stopwatch& watch, int round_trips,
                                            const std::function<bool(int)>& exchange_some) {
  std::vector<double> means;
  for (int left = std::max(1, round_trips / reference_places); left > 0; --left) {
    const int some = round_trips / left;
    const auto from = watch.start();
    const bool is_complete = exchange_some(some);
    const auto to = watch.stop();
    if (!is_complete) return std::nullopt;
    means.push_back((watch.between(from, to) / some).count);
    round_trips -= some;
  }
  return Nanoseconds{median(std::move(means))};
}

void reset(ReferenceLines& lines) {
  const auto clear = [](ReferenceLine& line) { line.turn.store(0, std::memory_order_relaxed); };
  for (auto& [there, back] : lines.places) {
    clear(there);
    clear(back);
  }
  clear(lines.initiated);
  clear(lines.responded);
}

}  // namespace assay
