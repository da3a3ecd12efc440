// SPDX-License-Identifier: Apache-2.0
// Ranks that misbehave in launches of the real launcher, where there is one.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/environment/paths.hpp"
#include "support/ranks/launch.hpp"

namespace assay::test {
namespace {

using testing::HasSubstr;

bool has_faulty_ranks() { return !rank_fault_plugin_path().empty() && has_launcher(); }

/// Ends no visit of a machine at work with something else.
constexpr const char* ample = "100s";

/// Two points, one of which misbehaves: `what` on its second rank, once or always.
Finished run_with(const Scratch& folder, const std::string& what, bool once, const std::string& keys = {},
                  const char* deadline = ample) {
  std::ofstream(folder / "campaign.ini")
      << "[campaign]\nplugins = " << rank_fault_plugin_path()
      << "\nlauncher = mpirun --oversubscribe --bind-to none -np {n}\n"
      << "max-failed = 100%\n"
      << keys << "[precision]\nrule = fixed:20\nwarm-up = 0ms\ndeadline = " << deadline
      << "\nincarnations = 2\n[series.ranks]\nmeasurement = fixture/rank\nwhat = none, " << what << "\n";
  auto environment = launch_environment();
  if (once) environment.push_back("ASSAY_FAULT_ONCE=" + (folder / "once"));
  return run_program({assay_program(), "run", folder / "campaign.ini", "--output", folder / "campaign"}, environment);
}

void expect_survived(const std::string& what, const std::string& told, const char* deadline = ample) {
  const Scratch folder;
  const Finished finished = run_with(folder, what, true, {}, deadline);
  ASSERT_EQ(finished.exit_code, 0) << what << finished.out << finished.err;
  const auto records = campaign_records(folder);
  for (const PointRecord& point : points_of(records, "ranks"))
    EXPECT_FALSE(point.results.empty()) << to_text(point.point) << ": " << point.reason;
  const auto failures = records_of<FailureRecord>(records);
  ASSERT_EQ(failures.size(), 1U) << what;
  EXPECT_THAT(failures[0].reason, HasSubstr(told)) << failures[0].output;
}

TEST(RankFaults, F42_a_rank_that_dies_costs_one_launch) {
  if (!has_faulty_ranks()) GTEST_SKIP() << "no assay-mpi, or no mpirun that can start two ranks";
  for (const char* what : {"kill", "segv", "exit", "abort"}) expect_survived(what, "the launcher exited");
}

TEST(RankFaults, F43_a_rank_that_waits_or_stands_still_costs_one_launch) {
  if (!has_faulty_ranks()) GTEST_SKIP() << "no assay-mpi, or no mpirun that can start two ranks";
  for (const char* what : {"receive", "stop"}) expect_survived(what, "no record within", "3s");
}

TEST(RankFaults, F44_a_launcher_that_is_killed_leaves_no_rank_and_is_followed_by_another) {
  if (!has_faulty_ranks()) GTEST_SKIP() << "no assay-mpi, or no mpirun that can start two ranks";
  expect_survived("launcher", "killed by SIGKILL");
}

TEST(RankFaults, F46_a_rank_that_says_too_much_does_not_break_the_others) {
  if (!has_faulty_ranks()) GTEST_SKIP() << "no assay-mpi, or no mpirun that can start two ranks";
  const Scratch folder;
  const Finished finished = run_with(folder, "loud", false);
  EXPECT_EQ(finished.exit_code, 1) << finished.out << finished.err;
  EXPECT_TRUE(records_of<FailureRecord>(campaign_records(folder)).size() == 1U) << "one visit, and no launch is lost";
  for (const PointRecord& point : points_of(campaign_records(folder), "ranks"))
    EXPECT_EQ(point.outcome == Outcome::failed, point.point.text("what") == "loud") << point.reason;
}

TEST(RankFaults, F45_what_one_rank_alone_cannot_do_is_told_with_the_rank) {
  if (!has_faulty_ranks()) GTEST_SKIP() << "no assay-mpi, or no mpirun that can start two ranks";
  const Scratch folder;
  const Finished finished = run_with(folder, "throw, build", false, "relaunch = 0\n");
  EXPECT_EQ(finished.exit_code, 1) << finished.out << finished.err;
  for (const PointRecord& point : points_of(campaign_records(folder), "ranks")) {
    const std::string what = point.point.text("what");
    if (what == "none") {
      EXPECT_FALSE(point.results.empty()) << point.reason;
      continue;
    }
    EXPECT_EQ(point.outcome, Outcome::failed) << what;
    EXPECT_THAT(point.reason, HasSubstr("rank 1: ")) << what;
    EXPECT_THAT(point.reason, HasSubstr(what == "throw" ? "has had enough" : "cannot be built"));
  }
}

}  // namespace
}  // namespace assay::test
