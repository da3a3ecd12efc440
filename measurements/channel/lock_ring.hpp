// SPDX-License-Identifier: Apache-2.0
// Locks handed over in a ring: a message is the release of a lock that the receiver waits for.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <stdexcept>

#include "channel/channel.hpp"
#include "lock/lock.hpp"
#include "lock/phase_witness.hpp"
#include "lock/ring.hpp"

namespace assay {

/// The order check of a ring that is not checked: nothing.
template <auto ring, bool checked>
class RingOrder {
 public:
  explicit RingOrder(Setup&) {}
  void released(std::size_t) {}
  void obtained(std::size_t, std::size_t) {}
  void end_cycle(std::size_t) {}
  void accept(int) {}
};

/// Throws std::logic_error for a lock obtained while the partner's phase is not the program's, and for any operation
/// that the library refuses.
template <auto ring>
class RingOrder<ring, true> {
  struct alignas(line_size) Phase {
    std::atomic<std::int64_t> released{0};
  };

 public:
  explicit RingOrder(Setup& setup) : RingOrder(setup.share<Phase>().released, setup.share<Phase>().released) {}
  void released(std::size_t side) { sides_[side].witness.released(); }
  void obtained(std::size_t side, std::size_t at) {
    const int expected =
        side == 0 ? partner_phase(ring().main, ring().client, at) : partner_phase(ring().client, ring().main, at);
    if (!sides_[side].witness.obtained(expected)) refuse("the ring's order was violated");
  }
  void end_cycle(std::size_t side) { sides_[side].witness.end_cycle(); }
  void accept(int error) {
    if (error != 0) refuse("a lock of the ring refused an operation");
  }

 private:
  [[noreturn, gnu::cold, gnu::noinline]] static void refuse(const char* why) { throw std::logic_error(why); }
  struct alignas(line_size) Side {
    PhaseWitness witness;
  };
  RingOrder(std::atomic<std::int64_t>& main, std::atomic<std::int64_t>& client)
      : sides_{Side{PhaseWitness(main, client, ring().round_trips)},
               Side{PhaseWitness(client, main, ring().round_trips)}} {}
  std::array<Side, 2> sides_;
};

/// A ring (lock/ring.hpp) over one kind of lock, which member 0 takes as `Main` and member 1 as `Client`: two ways to
/// hold the same object, which exclude each other. To send is the sender's next unlock, to receive the receiver's next
/// lock; where each stands in its program is its own to know.
template <class Main, class Client, auto ring, bool checked = false>
class LockRing {
  using Object = typename Main::Object;
  static_assert(std::same_as<Object, typename Client::Object>);
  static constexpr std::size_t steps = ring().main.size();

 public:
  explicit LockRing(Setup& setup) : order_(setup) {
    for (int i = 0; i < ring().locks; ++i) locks_[static_cast<std::size_t>(i)] = &setup.share<Object>(setup);
  }
  static Traits traits() { return {.vehicles = {"thread", "process"}, .waiting = Main::waiting}; }
  static constexpr Delivery delivery = Delivery::handed;
  static constexpr bool any_thread = !checked && Main::any_thread && Client::any_thread;
  std::int64_t capacity() const { return 1; }

  /// Where the direction's receiver sleeps; asked by its sender, who holds that lock.
  SleepingPlace sleeping_place(Direction direction) const
    requires(Main::waiting != Waiting::spins)
  {
    return in_futex_of(direction == Direction::there ? next<0>() : next<1>());
  }

  /// Takes what the member holds at the start. No other member contends for it then.
  void enter(Member& member) {
    for_held(side(member),
             [](std::size_t own, Object& lock) { accept(take(own, lock), "the ring cannot be entered"); });
  }
  /// Gives back what the member holds where it stands.
  void leave(Member& member) {
    for_held(side(member), [](std::size_t own, Object& lock) { give(own, lock); });
  }
  void settle(Member&, Direction) {}  // what is released is free
  void send(Member&, Direction direction) {
    if (direction == Direction::there)
      release<0>();
    else
      release<1>();
  }
  void receive(Member&, Direction direction) {
    if (direction == Direction::there)
      obtain<1>();
    else
      obtain<0>();
  }

 private:
  struct alignas(line_size) Seat {
    std::size_t at = 0;  // next step of its program
  };

  static int take(std::size_t own, Object& lock) { return own == 0 ? Main::lock(lock) : Client::lock(lock); }
  static int give(std::size_t own, Object& lock) { return own == 0 ? Main::unlock(lock) : Client::unlock(lock); }
  template <std::size_t own>
  void release() {
    order_.released(own);
    order_.accept(give(own, next<own>()));
    advance(own);
  }
  template <std::size_t own>
  void obtain() {
    order_.accept(take(own, next<own>()));
    order_.obtained(own, seats_[own].at);
    advance(own);
  }
  void advance(std::size_t own) {
    if (++seats_[own].at < steps) return;
    seats_[own].at = 0;
    order_.end_cycle(own);
  }
  // The object of a side's next step.
  template <std::size_t own>
  Object& next() const {
    static constexpr auto program = own == 0 ? ring().main : ring().client;
    return *locks_[static_cast<std::size_t>(program[seats_[own].at].lock)];
  }
  template <class Act>
  void for_held(std::size_t own, Act act) {
    const auto program = own == 0 ? ring().main : ring().client;
    std::array<bool, 4> held{};
    for (std::size_t i = 0; i < held.size(); ++i) held[i] = locks_[i] && ring().main_holds[i] == (own == 0);
    for (std::size_t at = 0; at < seats_[own].at; ++at)
      held[static_cast<std::size_t>(program[at].lock)] = program[at].act == RingStep::Act::lock;
    for (std::size_t i = 0; i < held.size(); ++i)
      if (held[i]) act(own, *locks_[i]);
  }

  std::array<Object*, 4> locks_{};
  std::array<Seat, 2> seats_{};
  [[no_unique_address]] RingOrder<ring, checked> order_;
};

}  // namespace assay
