// SPDX-License-Identifier: Apache-2.0
// `assay cluster` on one machine: with a launcher that starts one rank here, and one that plays several nodes.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/programs/program.hpp"

namespace assay::test {
namespace {

using testing::HasSubstr;

constexpr const char* lock_campaign = R"([precision]
rule = fixed:8
warm-up = 0ms
incarnations = 2
max-incarnations = 2
too-noisy = 1
[series.lock]
measurement = synthetic/constant
placement = unbound
)";

Finished cluster(const Scratch& folder, const std::string& launcher) {
  std::ofstream(folder / "campaign.ini") << lock_campaign;
  return run_program(
      {assay_program(), "cluster", folder / "campaign.ini", "--launcher", launcher, "--output", folder / "campaign"});
}

TEST(Cluster, OneNodeIsReportedAndKeptAndGoneOnWith) {
  const Scratch folder;
  const Finished first = cluster(folder, "env");
  EXPECT_EQ(first.exit_code, 0) << first.out << first.err;
  EXPECT_THAT(first.out, HasSubstr("node or link"));
  const auto records = campaign_records(folder);
  ASSERT_EQ(points_of(records, "lock").size(), 1U);
  EXPECT_NE(points_of(records, "lock")[0].point.find("node"), nullptr);
  const Finished shown = run_program({assay_program(), "show", folder / "campaign"});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_EQ(shown.out, first.out);
  const Finished again = cluster(folder, "env");
  EXPECT_EQ(again.exit_code, 0) << again.err;
  const Finished checked = run_program({assay_program(), "journal", "check", folder / "campaign"});
  EXPECT_EQ(checked.exit_code, 0) << checked.out << checked.err;
}

TEST(Cluster, ALauncherThatFailsIsToldWithItsWords) {
  const Scratch folder;
  const Finished finished = cluster(folder, "false");
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.err, HasSubstr("the launch on all nodes exited 1"));
}

TEST(Cluster, OnlyTheCommandItselfGoesOnWithItsResults) {
  const Scratch folder;
  ASSERT_EQ(cluster(folder, "env").exit_code, 0);
  const Finished resumed = run_program({assay_program(), "resume", folder / "campaign"});
  EXPECT_EQ(resumed.exit_code, 2);
  EXPECT_THAT(resumed.err, HasSubstr("contains a cluster's results"));
}

TEST(Cluster, OtherDirectoriesAreNotWrittenTo) {
  const Scratch folder;
  std::filesystem::create_directory(folder / "campaign");
  const Finished finished = cluster(folder, "env");
  EXPECT_EQ(finished.exit_code, 5);
  EXPECT_THAT(finished.err, HasSubstr("contains no cluster's results"));
}

}  // namespace
}  // namespace assay::test
