// SPDX-License-Identifier: Apache-2.0
// The channels that there are, by family: each family is compiled by itself.
#pragma once
#include <vector>

#include "logp/channel_entry.hpp"

namespace assay {

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
