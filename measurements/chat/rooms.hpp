// SPDX-License-Identifier: Apache-2.0
// The chat as a measurement: how many messages a second all rooms together send and receive.
#pragma once
#include <cstdint>
#include <string>

#include "api/measurement.hpp"
#include "chat/hall.hpp"
#include "chat/switches.hpp"

namespace assay {

/// A batch is one round of the chat: every user says all its messages, and all others in its room receive them.
/// Threads, connections and room entries are there before, and sleep between batches. They inherit the member's
/// binding.
class ChatRooms final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  enum Index : std::size_t { rate, elapsed, sent, received, switches };

  /// Throws Unsupported as ChatHall does.
  explicit ChatRooms(Setup& setup) : hall_(conversation(setup), server(setup)) {}

  Claims run(Member& member, Reps) override {
    const SwitchCount before = switches_of_others();
    const Round round = hall_.run(member.stopwatch());
    const SwitchCount made = switches_of_others() - before;
    member.adopt(made.voluntary, made.involuntary);
    const double messages = static_cast<double>(round.sent + round.received);
    const auto switched = made.voluntary + made.involuntary;
    return Claims{}
        .set(rate, messages / round.elapsed.count * 1e9)
        .set(elapsed, round.elapsed)
        .set(sent, static_cast<double>(round.sent))
        .set(received, static_cast<double>(round.received))
        .set(switches, static_cast<double>(switched) / messages);
  }

 private:
  static Conversation conversation(const Setup& setup) {
    return {setup.level<std::uint32_t>("rooms"), setup.level<std::uint32_t>("users"),
            setup.level<std::uint32_t>("messages"), setup.word("pacing") == "turn"};
  }
  static ServerPlan server(const Setup& setup) {
    return {setup.word("server") == "epoll", setup.level<std::size_t>("pool"), setup.level<std::size_t>("queue"),
            setup.word("nodelay") == "both"};
  }

  ChatHall hall_;
};

}  // namespace assay
