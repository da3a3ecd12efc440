// SPDX-License-Identifier: Apache-2.0
// Signals as channels.
#include "channel/signal.hpp"
#include "logp/channels.hpp"
#include "logp/over_all.hpp"

namespace assay {

std::vector<ChannelEntry> signal_channels() {
  return {over_all_protocols<StandardSignal>("signal"), over_all_protocols<HandledSignal>("signal-handler"),
          over_all_protocols<QueuedSignal>("signal-rt")};
}

}  // namespace assay
