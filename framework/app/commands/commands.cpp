// SPDX-License-Identifier: Apache-2.0
// The table of sub-commands, and what several of them need.
#include "app/commands/commands.hpp"

#include <iterator>

#include "platform/process.hpp"
#include "run/supervisor.hpp"

namespace assay {

const std::vector<CommandInfo>& commands() {
  static const std::vector<CommandInfo> all = {run_command(),    resume_command(),   plan_command(),
                                               list_command(),   describe_command(), show_command(),
                                               export_command(), compare_command(),  worker_command()};
  return all;
}

CommandOption help_option() { return {"help", "", "print this text"}; }

CommandOption quiet_option() { return {"quiet", "", "no progress, no remarks: tables and errors only"}; }

CommandOption plugin_option() { return {"plugin", "PATH", "shared object with further measurements", true}; }

std::vector<CommandOption> override_options() {
  return {{"set", "SECTION.KEY=VALUE", "override a setting: precision.eps=5%, series.NAME.bytes=64", true},
          {"series", "NAME", "only this series; may be repeated", true},
          {"time-limit", "T", "as --set campaign.time-limit=T: stop in good order after 30s, 10min, 2h"},
          {"sessions", "S", "as --set campaign.sessions=S: measure every point in S sessions; long-term from 3 on"},
          {"every", "T", "as --set campaign.every=T: from the start of a session to the start of the next"}};
}

std::optional<std::string> value_of(const CommandLine& line, const std::string& option) {
  const auto values = line.values(option);
  return values.empty() ? std::nullopt : std::optional(values.front());
}

Overrides overrides_of(const CommandLine& line) {
  Overrides overrides{line.values("set"), line.values("series"), value_of(line, "output")};
  for (const std::string key : {"time-limit", "sessions", "every"})
    if (const auto value = value_of(line, key)) overrides.set.push_back("campaign." + key + "=" + *value);
  return overrides;
}

Catalogue catalogue_of(const Registry& registry) {
  Catalogue catalogue;
  for (const Entry& entry : registry.entries()) catalogue.built_in.push_back(entry.description);
  catalogue.describe_plugins = [](const std::vector<std::string>& plugins) {
    return describe_plugins(own_program(), plugins);
  };
  return catalogue;
}

std::vector<Description> descriptions_of(const Registry& registry, const CommandLine& line) {
  const auto catalogue = catalogue_of(registry);
  auto all = catalogue.built_in;
  auto further = catalogue.describe_plugins(line.values("plugin"));
  std::move(further.begin(), further.end(), std::back_inserter(all));
  return all;
}

}  // namespace assay
