// SPDX-License-Identifier: Apache-2.0
// Who is a rank, and what the twin says of its library.
#include "app/cli/mpi.hpp"

#include <gtest/gtest.h>

#include <map>

namespace assay {
namespace {

std::optional<std::string> launch(const std::map<std::string, const char*>& variables,
                                  const std::vector<std::string>& arguments = {"run", "a.ini"}) {
  return launch_of(arguments, [&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second;
  });
}

TEST(MpiLaunch, IsKnownByTheVariablesOfRanks) {
  EXPECT_EQ(launch({{"OMPI_COMM_WORLD_RANK", "3"}, {"PMIX_RANK", "3"}}),
            "rank 3 of an MPI launch (OMPI_COMM_WORLD_RANK)");
  EXPECT_EQ(launch({{"PMIX_RANK", "0"}}), "rank 0 of an MPI launch (PMIX_RANK)");
  EXPECT_EQ(launch({{"PMI_RANK", "1"}}, {}), "rank 1 of an MPI launch (PMI_RANK)");
}

TEST(MpiLaunch, IsNotSeenWhereThereIsNone) {
  EXPECT_FALSE(launch({}));
  EXPECT_FALSE(launch({{"PMIX_RANK", ""}}));
  EXPECT_FALSE(launch({{"SLURM_PROCID", "1"}})) << "a task of Slurm need not be a rank";
  EXPECT_FALSE(launch({{"PMIX_RANK", "0"}}, {"worker"}));
}

TEST(MpiLibrary, IsTheLineOfTheTwinsVersion) {
  EXPECT_EQ(library_in("assay 1\nMPI: Open MPI v4, package: x\nmore"), "Open MPI v4, package: x");
  EXPECT_EQ(library_in("assay 1\nMPI: Open MPI v4"), "Open MPI v4");
  EXPECT_EQ(library_in(""), "unknown");
}

}  // namespace
}  // namespace assay
