// SPDX-License-Identifier: Apache-2.0
// Registers the measurement of external commands.
#include "command/run.hpp"
#include "groups.hpp"

namespace assay {
namespace {

Factor pattern(const char* name, const char* standard, const char* summary) {
  return {.name = name, .standard = std::string(standard), .summary = summary, .is_pattern = true};
}

Factor number(const char* name, Unit unit, const char* summary) {
  return {
      .name = name, .kind = FactorKind::quantitative, .unit = unit, .standard = std::int64_t{0}, .summary = summary};
}

}  // namespace

void register_command(Registry& registry) {
  registry.add<CommandRun>(
      {.name = "command/run",
       .summary =
           "A whole task: a program run as a child process, without a shell. Timed is from before posix_spawn "
           "(the child uses the worker's memory until its program begins, so that its size does not matter) to "
           "the return of wait4, and nothing is subtracted. CPU times, memory and switches are those of getrusage "
           "for the program and the children that it waited for.",
       .quantities = {{.name = "wall", .summary = "one run, start to end"},
                      {.name = "user", .summary = "CPU time in user mode; many kernels split it from system by ticks"},
                      {.name = "system", .summary = "CPU time in the kernel"},
                      {.name = "memory",
                       .unit = Unit::bytes,
                       .per = Per::batch,
                       .summary = "largest resident set of one process; not known below the worker's own (6 MB)"},
                      {.name = "voluntary", .unit = Unit::count, .summary = "voluntary context switches"},
                      {.name = "involuntary", .unit = Unit::count, .summary = "involuntary context switches"}},
       .factors = {pattern("command", "true", "program and arguments; single quotes keep blanks together"),
                   pattern("prepare", "", "command run before each repetition, untimed"),
                   pattern("cleanup", "", "command run after each repetition, untimed, also after one that failed"),
                   pattern("directory", ".", "folder in which all of them run"),
                   pattern("environment", "", "NAME=VALUE NAME=VALUE, beside what is inherited"),
                   pattern("input", "/dev/null", "file for standard input"),
                   pattern("output", "/dev/null", "file for standard output, created or emptied by each run"),
                   number("exit-code", Unit::count, "exit code expected of the command, else the point fails"),
                   number("limit", Unit::nanoseconds,
                          "time after which its process group is killed and the point fails; 0: the series' deadline, "
                          "which has to be longer than a run")},
       .members = exactly(1),
       .traits = {.waiting = Waiting::blocks},
       .placement = "unbound"});
}

}  // namespace assay
