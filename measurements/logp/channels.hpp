// SPDX-License-Identifier: Apache-2.0
// The channels that there are, by family, and how each protocol is made over one, or why it has no meaning there.
#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "api/measurement.hpp"
#include "logp/meaning.hpp"
#include "logp/protocol.hpp"

namespace assay {

/// Makes a protocol's measurement over one channel.
using Maker = std::unique_ptr<Measurement> (*)(Setup&);

/// One protocol over one channel: its traits, which carry the N code where the number has no meaning.
struct Cell {
  Traits traits;
  Maker make = nullptr;
  bool knows_factors = false;  ///< `make` reads the protocol's own factors; otherwise they have to keep their standard
};

/// Says what a cell is when asked: a worker asks for those of one protocol only, and its start is part of every
/// incarnation.
using CellMaker = Cell (*)();

/// One channel under all protocols.
struct ChannelEntry {
  std::string name;                    ///< the word of factor `channel`
  std::vector<std::string> factors{};  ///< of `channel_factors()` and of hand-made cells, those that are read; the
                                       ///< others keep their standard
  std::array<CellMaker, protocol_count> cells{};
};

/// Factors that some channels have: "bytes", "heartbeat", "pair", "nodelay". A channel reads those it names in its
/// entry.
std::vector<Factor> channel_factors();

namespace entry_parts {

template <class M>
std::unique_ptr<Measurement> make(Setup& setup) {
  return std::make_unique<M>(setup);
}

/// Over a channel or over its twin that counts heartbeats while it polls, chosen by factor `heartbeat`.
template <class M, class Beating>
std::unique_ptr<Measurement> make_either(Setup& setup) {
  if constexpr (!std::same_as<M, Beating>)
    if (setup.word("heartbeat") == "on") return std::make_unique<Beating>(setup);
  return std::make_unique<M>(setup);
}

/// A cell without a number: the code and the reason stand in its place.
inline Cell without(Meaning meaning) { return {{.code = meaning.code, .why_not = meaning.reason}}; }

}  // namespace entry_parts

/// In shared memory, polled or with the kernel's wait and wake.
std::vector<ChannelEntry> memory_channels();
/// Objects of the kernel that carry messages.
std::vector<ChannelEntry> kernel_channels();
/// Sockets of the local family.
std::vector<ChannelEntry> local_channels();
/// Sockets of the loopback interface.
std::vector<ChannelEntry> loopback_channels();
/// Remote procedure calls over these.
std::vector<ChannelEntry> rpc_channels();
/// Signals, waited for or handled.
std::vector<ChannelEntry> signal_channels();
/// Locks, handed over in a ring.
std::vector<ChannelEntry> lock_channels();

}  // namespace assay
