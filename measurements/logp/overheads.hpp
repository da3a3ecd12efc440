// SPDX-License-Identifier: Apache-2.0
// Send overhead to an idle receiver and receive overhead of ready messages, from one run.
#pragma once
#include "channel/channel.hpp"
#include "logp/chunks.hpp"
#include "logp/meaning.hpp"
#include "logp/polling.hpp"

namespace assay {

/// Member 0 times sends while member 1 is alive but not receiving; then member 1 times the receives of messages that
/// are all there. The hand-over between the two parts is a gate of its own, outside both timed regions.
/// Repetitions that the channel cannot hold come in parts.
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
    const bool sends = member.rank() == 0;
    Nanoseconds time{};
    in_chunks(reps, channel_.capacity(),
              [&](Reps part) { time += sends ? send_part(member, part) : receive_part(member, part); });
    return Claims{}.set(sends ? send : receive, time);
  }

 private:
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

  Nanoseconds send_part(Member& member, Reps part) {
    const Nanoseconds time = timed_sends(member, part);
    sent_.open();
    received_.pass();
    return time;
  }
  Nanoseconds receive_part(Member& member, Reps part) {
    sent_.pass();
    channel_.settle(member, Direction::there);
    const Nanoseconds time = timed_receives(member, part);
    received_.open();
    return time;
  }

  C channel_;
  GateOf<C> sent_;
  GateOf<C> received_;
};

}  // namespace assay
