// SPDX-License-Identifier: Apache-2.0
// The protocols, and what each says about itself whatever the channel.
#pragma once
#include <cstddef>

#include "api/description.hpp"

namespace assay {

/// The protocols over a channel, in the order of `ChannelEntry::cells`.
enum class Protocol : unsigned char { round_trip, overheads, issue, blocked, one_way, burst, capacity };
inline constexpr std::size_t protocol_count = 7;

/// Name without group, summary, quantities, members and the protocol's own factors; traits and the channel's factors
/// are for the caller to add.
Description describe(Protocol protocol);
/// Of the protocol between members of one machine.
CoreCycles core_cycles_of(Protocol protocol);

}  // namespace assay
