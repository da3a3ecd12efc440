// SPDX-License-Identifier: Apache-2.0
// The built-in measurements.
#pragma once
#include "api/measurement.hpp"

namespace assay {

/// Adds every built-in measurement to the registry.
void register_all(Registry& registry);

}  // namespace assay
