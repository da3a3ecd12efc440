// SPDX-License-Identifier: Apache-2.0
// The image of this process, its neighbours, and programs that are asked something.
#include "platform/program.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/error.hpp"
#include "platform/process.hpp"

namespace assay {

std::string own_program() {
  std::array<char, 4096> path{};
  const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
  if (length < 0) throw PlatformError("readlink of /proc/self/exe", errno);
  std::string program(path.data(), static_cast<std::size_t>(length));
  return ::access(program.c_str(), X_OK) == 0 ? program : "/proc/self/exe";
}

std::optional<std::string> program_beside(const std::string& name) {
  const std::string own = own_program();
  std::string beside = own.substr(0, own.rfind('/') + 1) + name;
  return ::access(beside.c_str(), X_OK) == 0 ? std::optional(std::move(beside)) : std::nullopt;
}

std::optional<std::string> output_of(const std::string& program, const std::vector<std::string>& arguments,
                                     Nanoseconds deadline) {
  try {
    ChildProcess child({program, arguments, {}});
    const bool in_time = child.wait(deadline);
    const std::string ending = child.kill_group();
    return in_time && ending == "exited 0" ? std::optional(child.output()) : std::nullopt;
  } catch (const PlatformError&) {
    return std::nullopt;
  }
}

}  // namespace assay
