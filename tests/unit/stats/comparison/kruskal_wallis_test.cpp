// SPDX-License-Identifier: Apache-2.0
// The rank test of several groups: published values, ties, extremes, and its level on groups that do not differ.
#include "stats/comparison/rank_tests.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/rng.hpp"
#include "stats/sample/summary.hpp"

namespace assay {
namespace {

using Groups = std::vector<std::vector<double>>;

TEST(ChiSquare, KnownTails) {
  EXPECT_NEAR(chi_square_above(3.841458820694124, 1), 0.05, 1e-12);
  EXPECT_NEAR(chi_square_above(9.487729036781154, 4), 0.05, 1e-12);
  EXPECT_NEAR(chi_square_above(4, 2), std::exp(-2.0), 1e-15);
  EXPECT_EQ(chi_square_above(-1, 3), 1);
}

TEST(KruskalWallis, HalfLivesOfThreeGroups) {
  // Hollander, Wolfe and Chicken, table 6.1 (mucociliary efficiency, after Thomson and Short 1969): H = 0.77.
  const auto test = kruskal_wallis(Groups{{2.9, 3.0, 2.5, 2.6, 3.2}, {3.8, 2.7, 4.0, 2.4}, {2.8, 3.4, 3.7, 2.2, 2.0}});
  EXPECT_NEAR(test.statistic, 0.7714, 1e-4);
  EXPECT_NEAR(test.p, 0.68, 5e-4);
}

TEST(KruskalWallis, TwoGroupsByHand) {
  // Ranks 1 2 3 against 4 5 6: 12 / 42 (36 / 3 + 225 / 3) - 21.
  const auto test = kruskal_wallis(Groups{{1, 2, 3}, {4, 5, 6}});
  EXPECT_NEAR(test.statistic, 27.0 / 7, 1e-12);
  EXPECT_NEAR(test.p, 0.0495, 5e-5);
  EXPECT_NEAR(test.smallest, test.p, 1e-12);
}

TEST(KruskalWallis, TiesAreCorrectedFor) {
  // Ranks 1.5 1.5 | 3.5 3.5: 12 / 20 (9 / 2 + 49 / 2) - 15 = 2.4, over 1 - 12 / 60.
  EXPECT_NEAR(kruskal_wallis(Groups{{1, 1}, {2, 2}}).statistic, 3, 1e-12);
  const auto equal = kruskal_wallis(Groups{{5, 5, 5}, {5, 5}});
  EXPECT_EQ(equal.statistic, 0);
  EXPECT_EQ(equal.p, 1);
}

TEST(KruskalWallis, GroupsWithoutOverlapAreTheExtremeInAnyOrder) {
  const auto far = kruskal_wallis(Groups{{1, 2}, {3, 4, 5, 6, 7}, {8, 9, 10}});
  EXPECT_NEAR(far.p, far.smallest, 1e-12);
  EXPECT_NEAR(kruskal_wallis(Groups{{9, 10}, {4, 5, 6, 7, 8}, {1, 2, 3}}).p, far.smallest, 1e-12);
  EXPECT_GT(kruskal_wallis(Groups{{1, 3}, {2, 4, 5, 6, 7}, {8, 9, 10}}).p, far.smallest);
}

TEST(KruskalWallis, RarelyFindsWhatIsNotThere) {
  Rng rng(7);
  int found = 0;
  for (int i = 0; i < 2000; ++i) {
    Groups groups(3);
    for (auto& group : groups)
      for (int k = 0; k < 5; ++k) group.push_back(rng.normal());
    found += kruskal_wallis(groups).p < 0.05 ? 1 : 0;
  }
  EXPECT_GT(found, 40);
  EXPECT_LT(found, 130);
}

TEST(KruskalWallis, RefusesWhatCannotBeRanked) {
  EXPECT_THROW(kruskal_wallis(Groups{{1, 2}}), std::invalid_argument);
  EXPECT_THROW(kruskal_wallis(Groups{{1, 2}, {}}), std::invalid_argument);
  EXPECT_THROW(kruskal_wallis(Groups{{1}, {std::numeric_limits<double>::quiet_NaN()}}), std::invalid_argument);
}

}  // namespace
}  // namespace assay
