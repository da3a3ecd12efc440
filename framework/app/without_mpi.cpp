// SPDX-License-Identifier: Apache-2.0
// The program without MPI, which knows its twin by its place: in the same folder.
#include <cstdlib>
#include <system_error>

#include "app/cli/mpi.hpp"
#include "platform/process/program.hpp"

namespace assay {
namespace {

constexpr const char* twin = "assay-mpi";
constexpr Nanoseconds patience = seconds(10);

}  // namespace

std::string mpi_library() {
  const auto program = program_beside(twin);
  if (!program) return "none";
  return library_in(output_of(*program, {"--version"}, patience).value_or(""));
}

std::optional<std::string> hand_over_to_mpi(const std::vector<std::string>& arguments) {
  const auto launch = launch_of(arguments, [](const char* name) { return std::getenv(name); });
  if (!launch) return std::nullopt;
  const auto program = program_beside(twin);
  if (!program)
    return "started as " + *launch + ", but there is no assay-mpi in the folder of this program: it continues alone";
  const int error = execute_from_path(*program, arguments);
  return "started as " + *launch + ", but " + *program + " cannot be run (" + std::system_category().message(error) +
         "): it continues alone";
}

int run_among_ranks(const std::vector<std::string>& arguments, const Fill& fill, AppContext& context) {
  return run_program(arguments, fill, context);
}

std::optional<std::string> rank_program() { return program_beside(twin); }

std::string worker_program() { return own_program(); }

}  // namespace assay
