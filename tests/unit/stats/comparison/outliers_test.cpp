// SPDX-License-Identifier: Apache-2.0
// What can be said of two, three, four and more units, by hand-made estimates.
#include "stats/comparison/outliers.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <limits>

namespace assay {
namespace {

using Observed = std::vector<double>;

/// Estimates a little off `centre`; those of several units never tie.
Observed near(double centre, int count = 5, double offset = 0) {
  Observed unit;
  for (int i = 0; i < count; ++i) unit.push_back(centre * (1 + 0.002 * (i - count / 2) + offset));
  return unit;
}

std::vector<Observed> units_at(const std::vector<double>& centres, int count = 5) {
  std::vector<Observed> units;
  for (std::size_t i = 0; i < centres.size(); ++i)
    units.push_back(near(centres[i], count, 0.0000137 * static_cast<double>(i)));
  return units;
}

std::vector<Oddity> oddities(const std::vector<UnitFinding>& findings) {
  std::vector<Oddity> all;
  for (const UnitFinding& finding : findings) all.push_back(finding.oddity);
  return all;
}

constexpr Oddity ok = Oddity::ok, slow = Oddity::slow, fast = Oddity::fast, unclear = Oddity::unclear;

TEST(Outliers, OfTwoThatDifferNobodyCanSayWhich) {
  const auto found = outliers(units_at({100, 200}));
  EXPECT_EQ(oddities(found), (std::vector{unclear, unclear}));
  EXPECT_EQ(oddities(outliers(units_at({100, 100}))), (std::vector{ok, ok}));
}

TEST(Outliers, OfThreeTheOneThatTheOthersContradictIsNamed) {
  const auto found = outliers(units_at({100, 150, 100}));
  EXPECT_EQ(oddities(found), (std::vector{ok, slow, ok}));
  EXPECT_NEAR(found[1].shift.value, 1.5, 0.01);
  EXPECT_TRUE(found[1].shift.interval.contains(1.5));
  EXPECT_LE(found[1].p, 0.05);
  EXPECT_EQ(oddities(outliers(units_at({100, 50, 100}))), (std::vector{ok, fast, ok}));
  EXPECT_EQ(oddities(outliers(units_at({100, 150, 220}))), (std::vector{unclear, unclear, unclear}));
}

TEST(Outliers, OfFourTwoAgainstTwoIsNoMajority) {
  EXPECT_EQ(oddities(outliers(units_at({100, 100, 150, 100}))), (std::vector{ok, ok, slow, ok}));
  const auto found = outliers(units_at({100, 150, 150, 100}, 8));
  EXPECT_EQ(oddities(found), (std::vector{unclear, unclear, unclear, unclear}));
}

TEST(Outliers, SeveralOfManyAreFoundAndTheRestIsOk) {
  EXPECT_EQ(oddities(outliers(units_at({100, 150, 100, 100, 200, 100, 100, 100}))),
            (std::vector{ok, slow, ok, ok, slow, ok, ok, ok}));
  EXPECT_EQ(oddities(outliers(units_at({100, 150, 100, 50, 100, 100, 100, 100}))),
            (std::vector{ok, slow, ok, fast, ok, ok, ok, ok}));
}

TEST(Outliers, OfRatesMoreIsFaster) {
  OutlierOptions options;
  options.larger_is_better = true;
  EXPECT_EQ(oddities(outliers(units_at({100, 150, 100, 60, 100, 100}), options)),
            (std::vector{ok, fast, ok, slow, ok, ok}));
}

TEST(Outliers, AnEffectTooSmallToMatterIsOkHoweverSignificant) {
  const auto found = outliers(units_at({100, 100, 101.5, 100}, 12));
  EXPECT_LE(found[2].p, 0.05);
  EXPECT_EQ(found[2].oddity, ok);
}

TEST(Outliers, WithoutEvidenceNobodyIsOk) {
  const auto few = outliers(units_at({100, 150, 100}, 2));
  EXPECT_EQ(oddities(few), (std::vector{unclear, unclear, unclear}));
  const auto wide =
      outliers(std::vector<Observed>{{80, 95, 100, 110, 125}, {82, 96, 101, 111, 122}, {84, 94, 102, 112, 127}});
  EXPECT_EQ(oddities(wide), (std::vector{unclear, unclear, unclear}));
  EXPECT_EQ(oddities(outliers(units_at({100}))), std::vector{unclear}) << "nothing to compare it with";
}

TEST(Outliers, ATestSharesItsErrorsWithTheOthersOfTheReport) {
  OutlierOptions options;
  EXPECT_EQ(outliers(units_at({100, 150, 100}), options)[1].oddity, slow);
  options.family = 40;  // 2 / C(15, 5) * 3 * 40 = 0.08
  EXPECT_EQ(outliers(units_at({100, 150, 100}), options)[1].oddity, unclear);
}

TEST(Outliers, OneOfAThousandLinksIsFoundWithFiveEstimates) {
  std::vector<Observed> units;
  for (int i = 0; i < 1000; ++i) units.push_back(near(i == 77 ? 200 : 100, 5, 0.0000011 * i));
  const auto found = outliers(units);
  EXPECT_EQ(found[77].oddity, slow) << "p by the bell curve would be 0.0001 times 1000";
  EXPECT_EQ(found[78].oddity, ok);
}

TEST(Outliers, WithZerosGoByDifferences) {
  const auto found = outliers(std::vector<Observed>{
      {0.010, 0.011, 0.010, 0.0101, 0.0102}, {0, 0, 0, 0, 0}, {0.0101, 0.01, 0.0104, 0.0108, 0.0103}});
  EXPECT_FALSE(found[1].shift.is_ratio);
  EXPECT_EQ(found[1].oddity, fast);
  EXPECT_NEAR(found[1].shift.value, -0.0102, 0.0002);
}

TEST(Outliers, WithoutANumberAUnitIsUnclearAndInNobodysWay) {
  auto units = units_at({100, 150, 100, 100});
  units.push_back({});
  units.push_back({100, std::numeric_limits<double>::quiet_NaN()});
  const auto found = outliers(units);
  EXPECT_EQ(oddities(found), (std::vector{ok, slow, ok, ok, unclear, unclear}));
}

TEST(Outliers, TheIncarnationsThatItTakesAreEnough) {
  for (const std::size_t units : {2U, 3U, 4U, 8U, 64U}) {
    const int least = least_incarnations_of_units(units);
    std::vector<double> centres(units, 100);
    centres[0] = 200;
    const auto expected = units > 2 ? slow : unclear;
    EXPECT_EQ(outliers(units_at(centres, least))[0].oddity, expected) << units;
    EXPECT_EQ(outliers(units_at(centres, least - 1))[0].oddity, unclear) << units;
  }
  EXPECT_EQ(least_incarnations_of_units(3), 4);
}

TEST(Outliers, OptionsHaveToMakeSense) {
  EXPECT_THROW(outliers({}, {.alpha = 0}), std::invalid_argument);
  EXPECT_THROW(outliers({}, {.margin = 0}), std::invalid_argument);
  EXPECT_TRUE(outliers({}).empty());
}

}  // namespace
}  // namespace assay
