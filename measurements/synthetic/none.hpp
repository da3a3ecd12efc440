// SPDX-License-Identifier: Apache-2.0
// The channel that does nothing: what a protocol claims over it is the protocol's own error.
#pragma once
#include <cstdint>
#include <limits>

#include "channel/channel.hpp"

namespace assay {

/// Sends and receives are empty and do not wait for each other. `Time` is SimulatedTime or RealTime (channel.hpp).
template <class Time>
class NoChannel {
 public:
  explicit NoChannel(Setup&) {}
  static Traits traits() { return {.vehicles = {"thread", "process"}, .simulated = Time::simulated}; }
  static constexpr Delivery delivery = Delivery::queued;
  std::int64_t capacity() const { return std::numeric_limits<std::int64_t>::max(); }

  void enter(Member& member) { time_.enter(member); }
  void leave(Member&) {}
  void settle(Member&, Direction) {}
  void send(Member&, Direction) { clobber(); }  // or the compiler would remove the loop around it
  void receive(Member&, Direction) { clobber(); }

 private:
  Time time_;
};

}  // namespace assay
