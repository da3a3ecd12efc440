// SPDX-License-Identifier: Apache-2.0
// The image of this process, its neighbours, and programs that are asked something.
#include "platform/process/program.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>

#include "base/error.hpp"
#include "platform/process/process.hpp"

namespace assay {

namespace {

std::string image_path() {
  std::array<char, 4096> path{};
  const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
  if (length < 0) throw PlatformError("readlink of /proc/self/exe", errno);
  return {path.data(), static_cast<std::size_t>(length)};
}

}  // namespace

std::string own_program() {
  std::string program = image_path();
  return ::access(program.c_str(), X_OK) == 0 ? program : "/proc/self/exe";
}

std::string own_folder() {
  const std::string image = image_path();
  return image.substr(0, image.rfind('/') + 1);
}

std::optional<std::string> program_beside(const std::string& name) {
  std::string beside = own_folder() + name;
  return ::access(beside.c_str(), X_OK) == 0 ? std::optional(std::move(beside)) : std::nullopt;
}

std::optional<std::string> program_on_path(const std::string& name) {
  const auto may_run = [](const std::string& path) { return ::access(path.c_str(), X_OK) == 0; };
  if (name.find('/') != std::string::npos) return may_run(name) ? std::optional(name) : std::nullopt;
  const char* const path = std::getenv("PATH");
  const std::string folders = path == nullptr ? "" : path;
  for (std::size_t from = 0; from <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', from), folders.size());
    const std::string folder = folders.substr(from, end - from);
    if (std::string file = folder + '/' + name; !folder.empty() && may_run(file)) return file;
    from = end + 1;
  }
  return std::nullopt;
}

std::optional<std::string> output_of(const std::string& program, const std::vector<std::string>& arguments,
                                     Nanoseconds deadline) {
  try {
    ChildProcess child({program, arguments, {}});
    const bool in_time = child.wait(deadline);
    child.kill_group();
    return in_time && child.succeeded() ? std::optional(child.output()) : std::nullopt;
  } catch (const PlatformError&) {
    return std::nullopt;
  }
}

int execute_from_path(const std::string& program, const std::vector<std::string>& arguments) {
  // execvp does not change the texts; its signature predates const.
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::execvp(program.c_str(), argv.data());
  return errno;
}

}  // namespace assay
