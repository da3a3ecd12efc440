// SPDX-License-Identifier: Apache-2.0
// Two flags, one line each, passed to and fro.
#include "team/local/reference_channel.hpp"

#include <chrono>
#include <thread>

#include "api/keep.hpp"

namespace assay {
namespace {

constexpr std::uint32_t given_up = ~std::uint32_t{0};

// What the line holds: the turn, or what it held when waiting was given up.
template <class Stop>
std::uint32_t await_turn(const ReferenceLine& line, std::uint32_t turn, int polls, Stop stop) {
  for (;;) {
    std::uint32_t value = 0;
    for (int i = 0; i < polls; ++i) {
      value = line.turn.load(std::memory_order_acquire);
      if (value == turn || value == given_up) return value;
      relax();
    }
    if (stop()) return value;
    std::this_thread::yield();
  }
}

// Polls between two yields: few where the other side may need this CPU.
int polls_of(const Mailbox& mailbox) { return mailbox.may_spin ? 1 << 14 : 1 << 7; }

bool initiate(Mailbox& mailbox, int round_trips, Nanoseconds patience) {
  const auto from = std::chrono::steady_clock::now();
  const auto stop = [&] {
    const auto spent = static_cast<double>((std::chrono::steady_clock::now() - from) / std::chrono::nanoseconds(1));
    return any_failed(mailbox) || spent >= patience.count;
  };
  std::uint32_t turn = mailbox.there.turn.load(std::memory_order_relaxed);
  for (int i = 0; i < round_trips; ++i) {
    mailbox.there.turn.store(++turn, std::memory_order_release);
    if (await_turn(mailbox.back, turn, polls_of(mailbox), stop) == turn) continue;
    mailbox.there.turn.store(given_up, std::memory_order_release);
    return false;
  }
  return true;
}

bool respond(Mailbox& mailbox, int round_trips) {
  std::uint32_t turn = mailbox.back.turn.load(std::memory_order_relaxed);
  for (int i = 0; i < round_trips; ++i) {
    ++turn;
    if (await_turn(mailbox.there, turn, polls_of(mailbox), [] { return false; }) != turn) return false;
    mailbox.back.turn.store(turn, std::memory_order_release);
  }
  return true;
}

}  // namespace

bool exchange(Mailbox& mailbox, bool initiator, int round_trips, Nanoseconds patience) {
  return initiator ? initiate(mailbox, round_trips, patience) : respond(mailbox, round_trips);
}

}  // namespace assay
