// SPDX-License-Identifier: Apache-2.0
// Sockets of the loopback interface as channels.
#include "channel/network.hpp"
#include "logp/channels.hpp"
#include "logp/over_all.hpp"

namespace assay {

std::vector<ChannelEntry> loopback_channels() {
  return {over_all_protocols<Tcp>("tcp", {"bytes", "pair", "nodelay"}),
          over_all_protocols<Udp>("udp", {"bytes", "pair"})};
}

}  // namespace assay
