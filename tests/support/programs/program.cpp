// SPDX-License-Identifier: Apache-2.0
// Starts programs with their output in files, so that nothing can fill a pipe.
#include "support/programs/program.hpp"
#include "support/environment/paths.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace assay::test {
namespace {

std::string content(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

std::string name_in(const std::string& entry) { return entry.substr(0, entry.find('=')); }

// A program that finds a name twice may take either.
std::vector<std::string> whole_environment(const std::vector<std::string>& additions) {
  std::vector<std::string> all = additions;
  const auto add = [&all](const std::string& entry) {
    if (std::ranges::find(all, name_in(entry), name_in) == all.end()) all.push_back(entry);
  };
  add(utf8_locale);
  for (char** entry = environ; *entry != nullptr; ++entry) add(*entry);
  add(any_state);
  return all;
}

int exit_code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

}  // namespace

Finished run_program(const std::vector<std::string>& command, const std::vector<std::string>& environment) {
  const Scratch folder;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, (folder / "out").c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, (folder / "err").c_str(), O_WRONLY | O_CREAT, 0600);
  auto arguments = command;
  auto variables = whole_environment(environment);
  pid_t child = 0;
  const int error = posix_spawnp(&child, command.front().c_str(), &actions, nullptr, pointers(arguments).data(),
                                 pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error("cannot start " + command.front());
  int status = 0;
  waitpid(child, &status, 0);
  return {exit_code_of(status), content(folder / "out"), content(folder / "err")};
}

std::string assay_program() { return program_path(); }

Finished run_assay(std::vector<std::string> arguments, const std::vector<std::string>& environment) {
  arguments.insert(arguments.begin(), assay_program());
  return run_program(arguments, environment);
}

Finished run_campaign_text(const Scratch& folder, const std::string& ini, const std::vector<std::string>& options,
                           const std::vector<std::string>& environment) {
  std::ofstream(folder / "campaign.ini") << ini;
  std::vector<std::string> arguments{"run", folder / "campaign.ini"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  if (std::ranges::find(options, "--output") == options.end()) {
    arguments.emplace_back("--output");
    arguments.push_back(folder / "campaign");
  }
  return run_assay(arguments, environment);
}

std::vector<Record> campaign_records(const Scratch& folder) { return read_journal(folder / "campaign").records; }

std::vector<PointRecord> points_of(const std::vector<Record>& records, const std::string& series) {
  std::vector<PointRecord> found;
  for (const PointRecord& point : records_of<PointRecord>(records))
    if (point.series == series) found.push_back(point);
  return found;
}

}  // namespace assay::test
