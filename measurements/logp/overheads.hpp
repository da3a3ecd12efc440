// SPDX-License-Identifier: Apache-2.0
// Send overhead to an idle receiver and receive overhead of ready messages, from one run.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "channel/channel.hpp"
#include "logp/chunks.hpp"
#include "logp/meaning.hpp"
#include "logp/polling.hpp"

namespace assay {

/// Member 0 times sends while member 1 is alive but not receiving; then member 1 times the receives of messages that
/// are all there. The hand-over between the two parts is a gate of its own, outside both timed regions.
/// Repetitions that the channel cannot hold come in parts. Where looking at the gate may help a send on, as within a
/// library that makes progress in every call, sends count only in parts that were over at the receiver's first look.
template <Channel C>
class Overheads final : public Measurement {
 public:
  static constexpr Meaning meaning() { return rate_of(C::delivery); }
  static Traits over(Traits channel) { return channel; }

  /// Indexes of the declared quantities.
  enum Index : std::size_t { send, receive };

  explicit Overheads(Setup& setup) : channel_(setup), sent_(setup), received_(setup) { require_room(); }
  void enter(Member& member) override {
    channel_.enter(member);
    // One that has to try how much it holds does so now, and both members know it then.
    if constexpr (requires { channel_.learn_capacity(member); }) channel_.learn_capacity(member);
    require_room();
  }
  void leave(Member& member) override { channel_.leave(member); }

  Claims run(Member& member, Reps reps) override {
    begin_batch(channel_, member);
    const bool sends = member.rank() == 0;
    Nanoseconds time{};
    std::int64_t counted = 0;
    in_chunks(reps, std::min(channel_.capacity(), most_at_once_), [&](Reps part) {
      const auto taken = sends ? send_part(member, part) : receive_part(member, part);
      if (taken) time += *taken;
      counted += taken ? part.count : 0;
    });
    if (counted == 0) return {};
    // The total is that of `reps` that all counted.
    return Claims{}.set(sends ? send : receive,
                        time * (static_cast<double>(reps.count) / static_cast<double>(counted)));
  }

 private:
  static constexpr bool receiver_may_help = requires(GateOf<C> gate) { gate.pass_unaided(); };
  static constexpr int most_aided = 8;  // parts in a row, before they become shorter

  void require_room() const {
    if (channel_.capacity() < 1) throw Unsupported("a message may not fit without a receiver; use a smaller one");
  }

  // What is timed stands in functions of their own, in which everything is inlined.
  [[gnu::flatten]] Nanoseconds timed_sends(Member& member, Reps part) {
    return member.timed(part, [&] { channel_.send(member, Direction::there); });
  }
  [[gnu::flatten]] Nanoseconds timed_receives(Member& member, Reps part) {
    return member.timed(part, [&] { channel_.receive(member, Direction::there); });
  }

  // Nothing where the receiver may have helped.
  std::optional<Nanoseconds> send_part(Member& member, Reps part) {
    const Nanoseconds time = timed_sends(member, part);
    bool counts = true;
    if constexpr (receiver_may_help) {
      sent_.open_later();
      counts = received_.pass();
    } else {
      sent_.open();
      received_.pass();
    }
    note(part, counts);
    return counts ? std::optional(time) : std::nullopt;
  }
  std::optional<Nanoseconds> receive_part(Member& member, Reps part) {
    bool unaided = true;
    if constexpr (receiver_may_help)
      unaided = sent_.pass_unaided();
    else
      sent_.pass();
    channel_.settle(member, Direction::there);
    const Nanoseconds time = timed_receives(member, part);
    if constexpr (receiver_may_help)
      received_.open(unaided);
    else
      received_.open();
    note(part, unaided);
    return time;
  }
  // Both members come to the same length. Only where each has a measurement of its own, being a rank.
  void note(Reps part, bool unaided) {
    if constexpr (!receiver_may_help) return;
    aided_ = unaided ? 0 : aided_ + 1;
    if (aided_ < most_aided) return;
    most_at_once_ = std::max<std::int64_t>(1, part.count / 2);
    aided_ = 0;
  }

  C channel_;
  GateOf<C> sent_;
  GateOf<C> received_;
  std::int64_t most_at_once_ = std::numeric_limits<std::int64_t>::max();
  int aided_ = 0;  // parts in a row
};

}  // namespace assay
