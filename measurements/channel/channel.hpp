// SPDX-License-Identifier: Apache-2.0
// What a two-member channel offers to the protocols in logp/: compile-time, so that a timed body contains the operation
// and nothing else; and where its receiver usually sleeps.
#pragma once
#include <sys/syscall.h>

#include <array>
#include <concepts>
#include <cstdint>
#include <limits>

#include "api/measurement.hpp"

namespace assay {

/// The two directions of a channel: member 0 sends `there`, member 1 sends `back`.
enum class Direction : unsigned char { there, back };

/// Index of a direction, for arrays of two.
constexpr std::size_t index(Direction direction) { return static_cast<std::size_t>(direction); }

/// What becomes of messages that are sent before they are received.
enum class Delivery : unsigned char {
  queued,  ///< each is received once, in order
  merged,  ///< those not yet received become one: a flag, a signal
  handed   ///< there is at most one: a lock handed over, a barrier crossed; sends and receives strictly alternate
};

/// A channel between member 0 and member 1. Constructed once per point from the Setup, which may throw Unsupported;
/// `enter` and `leave` run once on each member, untimed; `send` and `receive` are called by the direction's own sender
/// and receiver only. `settle` waits, untimed, until everything sent can be received without waiting. A channel that is
/// handed over belongs to the thread that entered, any other one serves each thread of a member; where it is not so,
/// the channel says `static constexpr bool any_thread`.
template <class C>
concept Channel = std::constructible_from<C, Setup&> && requires(C channel, Member& member, Direction direction) {
  channel.enter(member);
  channel.leave(member);
  channel.send(member, direction);
  channel.receive(member, direction);
  channel.settle(member, direction);
  { C::traits() } -> std::same_as<Traits>;
  { C::delivery } -> std::convertible_to<Delivery>;
  // Messages that can certainly be sent before a send waits for a receiver; 0 where one message alone may not fit.
  { channel.capacity() } -> std::same_as<std::int64_t>;
};

/// A channel whose messages merge: `absorb` is what the receiver does, untimed, after `sends` sends of which none was
/// received, so that both sides agree again.
template <class C>
concept MergingChannel = Channel<C> && C::delivery == Delivery::merged &&
                         requires(C channel, Member& member, Direction direction, std::int64_t sends) {
                           channel.absorb(member, direction, sends);
                         };

/// A channel that can say that it is full instead of waiting: false when the message was not sent. What of a long one
/// did fit stays, and the sender's next message is the one that it completes. Untimed.
template <class C>
concept RefusingChannel = Channel<C> && requires(C channel, Member& member, Direction direction) {
  { channel.try_send(member, direction) } -> std::same_as<bool>;
};

/// Whether the channel drops messages beyond its capacity, instead of letting their sender wait; it then says
/// `static constexpr bool drops_what_does_not_fit = true`.
template <class C>
constexpr bool drops_what_does_not_fit() {
  if constexpr (requires { C::drops_what_does_not_fit; }) return C::drops_what_does_not_fit;
  return false;
}

/// A channel that is one of many places in memory: each member goes to the next when a batch begins, so that no single
/// address decides on a result.
template <class C>
concept WanderingChannel = Channel<C> && requires(C channel, Member& member) { channel.wander(member); };

/// What each member does at the start of a batch, untimed.
template <Channel C>
void begin_batch(C& channel, Member& member) {
  if constexpr (WanderingChannel<C>) channel.wander(member);
}

/// Where a sleeping receiver is found: in one of these system calls, with a first argument within [low, high].
struct SleepingPlace {
  std::array<long, 2> calls{-1, -1};  ///< numbers; -1: none
  std::uint64_t low = 0;
  std::uint64_t high = std::numeric_limits<std::uint64_t>::max();
};

/// A channel whose receivers can sleep in the kernel, and are then found at `sleeping_place`.
template <class C>
concept SleepingChannel = Channel<C> && requires(const C channel, Direction direction) {
  { channel.sleeping_place(direction) } -> std::same_as<SleepingPlace>;
};

/// How many messages one member has sent and received: monotone counters, on a line of their own, never toggled flags.
struct alignas(line_size) Counters {
  std::uint32_t sent = 0;
  std::uint32_t received = 0;
};

/// The counters of both members. Under threads the array is shared and each member uses its own line; under processes
/// each has a copy.
using BothCounters = std::array<Counters, 2>;

/// Whether members share an address space, so that objects of the library may be private to the process.
inline bool within_process(const Setup& setup) { return setup.vehicle() == "thread"; }

/// The rank of a member as an index.
inline std::size_t side(const Member& member) { return static_cast<std::size_t>(member.rank()); }

/// In a futex wait on a word inside `object`.
template <class T>
SleepingPlace in_futex_of(const T& object) {
  const auto low = reinterpret_cast<std::uint64_t>(&object);
  return {{SYS_futex, -1}, low, low + sizeof(T) - 1};
}

/// In a futex wait on a word that the library chose.
inline SleepingPlace in_any_futex() { return {{SYS_futex, -1}}; }

/// In `call` on a descriptor.
inline SleepingPlace on_descriptor(long call, int descriptor) {
  return {{call, -1}, static_cast<std::uint64_t>(descriptor), static_cast<std::uint64_t>(descriptor)};
}

}  // namespace assay
