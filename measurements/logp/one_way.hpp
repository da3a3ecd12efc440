// SPDX-License-Identifier: Apache-2.0
// One-way times in both directions, by stamps on both sides of a ping-pong.
#pragma once
#include "channel/channel.hpp"
#include "logp/meaning.hpp"
#include "logp/polling.hpp"
#include "logp/stamps.hpp"

namespace assay {

/// Each side takes a stamp before its send, after its send and after its receive. Both read one clock: an offset
/// between the clocks of two CPUs would lengthen one direction by what it shortens the other, and half the difference
/// of the directions shows it, together with what really differs between them.
template <Channel C>
class OneWay final : public Measurement {
  struct alignas(line_size) Side {
    StampSum before_send;
    StampSum after_send;
    StampSum received;
  };

 public:
  static constexpr Meaning meaning() { return meaningful; }
  static Traits over(Traits channel) { return channel; }

  /// Indexes of the declared quantities.
  enum Index : std::size_t { there, lag, back, offset };

  explicit OneWay(Setup& setup) : channel_(setup), far_(setup.share<Side>()), stamped_(setup) {}
  void enter(Member& member) override { channel_.enter(member); }
  void leave(Member& member) override { channel_.leave(member); }

  Claims run(Member& member, Reps reps) override {
    begin_batch(channel_, member);
    Side ignored;
    Side stamps;
    if (member.rank() == 0) {
      initiate(member, Reps{1}, ignored);
      initiate(member, reps, stamps);
      stamped_.pass();
      return claims_of(member.stopwatch(), stamps, far_, reps);
    }
    respond(member, Reps{1}, ignored);
    respond(member, reps, stamps);
    far_ = stamps;
    stamped_.open();
    return {};
  }

 private:
  [[gnu::flatten]] void initiate(Member& member, Reps reps, Side& stamps) {
    for (std::int64_t i = 0; i < reps.count; ++i) {
      send(member, Direction::there, stamps);
      receive(member, Direction::back, stamps);
    }
  }
  [[gnu::flatten]] void respond(Member& member, Reps reps, Side& stamps) {
    for (std::int64_t i = 0; i < reps.count; ++i) {
      receive(member, Direction::there, stamps);
      send(member, Direction::back, stamps);
    }
  }
  void send(Member& member, Direction direction, Side& stamps) {
    stamps.before_send.add(member.stopwatch().start());
    channel_.send(member, direction);
    stamps.after_send.add(member.stopwatch().stop());
  }
  void receive(Member& member, Direction direction, Side& stamps) {
    channel_.receive(member, direction);
    stamps.received.add(member.stopwatch().stop());
  }

  static Claims claims_of(const Stopwatch& watch, const Side& near, const Side& far, Reps reps) {
    const Nanoseconds to = between(watch, near.before_send, far.received, reps.count);
    const Nanoseconds fro = between(watch, far.before_send, near.received, reps.count);
    return Claims{}
        .set(there, to)
        .set(lag, between(watch, near.after_send, far.received, 0))
        .set(back, fro)
        .set(offset, (to - fro) / 2);
  }

  C channel_;
  Side& far_;
  Gate stamped_;
};

}  // namespace assay
