// SPDX-License-Identifier: Apache-2.0
// The measurements of group `sync`.
#pragma once
#include "api/measurement.hpp"

namespace assay {

/// Adds the group to the registry.
void register_sync(Registry& registry);

}  // namespace assay
