// SPDX-License-Identifier: Apache-2.0
// One call of execvp.
#include "platform/process/execute.hpp"

#include <unistd.h>

#include <cerrno>

namespace assay {

int execute_from_path(const std::string& program, const std::vector<std::string>& arguments) {
  // execvp does not change the texts; its signature predates const.
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::execvp(program.c_str(), argv.data());
  return errno;
}

}  // namespace assay
