// SPDX-License-Identifier: Apache-2.0
// Opens a plugin in a worker: stamp first, then its registration function.
#pragma once
#include <string>

#include "api/measurement.hpp"

namespace assay {

/// Opens the shared object with immediate binding and local scope, compares its stamp and registers its measurements.
/// The object stays open for the life of the process. Throws PluginError: not found, no stamp, or both stamps' values
/// where they differ.
void load_plugin(Registry& registry, const std::string& path);

}  // namespace assay
