// SPDX-License-Identifier: Apache-2.0
// Two groups: the exact distribution against published tables and against counting by hand, its approximation, the
// interval's rank. Several: published values, ties, extremes, and the level on groups that do not differ.
#include "stats/comparison/rank_tests.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/rng.hpp"
#include "stats/sample/summary.hpp"

namespace assay {
namespace {

TEST(MannWhitneyExact, AgreesWithTheFirstTable) {
  // Mann and Whitney 1947, table I, n = m = 3: P(U <= u), one-sided.
  const MannWhitney three(3, 3);
  const double published[] = {0.05, 0.1, 0.2, 0.35, 0.5};
  for (int u = 0; u < 5; ++u) {
    EXPECT_NEAR(three.two_sided({static_cast<double>(u), 0}), 2 * published[u], 5e-4) << u;
    EXPECT_EQ(three.two_sided({9.0 - u, 0}), three.two_sided({static_cast<double>(u), 0})) << "symmetric";
  }
}

TEST(MannWhitneyExact, CriticalValuesOfTheUsualTables) {
  // Two-sided 5 % critical values: significant at u, not at u + 1.
  struct Critical {
    std::size_t n, m;
    double u;
  };
  for (const auto& [n, m, u] : {Critical{5, 5, 2}, Critical{4, 6, 2}, Critical{8, 8, 13}, Critical{10, 10, 23},
                                Critical{12, 7, 18}, Critical{15, 15, 64}, Critical{20, 20, 127}}) {
    EXPECT_LE(MannWhitney(n, m).two_sided({u, 0}), 0.05) << n << " against " << m;
    EXPECT_GT(MannWhitney(n, m).two_sided({u + 1, 0}), 0.05) << n << " against " << m;
    EXPECT_EQ(MannWhitney(n, m).two_sided({u, 0}), MannWhitney(m, n).two_sided({u, 0}));
  }
}

TEST(MannWhitneyExact, SmallestIsThatOfCompleteSeparation) {
  EXPECT_DOUBLE_EQ(MannWhitney(4, 4).two_sided({0, 0}), 2.0 / 70);
  EXPECT_NEAR(smallest_p(4, 4), 2.0 / 70, 1e-15);
  EXPECT_NEAR(smallest_p(5, 5), 2.0 / 252, 1e-15);
  EXPECT_NEAR(smallest_p(20, 20) * 137846528820.0, 2, 1e-9);
  EXPECT_EQ(smallest_p(1, 1), 1);
}

TEST(MannWhitneyApproximate, BeyondTheTableIsNormal) {
  // z = (210 - 128 - 0.5) / sqrt(420 42 / 12) = 2.1257.
  EXPECT_NEAR(MannWhitney(20, 21).two_sided({128, 0}), 0.03353, 1e-5);
  EXPECT_NEAR(MannWhitney(20, 20).two_sided({128 - 10, 0}), 0.0262, 1e-3) << "exact: close to its neighbour";
}

TEST(MannWhitneyApproximate, TiesNarrowTheDistribution) {
  // Two ties of three among 5 against 5: variance 25/12 (11 - 48/90) = 21.81, z = (12.5 - 3 - 0.5) / 4.670 = 1.927.
  EXPECT_NEAR(MannWhitney(5, 5).two_sided({3, 48}), 0.0540, 1e-4);
}

TEST(MannWhitneyApproximate, NeverBelowWhatRanksCanTell) {
  // All of A equal, all of B equal: the normal approximation would say 0.004.
  EXPECT_NEAR(MannWhitney(5, 5).two_sided({25, 240}), 2.0 / 252, 1e-15);
}

TEST(MannWhitneyApproximate, EqualValuesTellNothing) { EXPECT_EQ(MannWhitney(5, 5).two_sided({12.5, 990}), 1); }

TEST(MannWhitneyInterval, RanksAndTheirLevels) {
  EXPECT_EQ(MannWhitney(3, 3).interval_rank(), 0U);
  EXPECT_EQ(MannWhitney(3, 3).interval_level(), 0);
  EXPECT_EQ(MannWhitney(4, 4).interval_rank(), 1U);
  EXPECT_DOUBLE_EQ(MannWhitney(4, 4).interval_level(), 1 - 2.0 / 70);
  EXPECT_EQ(MannWhitney(5, 5).interval_rank(), 3U);
  EXPECT_DOUBLE_EQ(MannWhitney(5, 5).interval_level(), 1 - 2 * 4.0 / 252);
  EXPECT_EQ(MannWhitney(10, 10).interval_rank(), 24U);
  EXPECT_EQ(MannWhitney(20, 20).interval_rank(), 128U) << "127 is the critical value";
  EXPECT_EQ(MannWhitney(30, 30).interval_rank(), 317U) << "450 - 1.96 sqrt(900 61 / 12)";
  EXPECT_EQ(MannWhitney(30, 30).interval_level(), 0.95);
}

TEST(MannWhitneyInterval, KeepsItsLevelAndWastesLittle) {
  for (std::size_t n = 4; n <= 20; ++n)
    for (std::size_t m = 4; m <= 20; ++m) {
      const double level = MannWhitney(n, m).interval_level();
      EXPECT_GE(level, 0.95) << n << " against " << m;
      EXPECT_LT(level, 0.975) << n << " against " << m;
    }
}

TEST(MannWhitneyErrors, EmptyGroups) {
  EXPECT_THROW(MannWhitney(0, 5), std::invalid_argument);
  EXPECT_THROW(MannWhitney(5, 0), std::invalid_argument);
}

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
