// SPDX-License-Identifier: Apache-2.0
// What a screening promises, on simulated clusters of fixed seeds.
#include <gtest/gtest.h>

#include <set>

#include "stats/screening/screening.hpp"
#include "support/clusters/simulated_cluster.hpp"

namespace assay {
namespace {

constexpr std::size_t planted = 3;
constexpr double slower = 1.25;

struct Outcomes {
  std::size_t found = 0;
  std::size_t wrong = 0;
  std::size_t most_tests = 0;
};

Outcomes screen_with_slow_nodes(std::size_t nodes, int clusters) {
  Outcomes outcomes;
  for (int i = 0; i < clusters; ++i) {
    Rng rng = Rng(static_cast<std::uint64_t>(i)).substream("slow nodes");
    std::set<std::size_t> slow;
    while (slow.size() < planted) slow.insert(rng.below(nodes));
    test::ClusterFaults faults;
    for (const std::size_t node : slow) faults.nodes.emplace_back(node, slower);
    test::SimulatedCluster cluster(test::fabric_of(test::Wiring::fat_tree, nodes), {}, faults, rng.next());
    ScreeningOptions options;
    options.seed = rng.next();
    const ScreeningReport report = cluster.screened(options);
    outcomes.most_tests = std::max(outcomes.most_tests, report.tests);
    for (const Confirmed& one : report.slow()) {
      const bool is_right = one.suspect.unit.kind == UnitKind::node && slow.contains(one.suspect.unit.first);
      ++(is_right ? outcomes.found : outcomes.wrong);
    }
  }
  return outcomes;
}

TEST(ScreeningProperties, OfAThousandNodesThreeSlowOnesAreFoundAndOneFalseReportIsMadeInFiftyClusters) {
  const Outcomes outcomes = screen_with_slow_nodes(1024, 200);
  EXPECT_GE(outcomes.found, 594U) << "of 600, that is 99 %";
  EXPECT_LE(outcomes.wrong, 4U) << "in 200 clusters";
  EXPECT_LE(outcomes.most_tests, 4U * 1024U);
}

TEST(ScreeningProperties, OfTenThousandNodesLikewise) {
  const Outcomes outcomes = screen_with_slow_nodes(10'240, 5);
  EXPECT_EQ(outcomes.found, 15U);
  EXPECT_LE(outcomes.wrong, 1U);
  EXPECT_LE(outcomes.most_tests, 4U * 10'240U);
}

TEST(ScreeningProperties, ABadSwitchIsNamedAsTheSwitch) {
  constexpr int clusters = 40;
  int found = 0;
  for (int i = 0; i < clusters; ++i) {
    Rng rng = Rng(static_cast<std::uint64_t>(i)).substream("bad switch");
    const Fabric fabric = test::fabric_of(test::Wiring::fat_tree, 1024);
    const std::size_t leaf = rng.below(fabric.leaves());
    test::ClusterFaults faults;
    faults.leaves.emplace_back(leaf, slower);
    test::SimulatedCluster cluster(fabric, {}, faults, rng.next());
    ScreeningOptions options;
    options.seed = rng.next();
    const auto slow = cluster.screened(options).slow();
    found += slow.size() == 1 && slow.front().suspect.unit == FabricUnit{UnitKind::leaf, leaf, 0} ? 1 : 0;
  }
  EXPECT_GE(found, 38) << "of 40, that is 95 %";
}

}  // namespace
}  // namespace assay
