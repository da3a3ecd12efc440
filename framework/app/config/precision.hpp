// SPDX-License-Identifier: Apache-2.0
// The keys of [precision], also of each series, as a typed Precision.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "app/cli/options.hpp"
#include "app/cli/problems.hpp"
#include "run/plan.hpp"

namespace assay {

/// Reads the precision of a section, its own keys before those of [precision], which has them all or their defaults.
/// Checks each value and how they go together. `section` is "precision" or "series.NAME".
Precision read_precision(const Settings& settings, const std::string& section, Problems& problems);

/// Every key with its canonical value; those that are not set are left out. Reading them back gives an equal Precision.
std::vector<std::pair<std::string, std::string>> precision_text(const Precision& precision);

}  // namespace assay
