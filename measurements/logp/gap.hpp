// SPDX-License-Identifier: Apache-2.0
// A burst of messages answered once: its time grows by the gap per message, so g is the slope over factor `burst`.
#pragma once
#include "channel/channel.hpp"

namespace assay {

/// One repetition is one burst of `burst` sends and the receiver's single reply, timed by member 0.
template <Channel C>
class Gap final : public Measurement {
 public:
  explicit Gap(Setup& setup) : channel_(setup), burst_(setup.level<std::int64_t>("burst")) {
    if (burst_ < 1) throw Unsupported("a burst has at least one message");
  }
  void enter(Member& member) override { channel_.enter(member); }

  Claims run(Member& member, Reps reps) override {
    if (member.rank() == 0) {
      const auto flood = [&] {
        for (std::int64_t i = 0; i < burst_; ++i) channel_.send(member, Direction::there);
        channel_.receive(member, Direction::back);
      };
      flood();
      return member.timed(reps, flood);
    }
    for (std::int64_t i = 0; i <= reps.count; ++i) {
      for (std::int64_t k = 0; k < burst_; ++k) channel_.receive(member, Direction::there);
      channel_.send(member, Direction::back);
    }
    return {};
  }

 private:
  C channel_;
  std::int64_t burst_;
};

}  // namespace assay
