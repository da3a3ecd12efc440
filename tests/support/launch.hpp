// SPDX-License-Identifier: Apache-2.0
// Campaigns whose members are ranks of a launch, by the real launcher where there is one.
#pragma once
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/program.hpp"

namespace assay::test {

/// Giving way, so that ranks may outnumber CPUs; what a sanitizer says of the library is not ours.
inline std::vector<std::string> launch_environment() {
  return {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "OMPI_MCA_mpi_yield_when_idle=1",
          "OMPI_MCA_btl_vader_single_copy_mechanism=none", "ASAN_OPTIONS=detect_leaks=0"};
}

inline bool has_launcher() {
  return std::filesystem::exists(std::filesystem::path(assay_program()).parent_path() / "assay-mpi") &&
         run_program({"sh", "-c", "command -v mpirun"}).exit_code == 0 &&
         run_program({"mpirun", "--oversubscribe", "-np", "2", "true"}, launch_environment()).exit_code == 0;
}

/// `assay` with arguments on so many ranks; ended after four minutes.
inline Finished launch_assay(int ranks, const std::vector<std::string>& arguments,
                             const std::vector<std::string>& environment = {}) {
  std::vector<std::string> command{"timeout",         "-k",        "10",   "240", "mpirun",
                                   "--oversubscribe", "--bind-to", "none", "-np", std::to_string(ranks),
                                   assay_program()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  std::vector<std::string> all = launch_environment();
  all.insert(all.end(), environment.begin(), environment.end());
  return run_program(command, all);
}

/// A campaign file by its text, into `folder/campaign`.
inline Finished launch(const Scratch& folder, const std::string& ini, int ranks,
                       const std::vector<std::string>& environment = {}) {
  std::ofstream(folder / "campaign.ini") << ini;
  return launch_assay(ranks, {"run", folder / "campaign.ini", "--output", folder / "campaign"}, environment);
}

}  // namespace assay::test
