// SPDX-License-Identifier: Apache-2.0
// Group `chat`: a server with many clients, as a whole.
#pragma once
#include "api/measurement.hpp"

namespace assay {

/// Adds the measurements of this group.
void register_chat(Registry& registry);

}  // namespace assay
