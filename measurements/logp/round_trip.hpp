// SPDX-License-Identifier: Apache-2.0
// Round trip over a channel: the initiator sends and receives, the responder receives and sends.
#pragma once
#include "channel/channel.hpp"

namespace assay {

/// One repetition is one round trip, timed by member 0. One exchange before the clock starts takes the responder out of
/// the start-up of the batch.
template <Channel C>
class RoundTrip final : public Measurement {
 public:
  explicit RoundTrip(Setup& setup) : channel_(setup) {}
  void enter(Member& member) override { channel_.enter(member); }

  Claims run(Member& member, Reps reps) override {
    if (member.rank() == 0) {
      const auto initiate = [&] {
        channel_.send(member, Direction::there);
        channel_.receive(member, Direction::back);
      };
      initiate();
      return member.timed(reps, initiate);
    }
    for (std::int64_t i = 0; i <= reps.count; ++i) {
      channel_.receive(member, Direction::there);
      channel_.send(member, Direction::back);
    }
    return {};
  }

 private:
  C channel_;
};

}  // namespace assay
