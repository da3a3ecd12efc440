// SPDX-License-Identifier: Apache-2.0
// A burst of messages answered once, with or without delays between the sends: its time grows by g, or by o_s.
#pragma once
#include <algorithm>
#include <array>
#include <string>

#include "channel/channel.hpp"
#include "logp/meaning.hpp"
#include "logp/polling.hpp"
#include "logp/stamps.hpp"

namespace assay {

/// One repetition is `burst` sends and the receiver's single reply, timed by member 0. With `delay`, member 0 occupies
/// its processor for that many round trips between two sends; the time it really spent there is taken off. The slope of
/// what remains over `burst` is g without delay, and o_s where the receiver is done before the next send: PRTT(n, d) of
/// Hoefler, Lichei and Rehm, Low-Overhead LogGP Parameter Assessment for Modern Interconnection Networks (2007).
template <Channel C>
class Burst final : public Measurement {
 public:
  static constexpr Meaning meaning() { return rate_of(C::delivery); }
  static Traits over(Traits channel) { return channel; }

  /// Indexes of the declared quantities.
  enum Index : std::size_t { burst_time, delays, switches };

  explicit Burst(Setup& setup)
      : channel_(setup), burst_(setup.level<std::int64_t>("burst")), delay_(setup.level<double>("delay")) {
    if (burst_ < 1) throw Unsupported("a burst has at least one message");
    if (drops_what_does_not_fit<C>() && burst_ > channel_.capacity())
      throw Unsupported("of a burst of " + std::to_string(burst_) +
                        " messages some could be lost: this channel is guaranteed to hold " +
                        std::to_string(channel_.capacity()) +
                        "; use shorter bursts or messages, or raise the limit on receive buffers "
                        "(sysctl net.core.rmem_max)");
    if (!(delay_ >= 0)) throw Unsupported("a delay is not negative");
    if (delay_ > 0 && may_obstruct<C>(setup))
      throw Unsupported(
          "a delay keeps the processor from a receiver that may be on the same CPU: bind the members to "
          "different CPUs, or use delay = 0",
          "N4");
  }
  void enter(Member& member) override { channel_.enter(member); }
  void leave(Member& member) override { channel_.leave(member); }

  Claims run(Member& member, Reps reps) override {
    begin_batch(channel_, member);
    if (delay_ > 0 && !knows_round_trip_[side(member)]) learn_round_trip(member);
    return member.rank() == 0 ? send_bursts(member, reps) : receive_bursts(member, reps);
  }

 private:
  static constexpr std::size_t trips = 33;

  // What is timed and what answers stand in functions of their own, in which everything is inlined.
  [[gnu::flatten]] Nanoseconds flood(Member& member, Reps reps) {
    return member.timed(reps, [&] {
      for (std::int64_t i = 0; i < burst_; ++i) channel_.send(member, Direction::there);
      channel_.receive(member, Direction::back);
    });
  }
  [[gnu::flatten]] Nanoseconds spread_out(Member& member, Reps reps, Nanoseconds& delayed) {
    const Nanoseconds pause = round_trip_ * delay_;
    return member.timed(reps, [&] {
      channel_.send(member, Direction::there);
      for (std::int64_t i = 1; i < burst_; ++i) {
        delayed += occupy(channel_, member, pause);
        channel_.send(member, Direction::there);
      }
      channel_.receive(member, Direction::back);
    });
  }
  [[gnu::flatten]] void answer(Member& member, Reps reps) {
    for (std::int64_t i = 0; i < reps.count; ++i) {
      for (std::int64_t k = 0; k < burst_; ++k) channel_.receive(member, Direction::there);
      channel_.send(member, Direction::back);
    }
  }

  Claims send_bursts(Member& member, Reps reps) {
    if (delay_ == 0) {
      flood(member, Reps{1});
      return Claims{}.set(burst_time, flood(member, reps));
    }
    Nanoseconds delayed{};
    spread_out(member, Reps{1}, delayed);
    delayed = {};
    const Nanoseconds total = spread_out(member, reps, delayed);
    return Claims{}.set(burst_time, total - delayed).set(delays, delayed);
  }
  Claims receive_bursts(Member& member, Reps reps) {
    answer(member, Reps{1});
    const OwnSwitches own_switches;
    answer(member, reps);
    return Claims{}.set(switches, own_switches.count() / static_cast<double>(burst_));
  }

  // The median of a few, before the first batch.
  void learn_round_trip(Member& member) {
    knows_round_trip_[side(member)] = true;
    std::array<Nanoseconds, trips> taken;
    for (Nanoseconds& trip : taken) {
      if (member.rank() == 0) {
        trip = member.timed(Reps{1}, [&] {
          channel_.send(member, Direction::there);
          channel_.receive(member, Direction::back);
        });
      } else {
        channel_.receive(member, Direction::there);
        channel_.send(member, Direction::back);
      }
    }
    if (member.rank() != 0) return;
    std::nth_element(taken.begin(), taken.begin() + trips / 2, taken.end());
    round_trip_ = taken[trips / 2];
  }

  C channel_;
  std::int64_t burst_;
  double delay_;
  std::array<bool, 2> knows_round_trip_{};
  Nanoseconds round_trip_{};  // known to member 0
};

}  // namespace assay
