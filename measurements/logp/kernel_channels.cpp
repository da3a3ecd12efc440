// SPDX-License-Identifier: Apache-2.0
// Channels that are objects of the kernel.
#include "channel/kernel.hpp"
#include "logp/channels.hpp"
#include "logp/over_all.hpp"

namespace assay {

std::vector<ChannelEntry> kernel_channels() {
  return {over_all_protocols<EventCounter<Delivery::queued>>("eventfd"),
          over_all_protocols<EventCounter<Delivery::merged>>("eventfd-counter"),
          over_all_protocols<Pipe>("pipe", {"bytes"}), over_all_protocols<MessageQueue>("mqueue", {"bytes"})};
}

}  // namespace assay
