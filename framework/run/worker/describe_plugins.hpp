// SPDX-License-Identifier: Apache-2.0
// What plugins register, asked from probe workers, so that no plugin code runs in the asking process.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "api/description.hpp"
#include "base/error.hpp"

namespace assay {

/// Time in which a plugin has to be loaded and described.
inline constexpr Nanoseconds plugin_deadline = seconds(5);

/// What one plugin registers, or why it cannot be used.
struct PluginReport {
  std::string path;
  std::vector<Description> measurements{};
  std::optional<Problem> problem{};  ///< why, and what to do; the environment's
};

/// One report for each plugin, in their order, each from a probe worker of its own. A name that an earlier plugin has
/// taken is a problem of the later one. Throws PluginError when the program cannot be asked even without plugins;
/// PlatformError when no worker can be started.
std::vector<PluginReport> describe_plugins(const std::string& program, const std::vector<std::string>& plugins,
                                           Nanoseconds deadline = plugin_deadline);

}  // namespace assay
