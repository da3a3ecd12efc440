// SPDX-License-Identifier: Apache-2.0
// The measurements of group `process`.
#pragma once
#include "api/measurement.hpp"

namespace assay {

/// Adds the group to the registry.
void register_process(Registry& registry);

}  // namespace assay
