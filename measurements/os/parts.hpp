// SPDX-License-Identifier: Apache-2.0
// The parts of group `os`, each compiled by itself.
#pragma once
#include "api/measurement.hpp"

namespace assay {

/// What the system takes of a CPU from whoever runs on it.
void register_noise(Registry& registry);

}  // namespace assay
