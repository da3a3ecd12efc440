// SPDX-License-Identifier: Apache-2.0
// `assay worker`: the process in which visits happen; started by `assay run`, not by people.
#include "run/worker/worker.hpp"

#include <cstdint>

#include "app/commands/commands.hpp"
#include "app/plugin_loader.hpp"
#include "base/error.hpp"
#include "platform/process/process.hpp"
#include "platform/process/self.hpp"

namespace assay {

namespace {

WorkerLimits limits_of(const CommandLine& line) {
  WorkerLimits limits;
  limits.keep_cores = line.has("keep-cores");
  if (const auto bytes = line.value<std::int64_t>("memory")) limits.memory = static_cast<std::uint64_t>(*bytes);
  return limits;
}

int serve(const CommandLine& line, const Fill& fill) {
  // The kernel forgets about the parent's death when rights change: first this, then the rest.
  drop_privileges();
  become_worker(limits_of(line));
  const auto plugins = line.values("plugin");
  if (plugins.empty()) return serve_as_worker(fill);
  // A name of a plugin's own must not be taken, by any built-in measurement.
  Registry all;
  fill(all, {});
  try {
    for (const std::string& path : plugins) load_plugin(all, path);
  } catch (const PluginError& error) {
    return refuse_as_worker(error.what());
  }
  return serve_as_worker(all);
}

}  // namespace

CommandInfo worker_command() {
  CommandInfo command;
  command.name = "worker";
  command.synopsis = "worker [--memory BYTES] [--keep-cores] [--plugin PATH]...";
  command.summary = "Serves visits to 'assay run' over descriptor 3.";
  command.options = {{"memory", {"BYTES", count_value(0, any_count)}, "address space that it may have"},
                     {"keep-cores", "", "a crash may leave a core file"},
                     plugin_option(),
                     help_option()};
  command.serve = &serve;
  command.hidden = true;
  return command;
}

}  // namespace assay
