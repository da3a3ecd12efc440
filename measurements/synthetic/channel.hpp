// SPDX-License-Identifier: Apache-2.0
// Channels whose o_s, o_r, L and g are known: time stamps travel through a ring, on simulated or on real time, with a
// receiver that polls or really sleeps; and one that does nothing.
#pragma once
#include <sched.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>

#include "channel/channel.hpp"
#include "channel/futex.hpp"

namespace assay {

/// Messages that fit into the ring.
inline constexpr std::int64_t synthetic_capacity = 4096;

/// Each member's own clock, advanced by what it does and by what it waits for: results do not depend on the machine at
/// all.
class SimulatedTime {
 public:
  static constexpr bool simulated = true;
  void enter(Member& member) { member.use(Stopwatch::simulated(clocks_[side(member)])); }
  std::int64_t now(const Member& member) const { return clocks_[side(member)].now().ns; }
  void wait_until(const Member& member, std::int64_t instant) {
    auto& clock = clocks_[side(member)];
    clock.ns = std::max(clock.ns, instant);
  }
  void pass(const Member& member, Nanoseconds duration) {
    clocks_[side(member)].ns += static_cast<std::int64_t>(std::ceil(duration.count));
  }

 private:
  struct alignas(line_size) OwnClock final : Clock {
    Instant now() const override { return {ns}; }
    std::int64_t ns = 0;
  };
  std::array<OwnClock, 2> clocks_;
};

/// CLOCK_MONOTONIC, waited for in a loop.
class RealTime {
 public:
  static constexpr bool simulated = false;
  void enter(Member&) {}
  std::int64_t now(const Member&) const { return Stopwatch().stop(); }
  void wait_until(const Member& member, std::int64_t instant) {
    while (now(member) < instant) relax();
  }
};

/// A send occupies the sender for o_s; the message departs then, but not sooner than g after the one before; it can be
/// received L after its departure; receiving occupies the receiver for o_r. Source of the idea: LogP (Culler et al.,
/// 1993) played by a ring of stamps.
template <class Time>
class SyntheticChannel {
  struct alignas(line_size) Ring {
    std::array<std::atomic<std::int64_t>, synthetic_capacity> arrivals{};
    alignas(line_size) std::atomic<std::int64_t> sent{0};
    alignas(line_size) std::atomic<std::int64_t> received{0};
    alignas(line_size) std::int64_t last_departure = -(std::int64_t{1} << 62);  // of the sender alone
  };

 public:
  explicit SyntheticChannel(Setup& setup)
      : o_s_(setup.level<std::int64_t>("o_s")),
        o_r_(setup.level<std::int64_t>("o_r")),
        latency_(setup.level<std::int64_t>("L")),
        gap_(setup.level<std::int64_t>("g")),
        rings_{&setup.share<Ring>(), &setup.share<Ring>()} {
    if (std::min({o_s_, o_r_, latency_, gap_}) < 0) throw Unsupported("LogP parameters are not negative");
  }
  static Traits traits() {
    return {.vehicles = {"thread", "process"},
            .waiting = Time::simulated ? Waiting::either : Waiting::spins,
            .simulated = Time::simulated};
  }
  static constexpr Delivery delivery = Delivery::queued;
  std::int64_t capacity() const { return synthetic_capacity; }

  void enter(Member& member) { time_.enter(member); }
  void leave(Member&) {}
  void settle(Member& member, Direction direction) {
    Ring& ring = *rings_[index(direction)];
    const std::int64_t sent = ring.sent.load(std::memory_order_acquire);
    if (sent > 0) time_.wait_until(member, slot(ring, sent - 1).load(std::memory_order_relaxed));
  }
  // Each operation reads the clock once and then waits for an instant that follows from the parameters alone, so that
  // the cost of reading does not add up.
  void send(Member& member, Direction direction) {
    Ring& ring = *rings_[index(direction)];
    const std::int64_t occupied = time_.now(member) + o_s_;
    const std::int64_t number = ring.sent.load(std::memory_order_relaxed);
    patiently([&] { return number - ring.received.load(std::memory_order_acquire) < synthetic_capacity; });
    ring.last_departure = std::max(occupied, ring.last_departure + gap_);
    slot(ring, number).store(ring.last_departure + latency_, std::memory_order_relaxed);
    ring.sent.store(number + 1, std::memory_order_release);
    time_.wait_until(member, occupied);
  }
  void receive(Member& member, Direction direction) {
    Ring& ring = *rings_[index(direction)];
    const std::int64_t number = ring.received.load(std::memory_order_relaxed);
    patiently([&] { return ring.sent.load(std::memory_order_acquire) > number; });
    const std::int64_t arrival = slot(ring, number).load(std::memory_order_relaxed);
    time_.wait_until(member, std::max(time_.now(member), arrival) + o_r_);
    ring.received.store(number + 1, std::memory_order_release);
  }
  bool try_send(Member& member, Direction direction) {
    const Ring& ring = *rings_[index(direction)];
    const std::int64_t number = ring.sent.load(std::memory_order_relaxed);
    if (number - ring.received.load(std::memory_order_acquire) >= synthetic_capacity) return false;
    send(member, direction);
    return true;
  }
  void pass(const Member& member, Nanoseconds duration)
    requires Time::simulated
  {
    time_.pass(member, duration);
  }

 private:
  // Yields on simulated time, where waiting costs nothing and members may share a CPU.
  template <class Ready>
  static void patiently(Ready ready) {
    while (!ready()) {
      if constexpr (Time::simulated)
        ::sched_yield();
      else
        relax();
    }
  }
  static std::atomic<std::int64_t>& slot(Ring& ring, std::int64_t number) {
    return ring.arrivals[static_cast<std::size_t>(number % synthetic_capacity)];
  }
  std::int64_t o_s_;
  std::int64_t o_r_;
  std::int64_t latency_;
  std::int64_t gap_;
  std::array<Ring*, 2> rings_;
  Time time_;
};

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
