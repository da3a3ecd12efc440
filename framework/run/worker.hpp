// SPDX-License-Identifier: Apache-2.0
// The worker: serves the visits of one incarnation, asleep in a read between them.
#pragma once
#include "api/measurement.hpp"

namespace assay {

/// Descriptor on which a worker finds its supervisor.
inline constexpr int worker_descriptor = 3;

/// Serves requests from the descriptor until it closes. Never writes to standard output. A member's failure is reported
/// and ends the process at once, since another member may wait for ever. Returns the exit code.
int serve_as_worker(const Registry& registry, int descriptor = worker_descriptor);

}  // namespace assay
