// SPDX-License-Identifier: Apache-2.0
// The signals by which users and schedulers ask a job to end.
#pragma once
#include <csignal>

namespace assay {

/// A worker hears none of them: its supervisor decides when it ends.
inline constexpr int requests_to_end[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};

}  // namespace assay
