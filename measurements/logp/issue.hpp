// SPDX-License-Identifier: Apache-2.0
// What sends cost that no member waits for: issued one after the other, and drained one by one.
#pragma once
#include <limits>

#include "api/keep.hpp"
#include "channel/channel.hpp"
#include "logp/chunks.hpp"
#include "logp/meaning.hpp"
#include "logp/polling.hpp"

namespace assay {

/// Member 0 times a burst of sends, then as many with a full fence behind each, so that the next one finds an empty
/// store buffer. Meanwhile member 1 is idle, or polls in its receive: messages that merge are received at the last one,
/// others one by one.
template <Channel C, bool polls>
class Issue final : public Measurement {
 public:
  static constexpr Meaning meaning() {
    if (C::delivery == Delivery::handed) return nothing_waits;
    return C::delivery == Delivery::queued && SleepingChannel<C> ? send_is_a_call : meaningful;
  }
  static Traits over(Traits channel) { return channel; }

  /// Indexes of the declared quantities.
  enum Index : std::size_t { issue, drain };

  explicit Issue(Setup& setup) : channel_(setup), sent_(setup), received_(setup) {
    if (channel_.capacity() < 1) throw Unsupported("a message may not fit without a receiver; use a smaller one");
  }
  void enter(Member& member) override { channel_.enter(member); }
  void leave(Member& member) override { channel_.leave(member); }

  Claims run(Member& member, Reps reps) override {
    // Where nothing polls, no other core has the line: to go to another would put its first miss into a short burst.
    if constexpr (polls) begin_batch(channel_, member);
    Nanoseconds issued{};
    Nanoseconds drained{};
    in_chunks(reps, most(), [&](Reps part) {
      if (member.rank() == 0) {
        issued += send_part<false>(member, part);
        drained += send_part<true>(member, part);
      } else {
        receive_part(member, part);
        receive_part(member, part);
      }
    });
    return member.rank() == 0 ? Claims{}.set(issue, issued).set(drain, drained) : Claims{};
  }

 private:
  static constexpr bool merges = C::delivery == Delivery::merged;

  std::int64_t most() const { return merges ? std::numeric_limits<std::int64_t>::max() : channel_.capacity(); }

  // What is timed stands in a function of its own, in which everything is inlined.
  template <bool drains>
  [[gnu::flatten]] Nanoseconds timed_sends(Member& member, Reps part) {
    return member.timed(part, [&] {
      channel_.send(member, Direction::there);
      if constexpr (drains) drain_stores();
    });
  }

  template <bool drains>
  Nanoseconds send_part(Member& member, Reps part) {
    if constexpr (polls) received_.pass();  // the receiver is about to poll
    const Nanoseconds time = timed_sends<drains>(member, part);
    sent_.open();
    received_.pass();
    return time;
  }

  void receive_part(Member& member, Reps part) {
    if constexpr (polls) {
      // To receive the last of messages that merge is to poll through all of them.
      const std::int64_t receives = merges ? 1 : part.count;
      absorb(member, part.count - receives);
      received_.open();
      for (std::int64_t i = 0; i < receives; ++i) channel_.receive(member, Direction::there);
      sent_.pass();
    } else {
      sent_.pass();
      absorb(member, part.count);
    }
    received_.open();
  }
  // Accounts for messages that no receive of this batch is to see.
  void absorb(Member& member, std::int64_t sends) {
    if constexpr (merges)
      channel_.absorb(member, Direction::there, sends);
    else
      for (std::int64_t i = 0; i < sends; ++i) channel_.receive(member, Direction::there);
  }

  C channel_;
  Gate sent_;
  Gate received_;
};

}  // namespace assay
