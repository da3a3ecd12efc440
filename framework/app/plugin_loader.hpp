// SPDX-License-Identifier: Apache-2.0
// Room: the assembled program: with or without MPI, with plugins.
// Opens a plugin in a worker: stamp first, then its registration function.
#pragma once
#include <string>

#include "api/measurement.hpp"
#include "api/plugin.hpp"

namespace assay {

/// Why a plugin with this stamp cannot be used by this program, with both values of each field that differs; empty when
/// it can. The other fields are not read when the first says that this is no stamp.
std::string stamp_difference(const PluginStamp& found);

/// Opens the shared object with immediate binding and local scope, compares its stamp, registers its measurements and
/// checks what they say about themselves. The object stays open for the life of the process. Throws PluginError: not
/// found, a symbol missing, no stamp, both stamps' values where they differ, or every fault of its descriptions.
void load_plugin(Registry& registry, const std::string& path);

}  // namespace assay
