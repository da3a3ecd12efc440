// SPDX-License-Identifier: Apache-2.0
// From the file to a worker's answer, each step with its own refusal.
#include "app/against/other_program.hpp"

#include <optional>

#include "platform/file/append_file.hpp"
#include "platform/file/shared_object.hpp"
#include "platform/process/program.hpp"
#include "run/host.hpp"
#include "run/protocol/messages.hpp"
#include "run/worker/describe_plugins.hpp"
#include "run/worker/worker_link.hpp"
#include "text/printable.hpp"
#include "text/suggest.hpp"

namespace assay {

namespace {

constexpr Nanoseconds patience = seconds(20);  // of an instrumented build on a busy machine too
constexpr std::size_t most_quoted = 80;

// Refuses one program at the place where it was named.
class Refusal {
 public:
  Refusal(const std::string& path, const Where& at) : path_(path), at_(at) {}
  [[noreturn]] void raise(const std::string& what, std::string why, std::string remedy) const {
    throw ConfigError(Problem{at_, shown_path(path_) + " " + what, std::move(why), std::move(remedy), true});
  }

 private:
  const std::string& path_;
  const Where& at_;
};

std::string first_line(const std::string& text) {
  return printable(text.substr(0, std::min(text.find('\n'), most_quoted)));
}

// What the program says of itself, which is how a program that is something else is told from it.
std::string version_of(const std::string& path, const Refusal& refuse) {
  const auto said = output_of(path, {"--version"}, patience);
  if (said && said->starts_with("assay ")) return first_line(*said);
  refuse.raise("is no assay",
               said ? "'--version' makes it say '" + first_line(*said) + "'"
                    : "it fails on '--version', or does not end within 20 s",
               "name the executable of another build of this program");
}

std::vector<Description> measurements_of_worker(const std::string& path, const std::vector<std::string>& plugins,
                                                const std::string& version, const Refusal& refuse) {
  try {
    WorkerLink link({path}, plugins, {});
    auto described = link.ask<Described>(DescribeMessage{}, patience);
    link.end(seconds(1));
    return std::move(described.measurements);
  } catch (const std::runtime_error& failure) {
    refuse.raise(
        "(" + version + ") cannot measure for this program",
        std::string(failure.what()) + "; this program's workers have protocol " + std::to_string(protocol_version),
        "build it again with the protocol of this program, or measure with each by itself and compare the "
        "directories: assay compare A B");
  }
}

}  // namespace

OtherProgram examine_program(const std::string& path, const std::vector<std::string>& plugins, const Where& at) {
  const Refusal refuse(path, at);
  if (!program_on_path(path))
    refuse.raise("cannot be executed", "it is no file that this user may run", "name the executable of another assay");
  OtherProgram program{path, {}, {}, {}};
  try {
    const std::string content = read_file(path, largest_object);
    if (const std::string why = foreign_machine(content); !why.empty())
      refuse.raise("cannot run on this machine", why, "build it for this machine");
    program.build = build_of(content);
  } catch (const PlatformError& error) {
    refuse.raise("cannot be read", error.what(), "make it readable: its build is part of the results");
  }
  program.version = version_of(path, refuse);
  program.measurements = measurements_of_worker(path, plugins, program.version, refuse);
  return program;
}

}  // namespace assay
