// SPDX-License-Identifier: Apache-2.0
// The measurements of group `logp`.
#pragma once
#include <string_view>

#include "api/measurement.hpp"

namespace assay {

/// Adds the group to the registry, or the measurement of that name only: one protocol over all channels is much to
/// build.
void register_logp(Registry& registry, std::string_view name = {});

}  // namespace assay
