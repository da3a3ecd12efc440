// SPDX-License-Identifier: Apache-2.0
// `assay worker`: the process in which visits happen; started by `assay run`, not by people.
#include "run/worker.hpp"

#include "app/commands/commands.hpp"
#include "app/plugin_loader.hpp"
#include "platform/process.hpp"

namespace assay {

namespace {

int run(const CommandLine& line, const Registry& registry, Terminal& /*terminal*/) {
  become_worker();
  Registry all = registry;
  for (const std::string& path : line.values("plugin")) load_plugin(all, path);
  return serve_as_worker(all);
}

}  // namespace

CommandInfo worker_command() {
  CommandInfo command;
  command.name = "worker";
  command.synopsis = "worker [--plugin PATH]...";
  command.summary = "Serves visits to 'assay run' over descriptor 3.";
  command.options = {plugin_option(), help_option()};
  command.run = &run;
  command.hidden = true;
  return command;
}

}  // namespace assay
