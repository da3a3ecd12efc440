// SPDX-License-Identifier: Apache-2.0
// The keys `derive.NAME` of a series: what to compute over its points.
#pragma once
#include <string>
#include <vector>

#include "app/config/series_context.hpp"
#include "design/design.hpp"
#include "run/plan.hpp"

namespace assay {

/// Reads `difference FACTOR A B`, `ratio FACTOR A B`, `slope FACTOR`, `plateaus FACTOR` and `tail P ...` for each of
/// `keys`. The factor must be among `factors`, the levels among its levels, and the factor of a slope or of plateaus be
/// quantitative with three levels or more; probabilities of a tail are between 0.5 and 1.
std::vector<DerivedSpec> derived_specs(const SeriesContext& series, const std::vector<std::string>& keys,
                                       const std::vector<FactorDomain>& factors);

}  // namespace assay
