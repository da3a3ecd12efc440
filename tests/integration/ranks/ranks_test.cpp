// SPDX-License-Identifier: Apache-2.0
// Campaigns whose members are ranks of a launch, by the real launcher where there is one.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <thread>

#include "support/ranks/launch.hpp"

namespace assay::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* ranks_campaign = R"([precision]
rule = fixed:20
warm-up = 0ms
[series.ping]
measurement = mpi/ping_pong
size = 0, 8, 100000
mode = blocking, nonblocking, synchronous, persistent
[series.window]
measurement = mpi/bandwidth
size = 64
window = 16
direction = one, both
[series.together]
measurement = mpi/collective
operation = barrier, bcast, reduce, allreduce, gather, scatter, allgather, alltoall, scan
members = 2, 3
[series.far]
measurement = mpi/ping_pong
placement = other-node
[series.threads]
measurement = thread/create_join
placement = unbound
)";

std::map<Outcome, int> outcomes(const std::vector<Record>& records, const std::string& series) {
  std::map<Outcome, int> counts;
  for (const PointRecord& point : points_of(records, series)) ++counts[point.outcome];
  return counts;
}

/// On a machine where others run every batch may be disturbed; it was measured then as well.
bool was_measured(const PointRecord& point) { return !point.results.empty() || point.outcome == Outcome::too_noisy; }

TEST(Ranks, ALaunchMeasuresItsMessagesAndSaysWhatItCannot) {
  if (!has_launcher()) GTEST_SKIP() << "no assay-mpi, or no mpirun that can start two ranks";
  const Scratch folder;
  const Finished finished = launch(folder, ranks_campaign, 3);
  ASSERT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  const auto records = campaign_records(folder);
  EXPECT_EQ(points_of(records, "ping").size(), 12U);
  EXPECT_EQ(points_of(records, "window").size(), 2U);
  EXPECT_EQ(points_of(records, "together").size(), 18U);
  const bool wait_for_each_other = std::thread::hardware_concurrency() < 3 && is_mpich();
  for (const char* series : {"ping", "window", "together"})
    for (const PointRecord& point : points_of(records, series))
      if (wait_for_each_other && to_text(point.point).find("members=3") != std::string::npos)
        EXPECT_EQ(point.outcome, Outcome::not_applicable)
            << series << " " << to_text(point.point) << ": " << point.reason;
      else
        EXPECT_TRUE(was_measured(point)) << series << " " << to_text(point.point) << ": " << point.reason;
  for (const auto& opened : records_of<IncarnationRecord>(records))
    EXPECT_EQ(opened.incarnation, 0) << "a launch is one incarnation";
  for (const auto& visit : records_of<VisitRecord>(records)) {
    EXPECT_EQ(visit.apart.size(), visit.batches.at(0).batch.members.size()) << "each member looked at its core";
    EXPECT_TRUE(visit.nodes.empty()) << "there is one node";
  }
  EXPECT_EQ(outcomes(records, "far"), (std::map<Outcome, int>{{Outcome::not_applicable, 1}}));
  EXPECT_THAT(points_of(records, "far")[0].reason, HasSubstr("nodes"));
  EXPECT_EQ(outcomes(records, "threads"), (std::map<Outcome, int>{{Outcome::unsupported, 1}}));
}

constexpr const char* clocks_campaign = R"([precision]
rule = fixed:20
warm-up = 0ms
max-time = 1s
[series.windows]
measurement = mpi/collective
start = window
[series.steps]
measurement = mpi/collective
start = dissemination
[series.usual]
measurement = mpi/collective
members = 2, 64
[series.one-way]
measurement = mpi/one_way
[series.burst]
measurement = mpi/burst
burst = 1, 8
delay = 0, 1.5
)";

// What a loaded machine makes of the times is not the matter here.
TEST(Ranks, WindowsAndStampsHaveACommonClockWhoseBoundIsKept) {
  if (!has_launcher()) GTEST_SKIP() << "no assay-mpi, or no launcher that can start two ranks";
  const Scratch folder;
  const Finished finished = launch(folder, clocks_campaign, 2);
  ASSERT_LE(finished.exit_code, 1) << finished.out << finished.err;
  const auto records = campaign_records(folder);
  const std::set<std::string> with_clock{"windows", "one-way"};
  int visits = 0;
  for (const VisitRecord& visit : records_of<VisitRecord>(records)) {
    EXPECT_EQ(visit.clock_bound.has_value(), with_clock.contains(visit.series)) << visit.series;
    visits += visit.clock_bound.has_value() ? 1 : 0;
  }
  EXPECT_GT(visits, 0);
  EXPECT_TRUE(points_of(records, "one-way").at(0).clock_bound);
  const PointRecord windows = points_of(records, "windows").at(0);
  const bool gave_up = windows.outcome == Outcome::unsupported;  // on a machine where others run
  EXPECT_NE(windows.clock_bound.has_value(), gave_up);
  EXPECT_THAT(windows.reason, HasSubstr(gave_up ? "together" : ""));
  EXPECT_EQ(points_of(records, "usual").at(0).point.text("start"), "barrier") << "64 members, more than CPUs";
  EXPECT_EQ(outcomes(records, "usual").count(Outcome::not_applicable), 1U) << "64 members, in a launch of 2";
  EXPECT_EQ(outcomes(records, "steps").count(Outcome::unsupported), 0U);
  EXPECT_EQ(points_of(records, "burst").size(), 4U);
}

