// SPDX-License-Identifier: Apache-2.0
// Dealing a campaign to nodes and links, and the words of launches.
#include "app/cluster/cluster_plan.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "app/cli/mpi.hpp"
#include "app/cluster/link_points.hpp"
#include "app/cluster/node_launch.hpp"
#include "base/error.hpp"
#include "run/mpi/mpi_launches.hpp"
#include "support/campaigns/fake_plan.hpp"

namespace assay::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

SeriesPlan ranks(const std::string& name, const std::string& measurement, const std::vector<std::string>& meeting) {
  SeriesPlan series = fake_series(name, {words("meeting", meeting), words("vehicle", {"mpi"})});
  series.measurement.name = measurement;
  return series;
}

TEST(ClusterPlan, SeriesOfRanksAreLinksAndTheRestIsMeasuredOnNodes) {
  const auto dealt = cluster_plan(fake_plan({fake_series("lock", {}), ranks("links", link_measurement, {"together"})}));
  EXPECT_THAT(dealt.node_series, ElementsAre("lock"));
  EXPECT_THAT(dealt.link_series, ElementsAre("links"));
}

TEST(ClusterPlan, OtherSeriesOfRanksAreRefused) {
  EXPECT_THROW(cluster_plan(fake_plan({ranks("ping", "mpi/ping_pong", {"together"})})), ConfigError);
}

TEST(ClusterPlan, ATournamentOfSoManyNodesHasSoManyRounds) {
  const auto plan = [](const std::string& meeting) {
    return cluster_plan(fake_plan({ranks("links", link_measurement, {meeting})}));
  };
  EXPECT_THAT(link_arguments(plan("together"), 4), Contains("series.links.round=0..2 +1"));
  EXPECT_THAT(link_arguments(plan("together"), 5), Contains("series.links.round=0..4 +1"));
  EXPECT_THAT(link_arguments(plan("together"), 2), Contains("series.links.round=0"));
  EXPECT_THAT(link_arguments(plan("alone"), 4), Contains("series.links.round=0..5 +1"));
  EXPECT_THAT(link_arguments(plan("alone"), 4), Contains("series.links.members=4"));
  EXPECT_THAT(link_arguments(plan("alone"), 4), Contains("series.links.state=any"));
  EXPECT_THAT(link_arguments(plan("alone"), 2), Not(Contains("series.links.state=any"))) << "the pair is all";
}

TEST(ClusterPlan, ALaunchersWordsAreSplitAtBlanksAndSeenByNoShell) {
  EXPECT_THAT(launcher_words(" srun  --mpi=pmix -N 2; rm"), ElementsAre("srun", "--mpi=pmix", "-N", "2;", "rm"));
}

TEST(ClusterPlan, ALaunchThatCannotBeStartedSaysSo) {
  TerminationSignals signals;
  const auto launched = launch({"/nowhere/launcher"}, {"assay"}, signals);
  EXPECT_FALSE(launched.ok);
  EXPECT_THAT(launched.output, testing::HasSubstr("/nowhere/launcher"));
  EXPECT_EQ(launch({"sh", "-c"}, {"echo text; exit 3"}, signals).ending, "exited 3");
}

TEST(ClusterPlan, RanksAreToldByTheirLaunchers) {
  const auto slurm = [](const char* name) -> const char* {
    if (std::string(name) == "SLURM_NTASKS") return "4";
    return std::string(name) == "SLURM_PROCID" ? "3" : std::string(name) == "SLURM_LOCALID" ? "0" : nullptr;
  };
  EXPECT_EQ(launch_size(slurm), 4);
  EXPECT_EQ(launch_rank(slurm), 3);
  EXPECT_EQ(launch_rank_on_node(slurm), 0);
  EXPECT_EQ(launch_rank([](const char*) -> const char* { return nullptr; }), std::nullopt);
}

}  // namespace
}  // namespace assay::test
