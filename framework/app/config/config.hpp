// SPDX-License-Identifier: Apache-2.0
// Room: configuration files made into plans.
// From a campaign file, the environment and the command line to a checked plan.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "api/description.hpp"
#include "app/cli/options.hpp"
#include "app/config/campaign_source.hpp"
#include "platform/topology/topology.hpp"
#include "run/plan.hpp"
#include "run/worker/describe_plugins.hpp"

namespace assay {

/// Overrides from the command line: "section.key=value" as given to --set, and the options of `run`.
struct Overrides {
  std::vector<std::string> set;
  std::vector<std::string> series;  ///< only these series; empty: all
  std::optional<std::string> output;
  bool allow_large = false;      ///< series may have up to 10 million points instead of 100 000
  bool quick = false;            ///< a first look, as make_quick has it
  std::vector<Given> options{};  ///< settings that have options of their own, such as --time-limit
};

/// What can be measured: the descriptions known without plugins, and how to ask for those of plugins.
struct Catalogue {
  std::vector<Description> built_in;
  std::function<std::vector<PluginReport>(const std::vector<std::string>& plugins, Nanoseconds deadline)>
      describe_plugins;
};

/// Reads and checks sources together; throws ConfigError with every problem of all of them. Nothing is created.
CampaignPlan load_plan(const std::vector<CampaignSource>& sources, const Overrides& overrides,
                       const Catalogue& catalogue, const Topology& topology);

/// The plan of the configuration that a journal keeps. Environment variables change nothing. Throws as load_plan does.
CampaignPlan stored_plan(const std::string& configuration, const std::string& name, const Overrides& overrides,
                         const Catalogue& catalogue, const Topology& topology);

}  // namespace assay
