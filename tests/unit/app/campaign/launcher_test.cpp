// SPDX-License-Identifier: Apache-2.0
// Which campaigns need MPI for several threads: found before MPI begins, and assumed where it cannot be found.
#include "app/campaign/launcher.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "support/environment/scratch.hpp"

namespace assay {
namespace {

Description for_ranks(const std::string& name, const std::vector<std::string>& factors) {
  Description one;
  one.name = name;
  one.traits.vehicles = {"mpi"};
  for (const std::string& factor : factors) one.factors.push_back({.name = factor});
  return one;
}

class RankThreads : public ::testing::Test {
 protected:
  RankThreads() {
    const auto none = [](assay::Setup&) { return std::unique_ptr<Measurement>(); };
    registry_.add(for_ranks("mpi/trip", {}), none);
    registry_.add(for_ranks("mpi/rate", {"threads"}), none);
    registry_.add(for_ranks("hybrid/trip", {"threads", "level"}), none);
    Description alone = for_ranks("omp/loop", {"threads"});
    alone.traits.vehicles = {"thread"};
    registry_.add(alone, none);
  }
  bool may(const std::string& text, const std::vector<std::string>& overrides = {}) const {
    return may_have_threads_in_ranks({CampaignSource("made up", text)}, overrides, registry_);
  }
  Registry registry_;
  test::Scratch scratch_;
};

TEST_F(RankThreads, AreAskedForByFactors) {
  EXPECT_FALSE(may(""));
  EXPECT_FALSE(may("[series.a]\nmeasurement = mpi/trip\n[series.b]\nmeasurement = omp/loop\nthreads = 2\n"));
  EXPECT_FALSE(may("[series.a]\nmeasurement = mpi/rate\n"));
  EXPECT_FALSE(may("[series.a]\nmeasurement = mpi/rate\nthreads = 1\n"));
  EXPECT_TRUE(may("[series.b]\nmeasurement = mpi/trip\n[series.a]\nmeasurement = mpi/rate\nthreads = 1, 2\n"));
  EXPECT_TRUE(may("[series.a]\nmeasurement = \"hybrid/trip\"\n"));
  EXPECT_FALSE(may("[series.a]\nmeasurement = hybrid/trip\nlevel = single\n"));
  EXPECT_TRUE(may("[series.a]\nmeasurement = hybrid/trip\nlevel = single, funneled\n"));
}

TEST_F(RankThreads, MayComeFromOverrides) {
  const std::string text = "[series.a]\nmeasurement = mpi/trip\n";
  EXPECT_FALSE(may(text, {"precision.eps=5%", "series.a.bytes=64"}));
  for (const char* one : {"series.a.measurement=hybrid/trip", "threads=2", "series.a.level=all"})
    EXPECT_TRUE(may(text, {"precision.eps=5%", one})) << one;
}

TEST_F(RankThreads, AreAssumedWhereItIsNotKnown) {
  EXPECT_TRUE(may("[series.a]\nmeasurement = of/a-plugin\n"));
  EXPECT_TRUE(may("no campaign\n"));
  std::ofstream(scratch_ / "there.ini") << "[series.a]\nmeasurement = mpi/trip\n";
  EXPECT_FALSE(may_have_threads_in_ranks({CampaignSource(scratch_ / "there.ini")}, {}, registry_));
}

// The disk of rank 0 need not be that of the others.
TEST_F(RankThreads, AreNotAssumedWhereTheFileIsOfAnotherNode) {
  EXPECT_FALSE(may_have_threads_in_ranks({CampaignSource(scratch_ / "absent.ini")}, {}, registry_));
  EXPECT_FALSE(may_have_threads_in_ranks({CampaignSource(scratch_.path().string())}, {}, registry_));
}

TEST_F(RankThreads, LevelIsAFactOfCampaignsWithRanksOnly) {
  CampaignPlan plan;
  plan.series.resize(1);
  SeriesPlan& series = plan.series.front();
  series.measurement = for_ranks("mpi/rate", {"threads"});
  series.factors.resize(2);
  series.factors[0].name = "vehicle";
  series.factors[0].domain.levels = {std::string("thread")};
  series.factors[1].name = "threads";
  series.factors[1].domain.levels = {std::int64_t{1}};
  EXPECT_TRUE(thread_level_fact(plan, nullptr).empty());
  series.factors[0].domain.levels = {std::string("mpi")};
  EXPECT_EQ(thread_level_fact(plan, nullptr), (Facts{{"mpi.thread_level", "single"}}));
  series.factors[1].domain.levels = {std::int64_t{1}, std::int64_t{2}};
  EXPECT_EQ(thread_level_fact(plan, nullptr), (Facts{{"mpi.thread_level", "multiple"}}));
}

}  // namespace
}  // namespace assay
