// SPDX-License-Identifier: Apache-2.0
// Whether a protocol's number has a meaning over a channel, decided at compile time.
#pragma once
#include <string_view>

#include "channel/channel.hpp"

namespace assay {

/// Empty, or one of the codes of doc/logp.md with the reason for people.
struct Meaning {
  const char* code = "";
  const char* reason = "";
  constexpr bool exists() const { return std::string_view(code).empty(); }
};

/// The usual reasons.
inline constexpr Meaning meaningful{};
inline constexpr Meaning messages_merge{"N2", "pending messages merge: there is no rate of them"};
inline constexpr Meaning nothing_waits{"N2", "there is at most one message at a time: nothing queues"};
inline constexpr Meaning receiver_polls{"N7", "the receiver polls and never sleeps"};
inline constexpr Meaning send_is_a_call{
    "N6", "a send is a call, not a store that a buffer may delay: o_s[idle] of logp/overheads is its only cost"};

/// Of protocols that send again before the message before was received.
constexpr Meaning rate_of(Delivery delivery) {
  if (delivery == Delivery::merged) return messages_merge;
  return delivery == Delivery::handed ? nothing_waits : meaningful;
}

}  // namespace assay
