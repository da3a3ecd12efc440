// SPDX-License-Identifier: Apache-2.0
// What `assay time` is asked for: commands with the values of their parameters, and how often they are run.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/options.hpp"
#include "base/units.hpp"

namespace assay {

/// One command to be timed, parameters in place.
struct CommandToTime {
  std::string name;     ///< as it is shown
  std::string command;  ///< as it is run
  std::vector<std::pair<std::string, std::string>> parameters{};
  std::string setup{};    ///< before its first run; empty: none
  std::string prepare{};  ///< before each run
  std::string cleanup{};  ///< after its last run
};

/// Runs of a command unless another number is asked for.
inline constexpr int usual_least_runs = 10;
/// Time that a command is run for at least, unless the number of runs is given. hyperfine takes 3 s by the duration of
/// a first run, which is a slow one, and so 2.6 s in the mean.
inline constexpr Nanoseconds least_time_of_command = seconds(2.4);
/// Time after which a command that has not converged is given up, unless a limit is given: no longer than hyperfine
/// takes. Who wants more precision asks for more time.
inline constexpr Nanoseconds most_time_of_command = seconds(2.4);

/// The whole request.
struct TimeRequest {
  std::vector<CommandToTime> commands;
  std::vector<std::string> shell{"sh", "-c"};  ///< words before a command; none: it is run without a shell
  std::string input = "/dev/null";
  std::string output = "/dev/null";
  bool shows_output = false;
  int warmup = 0;
  int least_runs = usual_least_runs;
  std::optional<int> most_runs{};
  bool is_exact = false;  ///< the number of runs was given
  std::optional<Nanoseconds> time_limit{};
  std::uint64_t seed = 1;
  bool ignores_failures = false;

  /// False where commands are measured one after the other: their setup or cleanup differs, and what one changes would
  /// be there for the runs of all.
  bool is_interleaved() const;
};

/// The options of the command.
std::vector<CommandOption> time_options();
/// The request of a command line. Throws ConfigError.
TimeRequest time_request(const CommandLine& line);

/// The words of a command that no shell takes apart: blanks separate them, quotes keep them together as in campaign
/// files, and braces stand for themselves. Throws ConfigError.
std::vector<std::string> words_of_command(const std::string& command);

}  // namespace assay
