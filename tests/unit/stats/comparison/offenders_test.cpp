// SPDX-License-Identifier: Apache-2.0
// Repeat offenders: exact intervals, and units named no more often than promised.
#include "stats/comparison/offenders.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "base/rng.hpp"

namespace assay {
namespace {

TEST(Offenders, IntervalsAreThoseOfClopperAndPearson) {
  // Tables of the exact interval at 95 %.
  const Interval some = share_interval({3, 10});
  EXPECT_NEAR(some.low, 0.0667, 1e-4);
  EXPECT_NEAR(some.high, 0.6525, 1e-4);
  EXPECT_EQ(share_interval({0, 10}).low, 0);
  EXPECT_NEAR(share_interval({0, 10}).high, 0.3085, 1e-4);
  EXPECT_NEAR(share_interval({10, 10}).low, 0.6915, 1e-4);
  EXPECT_EQ(share_interval({10, 10}).high, 1);
  for (const Offences& wrong : {Offences{1, 0}, Offences{0, 0}, Offences{-1, 5}, Offences{6, 5}})
    EXPECT_THROW(share_interval(wrong), std::invalid_argument);
}

TEST(Offenders, OneThatIsBadAgainAndAgainIsFoundAmongMany) {
  std::vector<Offences> units(64, Offences{1, 30});
  units[7] = {11, 30};
  units[8] = {0, 0};
  const auto findings = test_offences(units);
  for (std::size_t i = 0; i < units.size(); ++i)
    EXPECT_EQ(findings[i].adjusted_p < 0.01, i == 7) << i << ": " << findings[i].adjusted_p;
  EXPECT_FALSE(findings[8].share.available());
}

TEST(Offenders, WhatAllUnitsDoIsNoOffence) {
  const std::vector<Offences> units(16, Offences{12, 30});
  for (const OffenceFinding& finding : test_offences(units)) EXPECT_GT(finding.adjusted_p, 0.1);
}

TEST(Offenders, HalfOfTheUnitsBeingBadDoesNotHideThem) {
  std::vector<Offences> units(8, Offences{0, 30});
  for (std::size_t i = 0; i < 3; ++i) units[i] = {25, 30};
  const auto findings = test_offences(units);
  for (std::size_t i = 0; i < units.size(); ++i) EXPECT_EQ(findings[i].adjusted_p < 0.01, i < 3) << i;
}

class OffenderRates : public testing::TestWithParam<double> {};

TEST_P(OffenderRates, UnitsThatAreWellAreNamedAsRarelyAsPromised) {
  Rng rng(1);
  int named = 0;
  constexpr int fleets = 1000;
  for (int fleet = 0; fleet < fleets; ++fleet) {
    std::vector<Offences> units(32, Offences{0, 30});
    for (Offences& unit : units)
      for (int test = 0; test < unit.tests; ++test) unit.bad += rng.uniform() < GetParam() ? 1 : 0;
    bool any = false;
    for (const OffenceFinding& finding : test_offences(units)) any = any || finding.adjusted_p <= 0.05;
    named += any ? 1 : 0;
  }
  EXPECT_LE(named, fleets * 8 / 100);
}

INSTANTIATE_TEST_SUITE_P(Shares, OffenderRates, testing::Values(0.01, 0.02, 0.03, 0.05, 0.1, 0.3));

}  // namespace
}  // namespace assay
