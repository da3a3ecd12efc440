// SPDX-License-Identifier: Apache-2.0
// The program without MPI and its twin beside it: who loads MPI, who becomes whom, who is asked for the library.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/programs/program.hpp"

namespace assay::test {
namespace {

namespace fs = std::filesystem;

/// A copy of the program in a folder of its own, where a script can play the twin.
class MpiProgramTest : public testing::Test {
 protected:
  void SetUp() override { fs::copy_file(assay_program(), program_); }

  void add_twin(const std::string& script) {
    std::ofstream(folder_ / "assay-mpi") << "#!/bin/sh\n" << script << "\n";
    fs::permissions(folder_ / "assay-mpi", fs::perms::owner_all);
  }

  Scratch folder_;
  std::string program_ = folder_ / "assay";
};

TEST_F(MpiProgramTest, LoadsNoMpiItself) {
  const auto loaded = run_program({assay_program(), "--version"}, {"LD_TRACE_LOADED_OBJECTS=1"});
  ASSERT_NE(loaded.out.find("libc.so"), std::string::npos) << loaded.out;
  for (const char* library : {"libmpi", "libpmix", "libopen-"})
    EXPECT_EQ(loaded.out.find(library), std::string::npos) << loaded.out;
}

TEST_F(MpiProgramTest, LoadsHwlocOnlyToReadATopology) {
  if (!fs::exists(fs::path(assay_program()).parent_path() / "assay-history"))
    GTEST_SKIP() << "without assay-history the program is linked with hwloc, as its package has to depend on it";
  const auto loaded = run_program({assay_program(), "--version"}, {"LD_TRACE_LOADED_OBJECTS=1"});
  EXPECT_EQ(loaded.out.find("libhwloc"), std::string::npos) << loaded.out;
  EXPECT_EQ(run_program({assay_program(), "placements"}).exit_code, 0);
}

TEST_F(MpiProgramTest, ARankOfALaunchBecomesTheTwinWithTheSameArguments) {
  add_twin("printf 'twin'; printf ' <%s>' \"$@\"");
  for (const char* rank : {"OMPI_COMM_WORLD_RANK=0", "PMIX_RANK=2", "PMI_RANK=1"})
    EXPECT_EQ(run_program({program_, "show", "a b"}, {rank}).out, "twin <show> <a b>") << rank;
  EXPECT_TRUE(run_program({program_, "--version"}).out.starts_with("assay ")) << "without a launcher";
  EXPECT_EQ(run_program({program_, "worker"}, {"PMIX_RANK=2"}).out, "") << "a worker is what its supervisor started";
}

TEST_F(MpiProgramTest, ARankWithoutATwinSaysSoAndGoesOn) {
  const auto finished = run_program({program_, "--version"}, {"PMIX_RANK=1"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_TRUE(finished.out.starts_with("assay ")) << finished.out;
  EXPECT_NE(finished.err.find("rank 1 of an MPI launch (PMIX_RANK)"), std::string::npos) << finished.err;
  EXPECT_NE(finished.err.find("no assay-mpi in the folder of this program"), std::string::npos) << finished.err;
}

TEST_F(MpiProgramTest, TheTwinIsAskedForTheLibrary) {
  const auto line = [&] {
    const auto out = run_program({program_, "--version"}).out;
    return out.substr(out.find("\nMPI: ") + 1);
  };
  EXPECT_EQ(line(), "MPI: none\n");
  add_twin("echo 'assay 0.1.0'; echo 'MPI: Made-up MPI 7'");
  EXPECT_EQ(line(), "MPI: Made-up MPI 7\n");
  add_twin("exit 3");
  EXPECT_EQ(line(), "MPI: unknown\n");
}

}  // namespace
}  // namespace assay::test
