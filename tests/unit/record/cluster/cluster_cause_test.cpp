// SPDX-License-Identifier: Apache-2.0
// Causes that planted readings of nodes' cores give, and those that they do not.
#include "record/cluster/cluster_verdict.hpp"

#include <gmock/gmock-matchers.h>
#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

namespace assay::cluster {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// What is planted on a node.
struct PlantedNode {
  double alone = 0.98;  ///< share of the time
  double ghz = 2.9;
  double cost = 0.08;
  AloneBecause because = AloneBecause::two_levels;
  int cycles = 3;
  bool by_ranks = false;
};

CoresRecord node(const std::string& name, const PlantedNode& planted = {}) {
  CoresRecord record;
  record.node = name;
  record.cycles_per_step = planted.cycles;
  record.levels = {{0, planted.cost, {3 / planted.ghz}, planted.because, 1000, 900},
                   {1, planted.cost * 1.01, {3 / planted.ghz}, planted.because, 1000, 900}};
  const bool told = planted.because != AloneBecause::nothing;
  record.alone = told ? planted.alone : 0;
  record.shared = told ? 0.9 * (1 - planted.alone) : 0;
  record.by_ranks = planted.by_ranks;
  return record;
}

std::vector<std::string> causes(const PlantedNode& odd, const Symptom& symptom, const PlantedNode& others = {}) {
  const std::vector<CoresRecord> records{node("n0", others), node("n1", others), node("n2", odd), node("n3", others)};
  std::vector<const CoresRecord*> nodes;
  for (const CoresRecord& record : records) nodes.push_back(&record);
  return causes_in_cores(nodes, symptom);
}

Symptom slow(double times) { return {"n2", times, false, false}; }

TEST(ClusterCause, ASharedCoreIsNamed) {
  EXPECT_THAT(causes({.alone = 0.2}, slow(1.6)),
              ElementsAre("its cores were shared 80 % of the time, the others' 2 %"));
  EXPECT_THAT(causes({.alone = 0.2}, {"n2", std::nullopt, false, false}),
              ElementsAre("its cores were shared 80 % of the time, the others' 2 %"));
}

TEST(ClusterCause, SharingIsNoCauseWhereItCannotBe) {
  EXPECT_THAT(causes({.alone = 0.7}, slow(1.6)), IsEmpty()) << "too seldom to move a median";
  EXPECT_THAT(causes({.alone = 0.4}, slow(1.6), {.alone = 0.6}), IsEmpty()) << "the others' were, too";
  EXPECT_THAT(causes({.alone = 0.2}, {"n2", 1.6, true, false}), IsEmpty()) << "the value is of cores alone";
  EXPECT_THAT(causes({.alone = 0.2}, slow(4)), IsEmpty()) << "nobody on a core costs so much";
  EXPECT_THAT(causes({.alone = 0.2}, slow(1.6), {.because = AloneBecause::nothing}), IsEmpty()) << "theirs unknown";
  EXPECT_THAT(causes({.alone = 0.2}, {"n2", 1.6, false, true}), IsEmpty()) << "read elsewhere than it shows";
}

TEST(ClusterCause, ASlowClockIsNamed) {
  EXPECT_THAT(causes({.ghz = 2.1}, slow(1.35)), ElementsAre("its clock is 2.1 GHz, the others' 2.9 GHz"));
  EXPECT_THAT(causes({.ghz = 2.1}, {"n2", 1.35, true, false}),
              ElementsAre("its clock is 2.1 GHz, the others' 2.9 GHz"));
  EXPECT_THAT(causes({.ghz = 2.1, .cycles = 0}, slow(1.35)), ElementsAre("its clock is 0.724 times the others'"));
}

TEST(ClusterCause, AClockThatDoesNotExplainItIsNotNamed) {
  EXPECT_THAT(causes({.ghz = 2.8}, slow(1.35)), IsEmpty());
  EXPECT_THAT(causes({.ghz = 2.6}, slow(2)), IsEmpty());
  EXPECT_THAT(causes({.ghz = 3.6}, slow(1.35)), IsEmpty());
  EXPECT_THAT(causes({.ghz = 2.1}, {"n2", std::nullopt, false, false}), IsEmpty());
}

TEST(ClusterCause, ACoreThatWasNeverAloneIsToldByWhatTheOthersYield) {
  const PlantedNode always_shared{.cost = 0.144, .because = AloneBecause::nothing};
  const auto found = causes(always_shared, slow(1.6));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0],
              testing::HasSubstr("throughput of its cores never exceeded 55.6 % of that of the others' alone"));
  EXPECT_THAT(causes({.because = AloneBecause::nothing}, slow(1.6)), IsEmpty());
  EXPECT_THAT(causes(always_shared, slow(1.6), {.because = AloneBecause::nothing}), IsEmpty());
}

TEST(ClusterCause, ItTakesTwoOthers) {
  const CoresRecord odd = node("n2", {.alone = 0.2, .ghz = 2.1});
  const CoresRecord other = node("n1");
  EXPECT_THAT(causes_in_cores({&odd, &other}, slow(1.4)), IsEmpty());
  EXPECT_THAT(causes_in_cores({}, slow(1.4)), IsEmpty());
}

TEST(ClusterCause, RecordsWithoutANodeAreThoseOfASession) {
  EXPECT_EQ(cores_of_nodes({node("n0"), CoresRecord{}, NoteRecord{"n"}}).size(), 1U);
}

}  // namespace
}  // namespace assay::cluster
