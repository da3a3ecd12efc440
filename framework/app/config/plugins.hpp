// SPDX-License-Identifier: Apache-2.0
// The plugins of a request: where they lie, whether they can be used, what the results say about them.
#pragma once
#include <string>
#include <vector>

#include "base/units.hpp"
#include "record/record.hpp"
#include "run/plan.hpp"
#include "run/worker/describe_plugins.hpp"

namespace assay {

/// The paths that a list of plugins means: those with a slash as they are; a bare name `foo` is foo.so in the one
/// directory of the installation that the running program belongs to, and is looked for nowhere else. Throws
/// PlatformError where a bare name is given and the program cannot be found out.
std::vector<std::string> plugin_paths(std::vector<std::string> written);

/// What the plugins register, each looked at as a file first (as root, refused where others could change it), then
/// loaded in a probe worker. Only complete problems come back: what, why, and what to do.
std::vector<PluginReport> examine_plugins(const std::vector<std::string>& paths, Nanoseconds deadline);

/// All their measurements. Throws ConfigError with the problem of each plugin that cannot be used.
std::vector<Description> measurements_of(std::vector<PluginReport> reports);

/// Path, SHA-256 and build id of each plugin of a plan and its variants, as facts "plugin.1.path" and so on.
Facts plugin_facts(const CampaignPlan& plan);
/// A sentence for each plugin of a plan that others could change.
std::vector<std::string> plugin_warnings(const CampaignPlan& plan);

}  // namespace assay
