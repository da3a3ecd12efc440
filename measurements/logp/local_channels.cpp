// SPDX-License-Identifier: Apache-2.0
// Sockets of the local family as channels.
#include "channel/unix_socket.hpp"
#include "logp/channels.hpp"
#include "logp/over_all.hpp"

namespace assay {

std::vector<ChannelEntry> local_channels() {
  return {over_all_protocols<UnixSocket<SOCK_STREAM>>("unix-stream", {"bytes", "pair"}),
          over_all_protocols<UnixSocket<SOCK_DGRAM>>("unix-dgram", {"bytes", "pair"}),
          over_all_protocols<UnixSocket<SOCK_SEQPACKET>>("unix-seqpacket", {"bytes", "pair"})};
}

}  // namespace assay
