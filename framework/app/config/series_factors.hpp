// SPDX-License-Identifier: Apache-2.0
// Factors that a series declares itself, by naming them in its patterns.
#pragma once
#include "api/description.hpp"
#include "app/cli/problems.hpp"
#include "app/config/settings.hpp"

namespace assay {

/// Names that a measurement with patterns knows by itself; no key of a series gives them levels.
inline constexpr std::string_view scratch_name = "scratch";

/// The measurement as this series has it: where it has factors that are patterns, with a factor for each name in braces
/// in their levels, quantitative where its levels are numbers. Notes malformed patterns, names without levels, and
/// names of keys that every series has. A key that no pattern names is left for the schema to refuse.
Description with_series_factors(const Description& measurement, const NamedSection& header, const GivenSettings& given,
                                Problems& problems);

/// Whether a measurement has patterns.
bool has_patterns(const Description& measurement);

/// The domain of a factor that is a pattern: one level without double quotes, or a list of levels in them.
DomainResult pattern_domain(std::string_view value);

}  // namespace assay
