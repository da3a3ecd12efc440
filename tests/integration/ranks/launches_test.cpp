// SPDX-License-Identifier: Apache-2.0
// Campaigns that start launches, by a launcher that does wrong on demand and needs no MPI.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "run/mpi/shard.hpp"
#include "support/environment/paths.hpp"
#include "support/programs/program.hpp"

namespace assay::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* campaign = R"([precision]
warm-up = 0ms
deadline = 100s
eps = 2%
[series.ping]
measurement = mpi/ping_pong
size = 0, 8, 100
[series.made-up]
measurement = synthetic/normal
placement = unbound
)";

/// The program with something beside it that may be started, as a build with MPI has.
class Launching : public testing::Test {
 protected:
  void SetUp() override {
    fs::copy_file(assay_program(), program_);
    std::ofstream(folder_ / "assay-mpi") << "#!/bin/sh\necho 'MPI: made up'\n";
    fs::permissions(folder_ / "assay-mpi", fs::perms::owner_all);
    std::ofstream(folder_ / "campaign.ini") << campaign;
  }

  Finished run(const std::string& faults, const std::vector<std::string>& options = {}) {
    std::vector<std::string> command{program_,
                                     "run",
                                     folder_ / "campaign.ini",
                                     "--output",
                                     directory(),
                                     "--launcher",
                                     fake_launcher_path() + " " + faults + " {n}"};
    command.insert(command.end(), options.begin(), options.end());
    return run_program(command);
  }
  std::string directory() const { return folder_ / "campaign"; }
  std::vector<Record> records() const { return read_journal(directory()).records; }
  std::string check() const { return run_program({program_, "journal", "check", directory()}).out; }

  /// All points have results, of five launches or more, and nothing is left over.
  void expect_all_measured() const {
    const auto ping = points_of(records(), "ping");
    ASSERT_EQ(ping.size(), 3U);
    for (const PointRecord& point : ping) {
      ASSERT_FALSE(point.results.empty()) << to_text(point.point) << ": " << point.reason;
      EXPECT_GE(point.results[0].incarnations, 5) << to_text(point.point);
    }
    EXPECT_EQ(points_of(records(), "made-up").size(), 1U);
    EXPECT_TRUE(leftover_launches(directory()).empty());
    EXPECT_THAT(check(), HasSubstr("the journal is intact"));
  }

  Scratch folder_;
  std::string program_ = folder_ / "assay";
};

TEST_F(Launching, EachLaunchIsOneIncarnationOfItsPointsUntilTheyAreFinished) {
  const Finished finished = run("");
  ASSERT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  expect_all_measured();
  // Dealt evenly: every launch pays each point three visits or more.
  std::map<std::pair<std::string, int>, int> visits;
  for (const auto& visit : records_of<VisitRecord>(records()))
    if (visit.series == "ping") ++visits[{to_text(visit.point), visit.incarnation}];
  EXPECT_EQ(visits.size(), 15U);
  for (const auto& [whose, count] : visits) EXPECT_GE(count, 3) << whose.first << " in launch " << whose.second;
  int begun = 0;
  for (const auto& launch : records_of<LaunchRecord>(records())) {
    if (!launch.ended.empty()) continue;
    ++begun;
    EXPECT_EQ(launch.ranks.size(), 2U);
  }
  EXPECT_EQ(begun, 5);
}

TEST_F(Launching, F42_a_launch_that_dies_in_a_visit_costs_that_visit_and_is_followed_by_another) {
  const Finished finished = run("die=8");
  ASSERT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  expect_all_measured();
  const auto failures = records_of<FailureRecord>(records());
  ASSERT_EQ(failures.size(), 1U);
  EXPECT_EQ(failures[0].outcome, Outcome::failed);
  EXPECT_THAT(failures[0].reason, HasSubstr("SIGKILL"));
}

TEST_F(Launching, F42_a_point_that_always_kills_its_launch_fails_and_the_rest_is_kept) {
  const Finished finished = run("die-always=1", {"--set", "campaign.relaunch=1", "--set", "campaign.max-failed=100%"});
  EXPECT_EQ(finished.exit_code, 1) << finished.out << finished.err;
  for (const PointRecord& point : points_of(records(), "ping"))
    EXPECT_EQ(point.outcome, Outcome::failed) << point.reason;
  EXPECT_EQ(records_of<FailureRecord>(records()).size(), 6U) << "two launches for each of three points";
  EXPECT_FALSE(points_of(records(), "made-up").at(0).results.empty());
  EXPECT_THAT(check(), HasSubstr("the journal is intact"));
}

TEST_F(Launching, F43_a_launch_without_a_sign_of_life_is_killed_and_times_out) {
  const Finished finished = run("hang=3", {"--set", "campaign.relaunch=0", "--set", "series.ping.size=8", "--set",
                                           "series.ping.deadline=300ms", "--set", "campaign.max-failed=100%"});
  EXPECT_EQ(finished.exit_code, 1) << finished.out << finished.err;
  const auto points = points_of(records(), "ping");
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].outcome, Outcome::timeout);
  EXPECT_THAT(points[0].reason, HasSubstr("0.3"));
}

TEST_F(Launching, F44_what_a_launch_wrote_is_taken_over_when_the_campaign_goes_on) {
  const Finished lost = run("kill-watcher=20");
  ASSERT_EQ(lost.exit_code, 128 + 9) << lost.out << lost.err;
  ASSERT_EQ(leftover_launches(directory()), std::vector<int>{1});
  EXPECT_THAT(check(), HasSubstr("launch"));
  const auto before = records_of<VisitRecord>(records()).size();
  const Finished finished = run("");
  ASSERT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  EXPECT_THAT(finished.err, HasSubstr("launch 1 left"));
  expect_all_measured();
  std::set<int> numbers;
  for (const auto& visit : records_of<VisitRecord>(records())) EXPECT_TRUE(numbers.insert(visit.visit).second);
  EXPECT_GT(numbers.size(), before);
}

TEST_F(Launching, F47_a_launcher_that_starts_nothing_is_told_with_its_own_words) {
  const Finished finished = run("refuse=7");
  EXPECT_EQ(finished.exit_code, 3) << finished.out;
  EXPECT_THAT(finished.err, HasSubstr("slots"));
  EXPECT_THAT(finished.err, HasSubstr("--oversubscribe"));
  const Finished missing = run_program({program_, "run", folder_ / "campaign.ini", "--launcher",
                                        "no-such-launcher -n {n}", "--output", folder_ / "other"});
  EXPECT_EQ(missing.exit_code, 3);
  EXPECT_THAT(missing.err, HasSubstr("'no-such-launcher'"));
}

TEST_F(Launching, TheLauncherComesFromTheEnvironmentToo) {
  const Finished finished = run_program({program_, "run", folder_ / "campaign.ini", "--output", directory()},
                                        {"ASSAY_LAUNCHER=" + fake_launcher_path() + " refuse=4"});
  EXPECT_EQ(finished.exit_code, 3) << finished.out;
  EXPECT_THAT(finished.err, HasSubstr("it exited 4"));
}

}  // namespace
}  // namespace assay::test
