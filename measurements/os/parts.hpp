// SPDX-License-Identifier: Apache-2.0
// The parts of group `os`, each compiled by itself.
#pragma once
#include "api/measurement.hpp"

namespace assay {

/// What the system takes of a CPU from the thread that runs on it.
void register_noise(Registry& registry);
/// The token ring and its overhead.
void register_token(Registry& registry);
/// System calls and signals.
void register_calls(Registry& registry);
/// Asking for ready descriptors, and variables of threads.
void register_ready(Registry& registry);
/// How late timers wake a thread.
void register_timer(Registry& registry);
/// Operations by io_uring.
void register_io_uring(Registry& registry);

}  // namespace assay
