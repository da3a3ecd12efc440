// SPDX-License-Identifier: Apache-2.0
// External commands as tasks.
#pragma once
#include "api/measurement.hpp"

namespace assay {

void register_command(Registry& registry);

}  // namespace assay
