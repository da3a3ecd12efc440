// SPDX-License-Identifier: Apache-2.0
// Finding and running sub-commands, help, and the meaning of exceptions.
#include <algorithm>
#include <cerrno>
#include <locale>
#include <optional>
#include <ostream>
#include <sstream>
#include <system_error>
#include <utility>

#include "app/cli/command.hpp"
#include "app/cli/mpi.hpp"
#include "app/cli/problems.hpp"
#include "app/shell/guide.hpp"
#include "platform/process/program.hpp"
#include "record/provenance.hpp"
#include "text/printable.hpp"
#include "text/suggest.hpp"

namespace assay {

namespace {

using Arguments = std::vector<std::string>;

constexpr std::size_t overview_width = 100;

std::optional<CommandInfo> find_command(const std::string& name) {
  const auto found = std::ranges::find(commands(), name, &CommandEntry::name);
  return found == commands().end() ? std::nullopt : std::optional(found->make());
}

std::vector<std::string> shown_names() {
  std::vector<std::string> names;
  for (const CommandInfo& command : shown_commands()) names.push_back(command.name);
  return names;
}

void print_exit_codes(std::ostream& out) {
  std::string line = "Exit codes:";
  for (const ExitMeaning& exit : exit_meanings()) {
    const auto item = std::to_string(static_cast<int>(exit.code)) + " " + exit.brief;
    if (line.size() + item.size() + 2 > overview_width) {
      out << line << "\n";
      line = item;
    } else {
      line += " " + item;
    }
    line += exit.code == ExitCode::stopped ? "." : ";";
  }
  out << line << "\n";
}

void print_help(std::ostream& out) {
  out << program_purpose() << "\nUsage:\n";
  for (const CommandInfo& command : shown_commands())
    out << "  assay " << command.synopsis << "\n      " << command.summary << "\n";
  out << "  assay help [COMMAND] | assay COMMAND --help\n      This text, or a command's own.\n"
         "  assay version\n      What this program is and was built with.\n"
         "  assay report DIR...\n      Writes a page with charts; of the report package (doc/report.md).\n\n"
         "Any other COMMAND runs the program assay-COMMAND, where there is one on the path.\n\n";
  print_exit_codes(out);
}

void print_help(std::ostream& out, const CommandInfo& command) {
  out << "Usage: assay " << command.synopsis << "\n\n" << command.summary << "\n";
  if (!command.details.empty()) out << "\n" << command.details;
  out << "\nOptions:\n" << help_text(command.options);
}

void print_version(std::ostream& out) { out << version_line() << "\nMPI: " << mpi_library() << "\n"; }

std::string operands_wanted(const CommandInfo& command) {
  return "usage: assay " + command.synopsis + "; 'assay help " + command.name + "' says more";
}

void check_operands(const CommandInfo& command, const CommandLine& line) {
  const auto given = line.operands.size();
  const bool needs_none = !command.unless_given.empty() && line.has(command.unless_given);
  if (given < command.least_operands && !needs_none)
    throw ConfigError(Problem{{"assay " + command.name}, "something is missing", {}, operands_wanted(command)});
  if (given > command.most_operands)
    throw ConfigError(Problem{{"assay " + command.name},
                              "unexpected " + shown(line.operands[command.most_operands]),
                              {},
                              operands_wanted(command)});
}

int run_command(const CommandInfo& command, const Arguments& arguments, const Fill& fill, AppContext& context) {
  const auto line = parse_command_line("assay " + command.name, command.options, arguments);
  if (line.has("help")) {
    print_help(context.out, command);
    return ExitCode::ok;
  }
  check_operands(command, line);
  if (command.serve != nullptr) return command.serve(line, fill);
  Registry registry;
  fill(registry, {});
  return command.run(line, registry, context);
}

// What is not built in, but part of the project.
[[noreturn]] void refuse_report(const std::string& why) {
  throw ConfigError(Problem{{"assay"},
                            "'report' needs the report package, which is not installed",
                            why,
                            "in a virtual environment that is on the path, 'pip install' the wheel that "
                            "tools/report/wheel makes (33 MB with all it needs), or run tools/report/setup and put "
                            "build/report-venv/bin on the path; 'assay export DIR --format csv' and 'assay show DIR' "
                            "need no package",
                            true});
}

[[noreturn]] void refuse_command(const std::string& name, const std::string& why = {}) {
  auto remedy = suggestion(name, shown_names());
  if (name.starts_with('-'))
    remedy = "options follow the command: 'assay COMMAND --help' lists them; 'assay --help' lists the commands";
  throw ConfigError(Problem{{"assay"}, "unknown command " + shown(name), why, std::move(remedy)});
}

// Another program on the path may serve a command that is not built in.
[[noreturn]] void run_external(const std::string& name, const Arguments& arguments, AppContext& context) {
  if (name.empty() || name.starts_with('-') || name.find('/') != name.npos) refuse_command(name);
  context.out.flush();
  const int error = execute_from_path("assay-" + name, arguments);
  if (error == ENOENT && name == "report") refuse_report("there is no program assay-report on the path");
  if (error == ENOENT) refuse_command(name, "and there is no program assay-" + name + " on the path");
  refuse_command(name, "assay-" + name + " cannot be run: " + std::system_category().message(error));
}

int help(const Arguments& arguments, AppContext& context) {
  if (arguments.empty() || arguments[0].starts_with('-')) {
    print_help(context.out);
    return ExitCode::ok;
  }
  const auto command = find_command(arguments[0]);
  if (!command) refuse_command(arguments[0]);
  print_help(context.out, *command);
  return ExitCode::ok;
}

// Of a plugin of monitors, whatever happens.
int run_plugin(const CommandInfo& command, const Arguments& arguments, const Fill& fill, AppContext& context);

int dispatch(const Arguments& arguments, const Fill& fill, AppContext& context) {
  if (arguments.empty()) {
    print_help(context.err);
    return ExitCode::usage;
  }
  const std::string& first = arguments[0];
  const Arguments rest(arguments.begin() + 1, arguments.end());
  if (first == "help" || first == "--help" || first == "-h") return help(rest, context);
  if (first == "--version" || first == "-V" || first == "version") {
    print_version(context.out);
    return ExitCode::ok;
  }
  if (const auto command = find_command(first))
    return command->in_trouble == nullptr ? run_command(*command, rest, fill, context)
                                          : run_plugin(*command, rest, fill, context);
  run_external(first, rest, context);
}

// Names in messages are foreign; the ends of a message's own lines are not.
int fail(AppContext& context, ExitCode code, const std::string& message) {
  context.err << "assay: error: ";
  std::string_view rest = message;
  for (auto end = rest.find('\n'); end != rest.npos; end = rest.find('\n')) {
    context.err << printable(rest.substr(0, end)) << "\n";
    rest.remove_prefix(end + 1);
  }
  context.err << printable(rest) << "\n";
  return code;
}

// Turns the exception being handled into a message and an exit code.
int explain(AppContext& context) {
  try {
    throw;
  } catch (const ConfigError& error) {
    print(context.err, error.problems());
    return error.exit_code();
  } catch (const StorageError& error) {
    return fail(context, ExitCode::storage, error.what());
  } catch (const ResultError& error) {
    return fail(context, ExitCode::refused, error.what());
  } catch (const PluginError& error) {
    return fail(context, ExitCode::environment, error.what());
  } catch (const std::exception& error) {
    return fail(context, ExitCode::internal,
                "internal: " + std::string(error.what()) + "; please report it with the output of 'assay --version'");
  } catch (...) {
    return fail(context, ExitCode::internal, "internal: something that is not a std::exception was thrown");
  }
}

int run_plugin(const CommandInfo& command, const Arguments& arguments, const Fill& fill, AppContext& context) {
  try {
    return run_command(command, arguments, fill, context);
  } catch (...) {
    std::ostringstream told;
    AppContext apart{context.out, told};
    explain(apart);
    return command.in_trouble(told.str(), context);
  }
}

}  // namespace

int run_program(const std::vector<std::string>& arguments, const Fill& fill, AppContext& context) {
  // Numbers that go to streams as they are must not be grouped, whatever a host program's locale.
  context.out.imbue(std::locale::classic());
  context.err.imbue(std::locale::classic());
  try {
    const int code = dispatch(arguments, fill, context);
    // What could not be printed was not delivered.
    if (!context.out.flush()) throw StorageError("standard output cannot be written", 0);
    return code;
  } catch (...) {
    return explain(context);
  }
}

}  // namespace assay
