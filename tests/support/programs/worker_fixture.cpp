// SPDX-License-Identifier: Apache-2.0
// A program that serves as the supervisor's worker, with measurements that fail on demand. Its plugins are words.
#include <iostream>
#include <string>
#include <string_view>

#include "platform/process/process.hpp"
#include "run/worker/worker.hpp"
#include "support/programs/worker_measurements.hpp"

namespace {

/// "adds:NAME" registers a measurement of that name; any other word is a fault.
void load(assay::Registry& registry, const std::string& plugin) {
  if (!plugin.starts_with("adds:")) return assay::testing_support::act(plugin);
  assay::Description description = assay::testing_support::faulty_description();
  description.name = plugin.substr(5);
  registry.add<assay::testing_support::Faulty>(description);
}

}  // namespace

int main(int count, char** arguments) {
  assay::WorkerLimits limits;
  if (count > 3 && std::string_view(arguments[2]) == "--memory") limits.memory = std::stoull(arguments[3]);
  assay::become_worker(limits);
  if (count < 2 || std::string_view(arguments[1]) != "worker") return 2;
  try {
    assay::Registry registry = assay::testing_support::faulty_registry();
    for (int i = limits.memory ? 5 : 3; i < count; i += 2) load(registry, arguments[i]);
    return assay::serve_as_worker(registry);
  } catch (const std::exception& error) {
    std::cerr << "some words before\n" << error.what() << '\n';
    return 3;
  }
}
