// SPDX-License-Identifier: Apache-2.0
// Remote procedure calls as channels.
#include "channel/rpc.hpp"
#include "logp/channels.hpp"
#include "logp/over_all.hpp"

namespace assay {

std::vector<ChannelEntry> rpc_channels() {
  return {over_all_protocols<Rpc<RpcOver::udp>>("rpc-udp", {"bytes"}),
          over_all_protocols<Rpc<RpcOver::tcp>>("rpc-tcp", {"bytes", "nodelay"})};
}

}  // namespace assay
