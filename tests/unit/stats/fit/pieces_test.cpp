// SPDX-License-Identifier: Apache-2.0
// Pieces of few and exact estimates: what is refused, and what is said.
#include "stats/fit/pieces.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace assay {
namespace {

using testing::HasSubstr;

Abscissa exact(double x, double y) { return {x, {"median", y, {y, y, 0.95}, "visits"}}; }

Estimates line(std::initializer_list<double> sizes, double intercept, double slope) {
  Estimates all;
  for (const double x : sizes) all.push_back(exact(x, intercept + slope * x));
  return all;
}

std::vector<Piece> pieces_of(const Estimates& estimates) { return pieces({&estimates, 1}, 0.05); }

TEST(Pieces, OfExactValuesAreTheirLawsAndNothingInBetween) {
  Estimates all = line({1, 64, 1024, 4096}, 1000, 0.5);
  for (const Abscissa& point : line({4224, 8192, 16384, 65536}, 5000, 0.1)) all.push_back(point);
  const auto found = pieces_of(all);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].last, 4096);
  EXPECT_EQ(found[1].first, 4224);
  EXPECT_EQ(found[0].start.low, 1);
  EXPECT_EQ(found[0].start.high, 1);
  EXPECT_EQ(found[1].start.low, 4096);
  EXPECT_EQ(found[1].start.high, 4224);
  EXPECT_NEAR(found[0].lines[0].intercept.value, 1000, 1e-6);
  EXPECT_NEAR(found[0].lines[0].slope.value, 0.5, 1e-9);
  EXPECT_NEAR(found[1].lines[0].intercept.value, 5000, 1e-6);
  EXPECT_NEAR(found[1].lines[0].slope.value, 0.1, 1e-9);
}

TEST(Pieces, NeedThreeUsableValuesOfOneQuantity) {
  EXPECT_TRUE(pieces_of(line({1, 2}, 5, 1)).empty());
  Estimates flawed = line({1, 2, 3}, 5, 1);
  flawed[1].y.value = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(pieces_of(flawed).empty());
  EXPECT_TRUE(pieces({}, 0.05).empty());
}

TEST(Pieces, SayWhichQuantityHasTooFewValues) {
  const std::vector<Estimates> quantities{line({1, 2, 4, 8}, 5, 1), line({1, 8}, 7, 2)};
  const auto found = pieces(quantities, 0.05);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].lines[0].slope.valid);
  EXPECT_FALSE(found[0].lines[1].slope.valid);
  EXPECT_THAT(found[0].lines[1].intercept.reason, HasSubstr("2 values in this piece, of at least 3"));
}

TEST(Pieces, RefuseAnImpossibleLevel) { EXPECT_THROW(pieces({}, 1.0), std::invalid_argument); }

}  // namespace
}  // namespace assay
