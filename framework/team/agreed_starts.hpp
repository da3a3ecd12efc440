// SPDX-License-Identifier: Apache-2.0
// A stretch of batches at agreed times on all ranks, and their agreement on which of them count.
#pragma once
#include <functional>

#include "team/clock_sync.hpp"
#include "team/start_window.hpp"

namespace assay {

/// Waits on this rank for the start of a batch, a time of its own clock, and runs it; returns by how much the last of
/// its members was late.
using StartedBatch = std::function<Nanoseconds(int batch, Instant start)>;

/// Runs the next windows on all ranks, which all call it with equal windows. All get the same judgement, since all are
/// told all latenesses: a batch that any rank started late counts on none.
Judgement run_windows(Wire& wire, const CommonClock& clock, StartWindow& window, const StartedBatch& run);

}  // namespace assay
