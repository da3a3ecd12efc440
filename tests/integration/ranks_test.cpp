// SPDX-License-Identifier: Apache-2.0
// Campaigns whose members are ranks of a launch, by the real launcher where there is one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "support/launch.hpp"

namespace assay::test {
namespace {

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

TEST(Ranks, ALaunchMeasuresItsMessagesAndSaysWhatItCannot) {
  if (!has_launcher()) GTEST_SKIP() << "no assay-mpi, or no mpirun that can start two ranks";
  const Scratch folder;
  const Finished finished = launch(folder, ranks_campaign, 3);
  ASSERT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  const auto records = campaign_records(folder);
  EXPECT_EQ(points_of(records, "ping").size(), 12U);
  EXPECT_EQ(points_of(records, "window").size(), 2U);
  EXPECT_EQ(points_of(records, "together").size(), 18U);
  for (const char* series : {"ping", "window", "together"})
    for (const PointRecord& point : points_of(records, series))
      EXPECT_FALSE(point.results.empty()) << series << " " << to_text(point.point) << ": " << point.reason;
  for (const auto& opened : records_of<IncarnationRecord>(records))
    EXPECT_EQ(opened.incarnation, 0) << "a launch is one incarnation";
  EXPECT_EQ(outcomes(records, "far"), (std::map<Outcome, int>{{Outcome::not_applicable, 1}}));
  EXPECT_THAT(points_of(records, "far")[0].reason, HasSubstr("needs 2 nodes, and the launch is on 1"));
  EXPECT_EQ(outcomes(records, "threads"), (std::map<Outcome, int>{{Outcome::unsupported, 1}}));
}

TEST(Ranks, WithoutALauncherTheSeriesSaysWhatItNeeds) {
  const Scratch folder;
  const Finished finished = run_campaign_text(folder, "[series.ping]\nmeasurement = mpi/ping_pong\n");
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  const auto points = points_of(campaign_records(folder), "ping");
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].outcome, Outcome::unsupported);
  EXPECT_THAT(points[0].reason, HasSubstr("needs MPI: start the program as ranks"));
}

TEST(Ranks, AnUnknownPlacementOfRanksIsRefusedWithThoseThatThereAre) {
  const Scratch folder;
  const Finished finished =
      run_campaign_text(folder, "[series.ping]\nmeasurement = mpi/ping_pong\nplacement = other-nodes\n");
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, HasSubstr("campaign.ini:3:13: error: unknown placement of ranks 'other-nodes'"));
  EXPECT_THAT(finished.err, HasSubstr("other-node"));
}

}  // namespace
}  // namespace assay::test
