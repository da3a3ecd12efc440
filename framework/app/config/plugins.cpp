// SPDX-License-Identifier: Apache-2.0
// From names of plugins to files, and from files to descriptions and facts.
#include "app/config/plugins.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "app/cli/mpi.hpp"
#include "base/escape.hpp"
#include "platform/file/append_file.hpp"
#include "platform/file/shared_object.hpp"
#include "platform/process/process.hpp"
#include "platform/process/program.hpp"
#include "text/sha256.hpp"
#include "text/suggest.hpp"

namespace assay {

namespace {

// Told from the folder of programs, so that an installation may be moved as a whole.
std::string plugin_directory() {
  return (std::filesystem::path(own_folder()) / ASSAY_PLUGINS_FROM_BIN).lexically_normal().string();
}

std::string path_of(const std::string& written) {
  const bool is_bare = written.find('/') == written.npos;
  return is_bare ? plugin_directory() + "/" + written + ".so" : written;
}

// The plan's and its variants', each once.
std::vector<std::string> all_plugins(const CampaignPlan& plan) {
  std::vector<std::string> all = plan.plugins;
  for (const Variant& variant : plan.variants)
    for (const std::string& path : variant.plugins)
      if (std::ranges::find(all, path) == all.end()) all.push_back(path);
  return all;
}

Facts facts_of(const std::string& path, const std::string& prefix) {
  Facts facts{{prefix + "path", path}};
  try {
    const std::string content = read_file(path, largest_object);
    const std::string id = elf_build_id(content);
    facts.emplace_back(prefix + "sha256", hex_of(sha256(content)));
    facts.emplace_back(prefix + "build_id", id.empty() ? "not available: the linker wrote none" : id);
  } catch (const PlatformError& error) {
    facts.emplace_back(prefix + "sha256", std::string("not available: ") + error.what());
  }
  return facts;
}

}  // namespace

std::vector<std::string> plugin_paths(std::vector<std::string> written) {
  std::ranges::transform(written, written.begin(), path_of);
  return written;
}

std::vector<PluginReport> examine_plugins(const std::vector<std::string>& paths, Nanoseconds deadline) {
  std::vector<PluginReport> reports;
  std::vector<std::string> good;
  for (const std::string& path : paths) {
    reports.push_back({path, {}, object_problem(path)});
    if (!reports.back().problem) good.push_back(path);
  }
  auto described = describe_plugins(worker_program(), good, deadline);
  for (auto next = described.begin(); PluginReport & report : reports) {
    if (!report.problem) report = std::move(*next++);
    if (report.problem) report.problem->what = "plugin " + shown_path(report.path) + " cannot be used";
  }
  return reports;
}

std::vector<Description> measurements_of(std::vector<PluginReport> reports) {
  std::vector<Description> all;
  std::vector<Problem> problems;
  for (PluginReport& report : reports) {
    if (report.problem) {
      report.problem->where = {"--plugin"};
      problems.push_back(*report.problem);
    }
    std::ranges::move(report.measurements, std::back_inserter(all));
  }
  if (!problems.empty()) throw ConfigError(std::move(problems));
  return all;
}

Facts plugin_facts(const CampaignPlan& plan) {
  Facts facts;
  int number = 0;
  for (const std::string& path : all_plugins(plan))
    std::ranges::move(facts_of(path, "plugin." + std::to_string(++number) + "."), std::back_inserter(facts));
  return facts;
}

std::vector<std::string> plugin_warnings(const CampaignPlan& plan) {
  std::vector<std::string> warnings;
  for (const std::string& path : all_plugins(plan))
    if (const std::string exposure = exposure_of(path); !exposure.empty())
      warnings.push_back("plugin " + shown_path(path) + " could be changed by others: " + exposure);
  return warnings;
}

}  // namespace assay
