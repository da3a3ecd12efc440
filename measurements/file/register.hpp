// SPDX-License-Identifier: Apache-2.0
// The measurements of group `file`.
#pragma once
#include "api/measurement.hpp"

namespace assay {

/// Adds the group to the registry.
void register_file(Registry& registry);

}  // namespace assay
