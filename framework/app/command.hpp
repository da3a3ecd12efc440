// SPDX-License-Identifier: Apache-2.0
// A sub-command, and what all of them share.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "api/measurement.hpp"

namespace assay {

/// The program's surroundings, handed to each sub-command.
struct Terminal {
  std::ostream& out;
  std::ostream& err;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
};

/// Exit codes (doc/reference.md).
enum ExitCode : int {
  ok = 0,
  some_failed = 1,
  usage = 2,
  environment = 3,
  storage = 4,
  refused = 5,
  internal = 70,
  stopped = 75
};

/// One sub-command.
struct CommandInfo {
  const char* name;
  const char* synopsis;  ///< "assay run FILE... [options]"
  const char* summary;
  int (*run)(const std::vector<std::string>& arguments, const Registry& registry, Terminal& terminal);
};

/// All sub-commands in the order of `assay --help`.
const std::vector<CommandInfo>& commands();

}  // namespace assay
