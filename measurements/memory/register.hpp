// SPDX-License-Identifier: Apache-2.0
// The measurements of group `memory`.
#pragma once
#include "api/measurement.hpp"

namespace assay {

/// Adds the group to the registry.
void register_memory(Registry& registry);

}  // namespace assay
