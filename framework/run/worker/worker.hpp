// SPDX-License-Identifier: Apache-2.0
// Room: worker processes, which execute all visits.
// The worker: serves the visits of one incarnation, asleep in a read between them.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "api/measurement.hpp"

namespace assay {

/// Descriptor on which a worker finds its supervisor.
inline constexpr int worker_descriptor = 3;

/// Environment variable whose value pads the stack of a worker: its length is reported with the incarnation, its text
/// means nothing.
inline constexpr const char* padding_variable = "ASSAY_PAD";

/// Serves requests from the descriptor until it closes, then ends the team and returns 0. The caller has called
/// become_worker() before it loaded any plugin. Never writes to standard output, and starts no thread besides the
/// members.
///
/// Between requests every member sleeps in the kernel. Whatever goes wrong is sent as a FailedMessage. Where no team is
/// open yet the function then returns 1. A failure with an open team ends the process at once, without destructors or
/// exit handlers, since another member may wait for the failed one forever.
int serve_as_worker(const Registry& registry, int descriptor = worker_descriptor);

/// The same with measurements that are registered when the first request has come: `fill` is called once, with the name
/// of the measurement to be opened, or with an empty one where all are asked for.
int serve_as_worker(const std::function<void(Registry&, std::string_view)>& fill, int descriptor = worker_descriptor);

/// Answers the first request with the reason why nothing can be served, as `unsupported`, and returns 1: for a worker
/// whose plugins cannot be used.
int refuse_as_worker(const std::string& why, int descriptor = worker_descriptor);

}  // namespace assay
