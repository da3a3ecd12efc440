// SPDX-License-Identifier: Apache-2.0
// What help, manual and reference say of the program as a whole.
#pragma once
#include <string>
#include <vector>

#include "app/cli/command.hpp"

namespace assay {

/// What the program is for, in two lines.
std::string program_purpose();

/// The meaning of an exit code.
struct ExitMeaning {
  ExitCode code;
  std::string brief;
  std::string meaning;
};
/// All of them, ascending.
std::vector<ExitMeaning> exit_meanings();
/// Those that a sub-command can end with.
std::vector<ExitMeaning> exit_meanings(const CommandInfo& command);

/// An environment variable, and the sub-commands that it is for.
struct EnvironmentVariable {
  std::string name;
  std::string meaning;
  std::vector<std::string> commands;  ///< none: all of them
};
std::vector<EnvironmentVariable> environment_variables();
/// Those that a sub-command looks at.
std::vector<EnvironmentVariable> environment_variables(const std::string& command);

/// The sub-commands that are for people, in the order of `assay --help`.
std::vector<CommandInfo> shown_commands();

}  // namespace assay
