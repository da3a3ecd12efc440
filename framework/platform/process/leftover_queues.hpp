// SPDX-License-Identifier: Apache-2.0
// Names that a killed process can leave in the system.
#pragma once

namespace assay {

/// Removes the names of message queues that process `pid`, which has ended, had not removed yet: those that
/// channel `message-queue` gives them, "/assay-PID-N". Whatever else exists under such a name is somebody else's, and
/// refuses. Never fails.
void remove_queues(int pid) noexcept;

}  // namespace assay
