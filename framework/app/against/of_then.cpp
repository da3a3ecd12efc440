// SPDX-License-Identifier: Apache-2.0
// From the file of a program to its worker's answer, each step with its own refusal; files of today held against what
// an earlier session recorded of them.
#include "app/against/of_then.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "app/campaign/run_campaign.hpp"
#include "app/cli/mpi.hpp"
#include "platform/file/append_file.hpp"
#include "platform/file/shared_object.hpp"
#include "platform/process/program.hpp"
#include "run/host.hpp"
#include "run/protocol/messages.hpp"
#include "run/worker/describe_plugins.hpp"
#include "run/worker/worker_link.hpp"
#include "text/printable.hpp"
#include "text/suggest.hpp"
#include "text/words.hpp"

namespace assay {
namespace {

constexpr Nanoseconds patience = seconds(20);  // of an instrumented build on a busy machine too
constexpr std::size_t most_quoted = 80;

// Refuses one program at the place where it was named.
class Refusal {
 public:
  Refusal(const std::string& path, const Where& at) : path_(path), at_(at) {}
  [[noreturn]] void raise(const std::string& what, std::string why, std::string remedy) const {
    throw ConfigError(Problem{at_, shown_path(path_) + " " + what, std::move(why), std::move(remedy), true});
  }

 private:
  const std::string& path_;
  const Where& at_;
};

std::string first_line(const std::string& text) {
  return printable(text.substr(0, std::min(text.find('\n'), most_quoted)));
}

// What the program says of itself, which is how a program that is something else is told from it.
std::string version_of(const std::string& path, const Refusal& refuse) {
  const auto said = output_of(path, {"--version"}, patience);
  if (said && said->starts_with("assay ")) return first_line(*said);
  refuse.raise("is no assay",
               said ? "'--version' makes it say '" + first_line(*said) + "'"
                    : "it fails on '--version', or does not end within 20 s",
               "name the executable of another build of this program");
}

std::vector<Description> measurements_of_worker(const std::string& path, const std::vector<std::string>& plugins,
                                                const std::string& version, const Refusal& refuse) {
  try {
    WorkerLink link({path}, plugins, {});
    auto described = link.ask<Described>(DescribeMessage{}, patience);
    link.end(seconds(1));
    return std::move(described.measurements);
  } catch (const std::runtime_error& failure) {
    refuse.raise(
        "(" + version + ") cannot measure for this program",
        std::string(failure.what()) + "; this program's workers have protocol " + std::to_string(protocol_version),
        "build it again with the protocol of this program, or measure with each by itself and compare the "
        "directories: assay compare A B");
  }
}

}  // namespace

OtherProgram examine_program(const std::string& path, const std::vector<std::string>& plugins, const Where& at) {
  const Refusal refuse(path, at);
  if (!program_on_path(path))
    refuse.raise("cannot be executed", "it is no file that this user may run", "name the executable of another assay");
  OtherProgram program{path, {}, {}, {}};
  try {
    const std::string content = read_file(path, largest_object);
    if (const std::string why = foreign_machine(content); !why.empty())
      refuse.raise("cannot run on this machine", why, "build it for this machine");
    program.build = build_of(content);
  } catch (const PlatformError& error) {
    refuse.raise("cannot be read", error.what(), "make it readable: its build is part of the results");
  }
  program.version = version_of(path, refuse);
  program.measurements = measurements_of_worker(path, plugins, program.version, refuse);
  return program;
}

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
