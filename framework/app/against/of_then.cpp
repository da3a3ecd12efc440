// SPDX-License-Identifier: Apache-2.0
// Files of today held against what an earlier session recorded of them.
#include "app/against/of_then.hpp"

#include <algorithm>
#include <filesystem>

#include "app/campaign/run_campaign.hpp"
#include "app/cli/mpi.hpp"
#include "platform/file/shared_object.hpp"
#include "text/suggest.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

constexpr std::size_t digest_length = 32;  // of a SHA-256, as file_build has it

// Empty for a file that cannot be read.
std::string build_today(const std::string& path) {
  try {
    return file_build(path);
  } catch (const PlatformError&) {
    return {};
  }
}

bool is_a_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

// What became of a file that was of a known build; empty where nothing did.
std::string change_of(const std::string& path, const std::string& build) {
  if (!is_a_file(path)) return shown_path(path) + " is gone";
  return build_today(path) == build ? "" : shown_path(path) + " is another build now";
}

// A plugin of a session, as its facts have it.
struct RecordedPlugin {
  std::string path;
  std::string build;
};
std::vector<RecordedPlugin> recorded_plugins(const Facts& facts) {
  std::vector<RecordedPlugin> plugins;
  for (int number = 1;; ++number) {
    const std::string prefix = "plugin." + std::to_string(number) + ".";
    RecordedPlugin plugin{fact_of(facts, prefix + "path"), fact_of(facts, prefix + "build_id")};
    if (plugin.path.empty()) return plugins;
    if (plugin.build.empty() || plugin.build.starts_with("not available"))
      plugin.build = fact_of(facts, prefix + "sha256").substr(0, digest_length);
    plugins.push_back(std::move(plugin));
  }
}

std::string brief(const ConfigError& error) {
  const Problem& problem = error.problems().front();
  return problem.what + (problem.why.empty() ? "" : ": " + problem.why);
}

}  // namespace

ThisProgram this_program() {
  const std::string path = worker_program();
  return {path, build_today(path)};
}

ProgramOfThen program_of_then(const Facts& facts, const std::vector<std::string>& plugins, const Where& at) {
  const std::string path = fact_of(facts, program_path_fact);
  const std::string build = fact_of(facts, program_build_fact);
  ProgramOfThen found;
  if (build.empty() || path.empty()) {
    found.lack = "its results do not say which build that was";
  } else if (build == this_program().build) {
    found.is_this = true;
  } else if (found.lack = change_of(path, build); found.lack.empty()) {
    try {
      found.other = examine_program(path, plugins, at);
    } catch (const ConfigError& error) {
      found.lack = brief(error);
    }
  }
  return found;
}

PluginsOfThen plugins_of_then(const Facts& facts, const std::vector<std::string>& then,
                              const std::vector<std::string>& today) {
  PluginsOfThen found;
  std::vector<std::string> builds;
  for (const RecordedPlugin& plugin : recorded_plugins(facts)) {
    if (std::ranges::find(then, plugin.path) == then.end()) continue;  // of one of its variants
    builds.push_back(plugin.build);
    found.paths.push_back(plugin.path);
    if (std::string change = change_of(plugin.path, plugin.build); !change.empty()) found.lacks.push_back(change);
  }
  std::vector<std::string> builds_today;
  for (const std::string& path : today) builds_today.push_back(build_today(path));
  if (builds == builds_today) return {};
  if (!found.lacks.empty()) found.paths.clear();
  return found;
}

}  // namespace assay
