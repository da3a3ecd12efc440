// SPDX-License-Identifier: Apache-2.0
// The channel of known parameters on simulated time, with a receiver that really sleeps.
#pragma once
#include "channel/futex.hpp"
#include "synthetic/channel.hpp"

namespace assay {

/// Each message also wakes the receiver through a futex, so that a sleeping receiver can be found; what that costs is
/// real time and does not show.
class SleepingSyntheticChannel : public SyntheticChannel<SimulatedTime> {
 public:
  explicit SleepingSyntheticChannel(Setup& setup) : SyntheticChannel(setup), bell_(setup) {}
  SleepingPlace sleeping_place(Direction direction) const { return bell_.sleeping_place(direction); }

  void send(Member& member, Direction direction) {
    SyntheticChannel::send(member, direction);
    bell_.send(member, direction);
  }
  void receive(Member& member, Direction direction) {
    bell_.receive(member, direction);
    SyntheticChannel::receive(member, direction);
  }

 private:
  using SyntheticChannel::try_send;  // would not ring
  Futex<Waking::always> bell_;
};

}  // namespace assay
