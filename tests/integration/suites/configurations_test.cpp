// SPDX-License-Identifier: Apache-2.0
// Each file of configs/ through the real program, as far as it can be without measuring.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/environment/paths.hpp"
#include "support/programs/program.hpp"

namespace assay::test {
namespace {

TEST(Configurations, EachIsPlannedWithoutMeasuring) {
  int planned = 0;
  for (const auto& file : std::filesystem::directory_iterator(source_directory() + "/configs")) {
    if (file.path().extension() != ".ini") continue;
    const auto finished = run_assay({"plan", file.path()});
    EXPECT_EQ(finished.exit_code, 0) << file.path() << finished.err;
    EXPECT_FALSE(finished.out.empty());
    ++planned;
  }
  EXPECT_GE(planned, 4);
}

}  // namespace
}  // namespace assay::test