TEST(Ranks, AMessageThatWaitsForItsReceiverHasNoSendOverheadOfItsOwn) {
  if (!has_launcher()) GTEST_SKIP() << "no assay-mpi, or no launcher that can start two ranks";
  const Scratch folder;
  launch(folder,
         "[precision]\nrule = fixed:20\nmax-time = 1s\n[series.o]\nmeasurement = mpi/overheads\nbytes = 8, 4Mi\n", 2);
  for (const PointRecord& point : points_of(campaign_records(folder), "o")) {
    const bool is_long = point.point.level("bytes") == Value(std::int64_t{4} << 20);
    EXPECT_EQ(point.outcome == Outcome::unsupported, is_long) << to_text(point.outcome) << ": " << point.reason;
    EXPECT_THAT(point.reason, HasSubstr(is_long ? "fit" : ""));
  }
}

TEST(Ranks, MembersThatOutnumberCpusCannotStartAtAnAgreedTime) {
  if (!has_launcher()) GTEST_SKIP() << "no assay-mpi, or no launcher that can start ranks";
  const int ranks = static_cast<int>(std::thread::hardware_concurrency()) + 1;
  if (ranks > 8) GTEST_SKIP() << "too many CPUs here for a launch that outnumbers them";
  const Scratch folder;
  launch(folder, "[series.w]\nmeasurement = mpi/collective\nstart = window\nmembers = " + std::to_string(ranks) + "\n",
         ranks);
  const auto points = points_of(campaign_records(folder), "w");
  ASSERT_EQ(points.size(), 1U);
  EXPECT_TRUE(points[0].results.empty());
  // MPICH's waits are refused before any rank requests a start.
  if (is_mpich()) {
    EXPECT_EQ(points[0].outcome, Outcome::not_applicable);
    EXPECT_THAT(points[0].reason, HasSubstr("members outnumber CPUs, and the library keeps polling"));
    return;
  }
  // Where others have the CPUs too, some starts succeed by luck, and no batch does: its budget ends first.
  const bool gave_up = points[0].outcome == Outcome::unsupported;
  EXPECT_EQ(points[0].outcome, gave_up ? Outcome::unsupported : Outcome::too_noisy);
  EXPECT_THAT(points[0].reason,
              HasSubstr(gave_up ? "members outnumber CPUs: " + std::to_string(ranks) + " on" : "was disturbed (late "));
}

TEST(Ranks, TheSameCommandAgainAddsTheNextIncarnation) {
  if (!has_launcher()) GTEST_SKIP() << "no assay-mpi, or no mpirun that can start two ranks";
  const Scratch folder;
  const std::string ini =
      "[precision]\nrule = fixed:20\nwarm-up = 0ms\nincarnations = 2\n[series.ping]\nmeasurement = mpi/ping_pong\n";
  std::vector<PointRecord> points;
  // Batches that turn out too short for the clock are calibrated anew, and what was before does not count: then it
  // takes a further launch.
  for (int start = 1; start <= 10 && (points.empty() || points.back().unfinished); ++start) {
    const Finished finished = launch(folder, ini, 2);
    ASSERT_EQ(finished.exit_code, 0) << finished.out << finished.err;
    points = points_of(campaign_records(folder), "ping");
    ASSERT_EQ(points.size(), static_cast<std::size_t>(start));
    if (points.back().outcome == Outcome::too_noisy) GTEST_SKIP() << "others had the CPUs: " << points.back().reason;
  }
  EXPECT_TRUE(points.front().unfinished);
  EXPECT_EQ(points.front().results.at(0).incarnations, 1);
  EXPECT_FALSE(points.back().unfinished);
  std::set<int> incarnations;
  for (const auto& opened : records_of<IncarnationRecord>(campaign_records(folder)))
    incarnations.insert(opened.incarnation);
  EXPECT_EQ(incarnations.size(), points.size()) << "each start is another one";
  const std::size_t before = campaign_records(folder).size();
  EXPECT_EQ(launch(folder, ini, 2).exit_code, 0);
  EXPECT_EQ(campaign_records(folder).size(), before) << "everything is measured already";
}

TEST(Ranks, WithoutALauncherTheSeriesSaysWhatItNeeds) {
  const Scratch folder;
  std::filesystem::copy_file(assay_program(), folder / "assay");  // nothing beside it that ranks could run
  std::ofstream(folder / "campaign.ini") << "[series.ping]\nmeasurement = mpi/ping_pong\n";
  const Finished finished =
      run_program({folder / "assay", "run", folder / "campaign.ini", "--output", folder / "campaign"});
  EXPECT_EQ(finished.exit_code, 1) << "nothing was measured: " << finished.err;
  const auto points = points_of(campaign_records(folder), "ping");
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].outcome, Outcome::unsupported);
  EXPECT_THAT(points[0].reason, HasSubstr("--launcher"));
}

TEST(Ranks, AWayToStartIsForRanksAlone) {
  const Scratch folder;
  const Finished finished = run_campaign_text(folder, "[series.a]\nmeasurement = sync/lock\nstart = window\n");
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, HasSubstr("campaign.ini:3:9:"));
}

TEST(Ranks, AnUnknownPlacementOfRanksIsRefusedWithThoseThatThereAre) {
  const Scratch folder;
  const Finished finished =
      run_campaign_text(folder, "[series.ping]\nmeasurement = mpi/ping_pong\nplacement = other-nodes\n");
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, AllOf(HasSubstr("campaign.ini:3:13:"), HasSubstr("'other-nodes'")));
  EXPECT_THAT(finished.err, HasSubstr("other-node"));
}

}  // namespace
}  // namespace assay::test
