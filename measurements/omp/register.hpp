// SPDX-License-Identifier: Apache-2.0
// The measurements of group `omp`.
#pragma once
#include "api/measurement.hpp"

namespace assay {

/// Adds the group to the registry. Where the program was built without OpenMP its points are unsupported and say so.
void register_omp(Registry& registry);

}  // namespace assay
