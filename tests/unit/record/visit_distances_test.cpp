// SPDX-License-Identifier: Apache-2.0
// At which level visits are, of members whose distances hardly differ.
#include "record/visit_distances.hpp"

#include <gmock/gmock.h>

#include <string>

namespace assay::test {
namespace {

using testing::Optional;

const std::vector<double> both{118, 128};

VisitDistance visit(int incarnation, double trip, bool alone = true) {
  return {0, incarnation, trip, true, alone, both, true};
}

/// Two processes, each at both distances; more visits at 128.
VisitDistances moving(double value) {
  VisitDistances distances;
  for (const int process : {0, 1})
    for (const double trip : {118.5, 128.5, 127.0, 128.0}) distances.add(visit(process, trip));
  distances.add(visit(0, 128.2, false));
  distances.add(visit(0, 122.7));
  distances.add({0, 0, 0, true, true, both, true});
  distances.learn(value);
  return distances;
}

TEST(VisitDistances, ThatHardlyDifferAreToldApartByReadingsOfCoresAlone) {
  const VisitDistances distances = moving(80);
  EXPECT_TRUE(distances.separates_near());
  EXPECT_THAT(distances.level(0, true), Optional(118.0));
  EXPECT_THAT(distances.level(1, true), Optional(128.0));
  EXPECT_EQ(distances.level(8, true), std::nullopt) << "delayed or not";
  EXPECT_EQ(distances.level(9, true), std::nullopt) << "between the two";
  EXPECT_THAT(distances.level(10, true), Optional(0.0)) << "not read";
  EXPECT_EQ(distances.usual(true), 128);
  for (std::size_t one = 0; one < 11; ++one) EXPECT_THAT(distances.level(one, false), Optional(0.0)) << one;
  EXPECT_EQ(distances.usual(false), 0) << "where others were on the cores";
}

TEST(VisitDistances, ThatHardlyDifferAreOneToWhatTakesLonger) {
  EXPECT_FALSE(moving(250).separates_near());
  EXPECT_THAT(moving(250).level(0, true), Optional(0.0));
  EXPECT_EQ(moving(250).usual(true), 0);
  EXPECT_TRUE(moving(0).separates_near()) << "not known";
}

// What differs by process is the place of the flags.
TEST(VisitDistances, ThatHardlyDifferAreOneWhereNoProcessWasAtBoth) {
  VisitDistances distances;
  for (const int process : {0, 1, 2})
    for (int i = 0; i < 4; ++i) distances.add(visit(process, process == 0 ? 118 : 128));
  distances.learn(80);
  EXPECT_FALSE(distances.separates_near());
  distances.add(visit(1, 118));
  distances.learn(80);
  EXPECT_FALSE(distances.separates_near()) << "one of three";
  distances.add(visit(2, 118));
  distances.learn(80);
  EXPECT_TRUE(distances.separates_near()) << "two of three";
}

TEST(VisitDistances, ThoseAQuarterApartAreLevelsAsEver) {
  VisitDistances distances;
  const auto far = [](double trip) { return VisitDistance{0, 0, trip, true, true, {49, 118, 128}, true}; };
  for (const double trip : {118.0, 118.3, 128.0, 128.4, 127.0, 49.0, 49.5, 48.8, 49.1, 49.2, 49.3})
    distances.add(far(trip));
  distances.learn(80);
  EXPECT_THAT(distances.level(0, true), Optional(118.0));
  EXPECT_THAT(distances.level(5, true), distances.level(5, false)) << "a distance with none near it";
  EXPECT_NEAR(distances.level(0, false).value_or(0), 127, 1);
  EXPECT_NEAR(distances.usual(true), 49.2, 0.2);
  for (int i = 0; i < 2; ++i) distances.add(far(127.5));
  distances.learn(80);
  EXPECT_EQ(distances.usual(true), 128) << "the fullest of the fullest";
}

TEST(VisitDistances, MembersTogetherCountForNone) {
  VisitDistances distances = moving(80);
  for (int i = 0; i < 20; ++i) distances.add({0, 0, 118, false, true, both, true});
  EXPECT_EQ(distances.usual(true), 128);
}

TEST(VisitDistances, OfMembersThatNothingBindsAreNotSeparatedAndHaveTheNamesOfTheirCpus) {
  VisitDistances distances;
  for (const double trip : {118.5, 123.0, 128.5, 127.0, 130.0, 490.0, 491.0, 492.0, 493.0})
    distances.add({0, 0, trip, true, true, {118, 128, 540}, false});
  distances.learn(80);
  EXPECT_FALSE(distances.separates_near());
  EXPECT_TRUE(distances.uses_known());
  for (std::size_t one = 0; one < 5; ++one) EXPECT_THAT(distances.level(one, true), Optional(128.0)) << one;
  EXPECT_THAT(distances.level(6, true), Optional(492.0)) << "540 is another one";
}

TEST(VisitDistances, WithoutKnownOnesHaveNamesOfTheirOwn) {
  VisitDistances distances;
  for (const double trip : {118.5, 127.0, 131.0, 490.0, 491.0, 492.0})
    distances.add({0, 0, trip, true, true, {}, false});
  distances.learn(80);
  EXPECT_FALSE(distances.uses_known());
  EXPECT_THAT(distances.level(0, true), Optional(127.0));
}

/// Visits about one level, alone.
VisitDistances about_one(double spread, double value, int visits = 13) {
  VisitDistances distances;
  for (int i = 0; i < visits; ++i) distances.add({0, 0, 130 * (1 + spread * (i % 3 - 1)), true, true, {}, true});
  distances.learn(value);
  return distances;
}

TEST(VisitDistances, TheOnlyLevelHasANameWhereVisitsAreAllAboutIt) {
  EXPECT_THAT(about_one(0.05, 80).level(0, true), Optional(130.0));
  EXPECT_EQ(about_one(0.05, 80).usual(true), 130);
  EXPECT_THAT(about_one(0.01, 80).level(0, true), Optional(0.0)) << "as much as readings of one differ";
  EXPECT_THAT(about_one(0.05, 80, 11).level(0, true), Optional(0.0)) << "few";
  EXPECT_THAT(about_one(0.05, 60'000).level(0, true), Optional(0.0)) << "to what takes longer it is no matter";
}

// Most were at 118, and on the whole they were nearer to 128.
TEST(VisitDistances, TheCentralOneIsInTheMiddleOfThoseReadAlone) {
  VisitDistances distances;
  for (const int process : {0, 1}) {
    for (const double trip : {118.0, 118.4, 117.6, 118.2, 128.0, 128.4, 127.8}) distances.add(visit(process, trip));
    for (const double trip : {123.8, 124.4, 132.0, 133.0, 134.0}) distances.add(visit(process, trip));
  }
  distances.learn(80);
  ASSERT_TRUE(distances.separates_near());
  EXPECT_EQ(distances.usual(true), 118);
  EXPECT_EQ(distances.central(), 128);
  distances.learn(250);
  EXPECT_EQ(distances.central(), distances.usual(true)) << "where they are one";
}

// What is converted to a distance.
TEST(VisitDistances, RoundTripsNearOneAreThoseOfItsLevelThatWereReadAlone) {
  VisitDistances distances = moving(80);
  distances.add(visit(0, 490));
  distances.add(visit(1, 490));
  distances.add(visit(1, 491));
  distances.learn(80);
  EXPECT_EQ(distances.trip_near(0, 128), 118.5) << "separated, and near all the same";
  EXPECT_EQ(distances.trip_near(9, 128), 122.7) << "between the two";
  EXPECT_EQ(distances.trip_near(8, 128), 0) << "delayed or not";
  EXPECT_EQ(distances.trip_near(10, 128), 0) << "not read";
  EXPECT_EQ(distances.trip_near(11, 128), 0) << "far";
  EXPECT_EQ(distances.trip_near(11, 491), 490);
  EXPECT_EQ(distances.trip_near(0, 250), 0) << "no level";
}

}  // namespace
}  // namespace assay::test
