// SPDX-License-Identifier: Apache-2.0
// Sockets as channels: of the local family, and of the loopback interface.
#include "channel/rpc.hpp"
#include "channel/tcp.hpp"
#include "channel/udp.hpp"
#include "channel/unix_socket.hpp"
#include "logp/channels.hpp"
#include "logp/over_all.hpp"

namespace assay {

std::vector<ChannelEntry> socket_channels() {
  return {over_all_protocols<UnixSocket<SOCK_STREAM>>("unix-stream", {"bytes", "pair"}),
          over_all_protocols<UnixSocket<SOCK_DGRAM>>("unix-dgram", {"bytes", "pair"}),
          over_all_protocols<UnixSocket<SOCK_SEQPACKET>>("unix-seqpacket", {"bytes", "pair"}),
          over_all_protocols<Tcp>("tcp", {"bytes", "pair", "nodelay"}),
          over_all_protocols<Udp>("udp", {"bytes", "pair"}),
          over_all_protocols<Rpc<RpcOver::udp>>("rpc-udp", {"bytes"}),
          over_all_protocols<Rpc<RpcOver::tcp>>("rpc-tcp", {"bytes", "nodelay"})};
}

}  // namespace assay
