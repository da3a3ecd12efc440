// SPDX-License-Identifier: Apache-2.0
// A probe worker for each plugin, so that each failure has its plugin and hides no other.
#include "run/worker/describe_plugins.hpp"

#include <algorithm>
#include <iterator>

#include "run/host.hpp"
#include "run/worker/worker_link.hpp"

namespace assay {
namespace {

std::vector<Description> ask(const std::string& program, const std::vector<std::string>& plugins,
                             Nanoseconds deadline) {
  WorkerLink link({program}, plugins, {});
  auto described = link.ask<Described>(DescribeMessage{}, deadline);
  link.end(seconds(1));
  return std::move(described.measurements);
}

bool holds(const std::vector<Description>& descriptions, const std::string& name) {
  return std::ranges::find(descriptions, name, &Description::name) != descriptions.end();
}

Problem refused(std::string why, std::string remedy) { return {{}, {}, std::move(why), std::move(remedy), true}; }

/// A worker that refuses says why; any other end is the plugin's doing.
Problem problem_of(const VisitFailed& failure) {
  if (failure.outcome() == Outcome::unsupported) return refused(failure.what(), "correct it and build it again");
  return refused(std::string("it did not survive loading: ") + failure.what(),
                 "correct its constructors and its registration function");
}

void refuse_taken_names(PluginReport& report, const std::vector<PluginReport>& earlier) {
  for (const Description& mine : report.measurements)
    for (const PluginReport& other : earlier)
      if (!report.problem && holds(other.measurements, mine.name))
        report.problem = refused("measurement '" + mine.name + "' is registered by '" + other.path + "' as well",
                                 "leave one of the two out");
}

}  // namespace

std::vector<PluginReport> describe_plugins(const std::string& program, const std::vector<std::string>& plugins,
                                           Nanoseconds deadline) {
  std::vector<PluginReport> reports;
  if (plugins.empty()) return reports;
  std::vector<Description> built_in;
  try {
    built_in = ask(program, {}, plugin_deadline);
  } catch (const VisitFailed& failure) {
    throw PluginError(std::string("the program without plugins: ") + failure.what());
  }
  for (const std::string& plugin : plugins) {
    PluginReport report{plugin};
    try {
      std::ranges::copy_if(ask(program, {plugin}, deadline), std::back_inserter(report.measurements),
                           [&](const Description& each) { return !holds(built_in, each.name); });
      refuse_taken_names(report, reports);
    } catch (const VisitFailed& failure) {
      report.problem = problem_of(failure);
    }
    reports.push_back(std::move(report));
  }
  return reports;
}

}  // namespace assay
