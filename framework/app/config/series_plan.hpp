// SPDX-License-Identifier: Apache-2.0
// One `[series.NAME]` section as a checked SeriesPlan.
#pragma once
#include <string>
#include <vector>

#include "app/config/series_context.hpp"
#include "run/plan.hpp"

namespace assay {

/// The keys that a series with this measurement can have: the measurement's factors, those of every series, those of
/// [precision], and `derive_keys`.
SectionSchema series_schema(const std::string& section, const Description& measurement,
                            const std::vector<std::string>& derive_keys);

/// Every factor with its domain, placements found, precision read. What is wrong goes to the context's problems; the
/// plan is then not to be used.
SeriesPlan series_plan(const SeriesContext& series, const std::vector<std::string>& derive_keys);

}  // namespace assay
