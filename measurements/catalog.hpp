// SPDX-License-Identifier: Apache-2.0
// The built-in measurements.
#pragma once
#include <string_view>

#include "api/measurement.hpp"

namespace assay {

/// Adds every built-in measurement to the registry; or, for a worker, which serves but one, the measurement of that
/// name and not all of the others.
void register_all(Registry& registry, std::string_view name = {});

}  // namespace assay
