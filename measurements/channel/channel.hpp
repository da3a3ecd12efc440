// SPDX-License-Identifier: Apache-2.0
// What a two-member channel offers to the protocols in logp/: compile-time, so that a timed body contains the operation
// and nothing else.
#pragma once
#include <array>
#include <concepts>
#include <cstdint>

#include "api/measurement.hpp"

namespace assay {

/// The two directions of a channel: member 0 sends `there`, member 1 sends `back`.
enum class Direction : unsigned char { there, back };

/// Index of a direction, for arrays of two.
constexpr std::size_t index(Direction direction) { return static_cast<std::size_t>(direction); }

/// A channel hands over messages in order, one by one: each send is received exactly once. Constructed once per point
/// from the Setup; `enter` runs once on each member; `send` and `receive` are called by the direction's own sender and
/// receiver only.
template <class C>
concept Channel = std::constructible_from<C, Setup&> && requires(C channel, Member& member, Direction direction) {
  channel.enter(member);
  channel.send(member, direction);
  channel.receive(member, direction);
  channel.settle(member, direction);
  { C::traits() } -> std::same_as<Traits>;
  { channel.capacity() } -> std::same_as<std::int64_t>;  // messages that can wait to be received; at least 1
};

/// How many messages one member has sent and received: monotone counters, on a line of their own, never toggled flags.
struct alignas(line_size) Counters {
  std::uint32_t sent = 0;
  std::uint32_t received = 0;
};

/// The counters of both members. Under threads the array is shared and each member uses its own line; under processes
/// each has a copy.
using BothCounters = std::array<Counters, 2>;

/// The rank of a member as an index.
inline std::size_t side(const Member& member) { return static_cast<std::size_t>(member.rank()); }

}  // namespace assay
