// SPDX-License-Identifier: Apache-2.0
// The measurements of group `hybrid`: threads of ranks.
#pragma once
#include "api/measurement.hpp"

namespace assay {

/// Adds the group to the registry. In a process that is no rank of an MPI launch its points are unsupported and say so.
void register_hybrid(Registry& registry);

}  // namespace assay
