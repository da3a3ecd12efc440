// SPDX-License-Identifier: Apache-2.0
// Messages with sizes in simulated time, of known LogGP parameters, shaped as those of MPI: small ones are taken
// without a receiver, large ones wait for it.
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "api/measurement.hpp"
#include "base/rng.hpp"
#include "channel/futex.hpp"
#include "synthetic/channel.hpp"

namespace assay {

/// The parameters of one protocol for messages of one size, in ns.
struct MessageCosts {
  double o_s = 0;  ///< the sender's occupation
  double o_r = 0;  ///< the receiver's occupation
  double way = 0;  ///< from departure to the arrival of the last byte: L + bytes G
  double gap = 0;  ///< least time between two departures: g + bytes G
};

/// Factors of the law: bytes, the parameters of both protocols, the size up to which messages are taken without a
/// receiver, how many of them, and the noise.
std::vector<Factor> message_factors();

/// The law at one point. Messages of more than `eager` bytes wait for their receiver and have parameters of their own,
/// those that begin with `rdv_`.
class MessageLaw {
 public:
  /// Throws Unsupported for negative parameters, and for more credit than `most_credit`.
  MessageLaw(const Setup& setup, std::int64_t most_credit);
  const MessageCosts& costs() const { return costs_; }
  /// Messages that are taken while none is received; 0 where each waits for its receiver.
  std::int64_t credit() const { return credit_; }

  /// How one member's operations vary: log-normal of `noise`, and one in a thousand takes five times as long.
  class Noise {
   public:
    Noise() : Noise(0, 0) {}
    Noise(double spread, std::uint64_t seed) : spread_(spread), rng_(seed) {}
    /// The duration of one operation that takes `usual`, in whole ns.
    std::int64_t of(double usual);

   private:
    double spread_;
    Rng rng_;
  };
  /// Of a member; the same in each process that has the seed of the point.
  Noise noise_of(int rank) const;

 private:
  MessageCosts costs_;
  std::int64_t credit_ = 0;
  double noise_ = 0;
  std::uint64_t seed_ = 0;
};

/// LogGP (Alexandrov, Ionescu, Schauser and Scheiman, SPAA 1995) played by a ring of stamps. A send occupies the sender
/// for o_s; the message departs then, but not sooner than the gap after the one before; it can be received when its
/// last byte is there; receiving occupies the receiver for o_r. A send of more than `eager` bytes begins when its
/// receiver has begun to receive. An eager one blocks while `credit` messages are there; how long does not show in its
/// time.
///
/// Members sleep while they wait, which costs no simulated time: they may share a loaded CPU.
class MessageChannel {
  static constexpr std::int64_t slots = 4096;
  struct Slot {
    std::int64_t arrival = 0;
    std::int64_t begun = 0;  // when its receive was begun
  };
  struct alignas(line_size) Ring {
    std::array<Slot, slots> messages{};
    alignas(line_size) std::atomic<std::int64_t> sent{0};
    alignas(line_size) std::atomic<std::int64_t> received{0};
    alignas(line_size) std::int64_t last_departure = -(std::int64_t{1} << 62);  // of the sender alone
  };
  struct alignas(line_size) Side {
    MessageLaw::Noise noise;
  };

 public:
  explicit MessageChannel(Setup& setup)
      : law_(setup, slots), rings_{&setup.share<Ring>(), &setup.share<Ring>()}, arrivals_(setup), places_(setup) {
    for (int rank = 0; rank < 2; ++rank) sides_[static_cast<std::size_t>(rank)].noise = law_.noise_of(rank);
  }
  static Traits traits() { return {.vehicles = {"thread", "process"}, .waiting = Waiting::either, .simulated = true}; }
  static constexpr Delivery delivery = Delivery::queued;
  std::int64_t capacity() const { return law_.credit(); }

  void enter(Member& member) { time_.enter(member); }
  void leave(Member&) {}
  void settle(Member& member, Direction direction) {
    Ring& ring = *rings_[index(direction)];
    const std::int64_t sent = ring.sent.load(std::memory_order_acquire);
    if (sent > 0) time_.wait_until(member, slot(ring, sent - 1).arrival);
  }
  void send(Member& member, Direction direction) {
    Ring& ring = *rings_[index(direction)];
    const std::int64_t number = ring.sent.load(std::memory_order_relaxed);
    Slot& message = slot(ring, number);
    if (number >= law_.credit()) places_.receive(member, opposite(direction));
    if (is_rendezvous()) time_.wait_until(member, message.begun);
    MessageLaw::Noise& noise = sides_[side(member)].noise;
    time_.wait_until(member, time_.now(member) + noise.of(law_.costs().o_s));
    ring.last_departure = std::max(time_.now(member), ring.last_departure + noise.of(law_.costs().gap));
    message.arrival = ring.last_departure + noise.of(law_.costs().way);
    ring.sent.store(number + 1, std::memory_order_release);
    arrivals_.send(member, direction);
  }
  void receive(Member& member, Direction direction) {
    Ring& ring = *rings_[index(direction)];
    const std::int64_t number = ring.received.load(std::memory_order_relaxed);
    Slot& message = slot(ring, number);
    message.begun = time_.now(member);
    if (is_rendezvous()) places_.send(member, opposite(direction));
    arrivals_.receive(member, direction);
    time_.wait_until(member, message.arrival);
    time_.wait_until(member, time_.now(member) + sides_[side(member)].noise.of(law_.costs().o_r));
    ring.received.store(number + 1, std::memory_order_release);
    if (!is_rendezvous()) places_.send(member, opposite(direction));
  }
  bool try_send(Member& member, Direction direction) {
    const Ring& ring = *rings_[index(direction)];
    const std::int64_t number = ring.sent.load(std::memory_order_relaxed);
    if (number - ring.received.load(std::memory_order_acquire) >= law_.credit()) return false;
    send(member, direction);
    return true;
  }
  void pass(const Member& member, Nanoseconds duration) { time_.pass(member, duration); }

 private:
  bool is_rendezvous() const { return law_.credit() == 0; }
  static Direction opposite(Direction direction) {
    return direction == Direction::there ? Direction::back : Direction::there;
  }
  static Slot& slot(Ring& ring, std::int64_t number) { return ring.messages[static_cast<std::size_t>(number % slots)]; }

  MessageLaw law_;
  std::array<Ring*, 2> rings_;
  std::array<Side, 2> sides_;
  Futex<Waking::if_waited_for> arrivals_;  // a token per message
  Futex<Waking::if_waited_for> places_;    // and one per place left free or receive begun, against its way
  SimulatedTime time_;
};

}  // namespace assay
