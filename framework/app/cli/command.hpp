// SPDX-License-Identifier: Apache-2.0
// A sub-command, what all of them share, and the program as a whole.
#pragma once
#include <functional>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/measurement.hpp"
#include "app/cli/options.hpp"

namespace assay {

class MeasurementToken;
class RankTeams;
class RepeatedCommand;
struct CommandPlan;
struct AppContext;

/// The program's surroundings, handed to each sub-command.
struct AppContext {
  std::ostream& out;
  std::ostream& err;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  std::ostream* nonblocking = nullptr;  ///< to the same place as err, but without waiting for its reader
  RankTeams* ranks = nullptr;           ///< the launch that this process leads as rank 0, where it is one
  MeasurementToken* token = nullptr;    ///< by which this process and others measure in turn, where they do
  /// Keeps histories, in the program that can: the library that it takes is not loaded by workers.
  int (*history)(const CommandLine& line, AppContext& context) = nullptr;
  /// Finds a command that `assay time` runs, in the program that can: what times processes is a measurement.
  std::function<std::unique_ptr<RepeatedCommand>(const CommandPlan& plan)> find_command{};
  /// Where progress and remarks go.
  std::ostream& remarks() const { return nonblocking != nullptr ? *nonblocking : err; }
};

/// Exit codes; README explains them to users.
enum ExitCode : int {
  ok = 0,
  some_failed = 1,
  usage = 2,
  environment = 3,
  storage = 4,
  refused = 5,
  regression = 6,
  deviating = 7,  ///< a node or link of a cluster deviates from the others
  internal = 70,
  stopped = 75
};

/// Registers built-in measurements: all; or the one of that name, and not all of the others.
using Fill = std::function<void(Registry& registry, std::string_view name)>;

/// A line for a shell, and what it is for.
struct Example {
  std::string command;
  std::string purpose;
  bool runs_anywhere = true;  ///< on one machine, in a checkout, after the examples before it
};

/// One sub-command. Help, parsing and exceptions are the program's part.
struct CommandInfo {
  std::string name;
  std::string synopsis;  ///< "run FILE... [options]"
  std::string summary;
  std::string details;  ///< further lines for its own help
  std::size_t least_operands = 0;
  std::size_t most_operands = 0;
  std::string unless_given{};  ///< the option with which no operands are needed
  std::vector<CommandOption> options;
  std::vector<Argument> operands;  ///< by position; the last one stands for all further ones
  std::vector<ExitCode> exits;     ///< beside those that every command has
  std::string failure{};           ///< what exit code 1 says, where it is neither about points nor about checks
  std::vector<Example> examples;
  int (*run)(const CommandLine& line, const Registry& registry, AppContext& context) = nullptr;
  /// In the place of `run`, for what registers measurements as they are asked for.
  int (*serve)(const CommandLine& line, const Fill& fill) = nullptr;
  bool hidden = false;  ///< not for people: left out of the list
  /// Of a plugin of monitors: what exit codes 0, 1, 2, ... mean, in the place of ExitCode; and what it says and exits
  /// with when anything goes wrong, wrong use included, since monitors read standard output.
  std::vector<std::string> states{};
  int (*in_trouble)(const std::string& message, AppContext& context) = nullptr;
};

/// A sub-command by name, made when it is asked for: a worker's start is part of every incarnation.
struct CommandEntry {
  std::string_view name;
  CommandInfo (*make)();
};

/// All sub-commands in the order of `assay --help`.
std::span<const CommandEntry> commands();

/// The whole program but its surroundings: finds the sub-command (built in, or `assay-NAME` on the path), gives help,
/// runs it and maps what it throws to an exit code with a message. `fill` registers the built-in measurements.
int run_program(const std::vector<std::string>& arguments, const Fill& fill, AppContext& context);

}  // namespace assay
