// SPDX-License-Identifier: Apache-2.0
// What a session writes when it ends: derived values, and how it ended.
#pragma once
#include <vector>

#include "run/series/series_run.hpp"
#include "run/session/session_order.hpp"
#include "run/session/surroundings.hpp"

namespace assay {

/// Writes the derived values of the series and of the campaign's layout, and what the reader should know of the series
/// and was not reported before. Throws StorageError.
void write_conclusions(const std::vector<SeriesRun>& series, const SessionOrder& order, const Surroundings& world);

}  // namespace assay
