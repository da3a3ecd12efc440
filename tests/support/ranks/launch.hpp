// SPDX-License-Identifier: Apache-2.0
// Campaigns whose members are ranks of a launch, by the real launcher where there is one.
#pragma once
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/environment/paths.hpp"
#include "support/programs/program.hpp"

namespace assay::test {

/// Giving way, so that ranks may outnumber CPUs; what a sanitizer says of the library is not ours.
inline std::vector<std::string> launch_environment() {
  return {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "OMPI_MCA_mpi_yield_when_idle=1",
          "OMPI_MCA_btl_vader_single_copy_mechanism=none", "ASAN_OPTIONS=detect_leaks=0"};
}

/// MPICH's ranks poll on while they wait, whatever they are told.
inline bool is_mpich() { return run_program({mpi_launcher(), "--version"}).out.find("HYDRA") != std::string::npos; }

/// The command that starts ranks which may outnumber the CPUs, each where the kernel likes.
inline std::vector<std::string> launcher(int ranks) {
  std::vector<std::string> words{mpi_launcher()};
  if (!is_mpich()) words.insert(words.end(), {"--oversubscribe", "--bind-to", "none"});
  words.insert(words.end(), {"-n", std::to_string(ranks)});
  return words;
}

/// A command on so many ranks; ended after four minutes.
inline Finished launched(int ranks, const std::vector<std::string>& command,
                         const std::vector<std::string>& environment = {}) {
  std::vector<std::string> words{"timeout", "-k", "10", "240"};
  for (const auto& part : {launcher(ranks), command}) words.insert(words.end(), part.begin(), part.end());
  std::vector<std::string> all = launch_environment();
  all.insert(all.end(), environment.begin(), environment.end());
  return run_program(words, all);
}

inline bool has_launcher() {
  return !mpi_launcher().empty() &&
         std::filesystem::exists(std::filesystem::path(assay_program()).parent_path() / "assay-mpi") &&
         run_program({"sh", "-c", "command -v " + mpi_launcher()}).exit_code == 0 &&
         launched(2, {"true"}).exit_code == 0;
}

/// `assay` with arguments on so many ranks.
inline Finished launch_assay(int ranks, const std::vector<std::string>& arguments,
                             const std::vector<std::string>& environment = {}) {
  std::vector<std::string> command{assay_program()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return launched(ranks, command, environment);
}

/// A campaign file by its text, into `folder/campaign`.
inline Finished launch(const Scratch& folder, const std::string& ini, int ranks,
                       const std::vector<std::string>& environment = {}) {
  std::ofstream(folder / "campaign.ini") << ini;
  return launch_assay(ranks, {"run", folder / "campaign.ini", "--output", folder / "campaign"}, environment);
}

}  // namespace assay::test
