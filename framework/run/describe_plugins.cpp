// SPDX-License-Identifier: Apache-2.0
// Probe workers, one for each plugin in addition to those before it, so that each failure has its plugin.
#include <algorithm>
#include <iterator>

#include "base/error.hpp"
#include "run/supervisor.hpp"

namespace assay {
namespace {

constexpr Nanoseconds probe_deadline = seconds(5);

std::vector<Description> describe_all(const std::string& program, const std::vector<std::string>& plugins) {
  WorkerLink link(program, plugins, {});
  auto described = link.ask<Described>(DescribeMessage{}, probe_deadline);
  link.end(seconds(1));
  return std::move(described.measurements);
}

bool holds(const std::vector<Description>& descriptions, const std::string& name) {
  return std::ranges::find(descriptions, name, &Description::name) != descriptions.end();
}

}  // namespace

std::vector<Description> describe_plugins(const std::string& program, const std::vector<std::string>& plugins) {
  std::vector<Description> added;
  if (plugins.empty()) return added;
  std::vector<std::string> loaded;
  std::string suspect = "the program without plugins";
  try {
    std::vector<Description> known = describe_all(program, loaded);
    for (const std::string& plugin : plugins) {
      suspect = "plugin " + plugin;
      loaded.push_back(plugin);
      std::vector<Description> all = describe_all(program, loaded);
      std::ranges::copy_if(all, std::back_inserter(added), [&](const Description& d) { return !holds(known, d.name); });
      known = std::move(all);
    }
  } catch (const VisitFailed& failure) {
    throw PluginError(suspect + ": " + failure.what());
  }
  return added;
}

}  // namespace assay
