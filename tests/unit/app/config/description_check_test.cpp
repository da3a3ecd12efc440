// SPDX-License-Identifier: Apache-2.0
// Mistakes in descriptions, each with its field.
#include "app/config/description_check.hpp"

#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

#include <limits>

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Description good() {
  Description description{.name = "mine/own", .summary = "one event"};
  description.factors = {{.name = "kind", .standard = std::string("a"), .words = {"a", "b"}},
                         {.name = "bytes", .kind = FactorKind::quantitative, .standard = std::int64_t{8}}};
  return description;
}

// What is wrong once `spoil` has been at it, without the measurement's name.
template <class Spoil>
std::vector<std::string> faults(Spoil spoil) {
  Description description = good();
  spoil(description);
  std::vector<std::string> found = faults_of(description);
  const std::string head = "measurement 'mine/own': ";
  for (std::string& each : found)
    if (each.starts_with(head)) each.erase(0, head.size());
  return found;
}

TEST(DescriptionCheck, NothingIsWrongWithAGoodOne) { EXPECT_THAT(faults_of(good()), IsEmpty()); }

TEST(DescriptionCheck, NamesHaveAGroupAndNoOddLetters) {
  for (const char* name : {"", "own", "/own", "mine/", "mine/own/x", "mine/o n", "mine/\033[1m"})
    EXPECT_EQ(faults([&](Description& d) { d.name = name; }).size(), 1U) << name;
}

TEST(DescriptionCheck, FactorsHaveAStandardInTheirRange) {
  EXPECT_THAT(faults([](Description& d) { d.factors[0].standard = std::string("c"); }),
              ElementsAre("factor 'kind' has the standard 'c', which is none of its words"));
  EXPECT_THAT(faults([](Description& d) { d.factors[1].standard = std::string("c"); }),
              ElementsAre("factor 'bytes' has a standard that is no number"));
  EXPECT_THAT(faults([](Description& d) { d.factors[1].standard = std::numeric_limits<double>::infinity(); }),
              ElementsAre("factor 'bytes' has a standard that is no number"));
}

TEST(DescriptionCheck, FactorsDoNotHideEachOtherOrKeys) {
  EXPECT_THAT(faults([](Description& d) { d.factors[1].name = "kind"; }), ElementsAre("factors has 'kind' twice"));
  for (const char* name : {"members", "placement", "eps", "deadline", "measurement"})
    EXPECT_THAT(faults([&](Description& d) { d.factors[1].name = name; }),
                ElementsAre("factor '" + std::string(name) + "' has the name of a key that every series has"));
}

TEST(DescriptionCheck, QuantitiesHaveUnitsAndClaimants) {
  EXPECT_THAT(faults([](Description& d) { d.quantities.clear(); }),
              ElementsAre("quantities has 0, 1 to 8 are allowed"));
  EXPECT_THAT(faults([](Description& d) { d.quantities[0].unit = static_cast<Unit>(99); }),
              ElementsAre("quantity 'time' has no unit"));
  EXPECT_THAT(faults([](Description& d) { d.quantities[0].claimant = 1; }),
              ElementsAre("quantity 'time' is claimed by a member that no team has"));
  EXPECT_THAT(faults([](Description& d) { d.quantities.emplace_back(); }),
              ElementsAre("quantity 'time' is declared twice"));
}

TEST(DescriptionCheck, TraitsAreChecked) {
  EXPECT_THAT(faults([](Description& d) { d.members = {3, 2}; }), ElementsAre("members is no range from 1 on"));
  EXPECT_THAT(faults([](Description& d) { d.traits.vehicles = {}; }), ElementsAre("vehicles is empty"));
  EXPECT_THAT(faults([](Description& d) { d.traits.vehicles = {"horse"}; }),
              ElementsAre("vehicles has 'horse', which is none of thread, process, mpi"));
  EXPECT_THAT(faults([](Description& d) { d.traits.events_per_rep = 0; }),
              ElementsAre("events_per_rep is not above zero"));
  EXPECT_THAT(faults([](Description& d) { d.traits.reps.least = Reps{0}; }), ElementsAre("reps is no range from 1 on"));
  EXPECT_THAT(faults([](Description& d) { d.selector = "sort"; }), ElementsAre("selector names no factor"));
}

TEST(DescriptionCheck, AllMistakesAreTold) {
  EXPECT_EQ(faults([](Description& d) {
              d.name = "bad";
              d.quantities.clear();
              d.traits.vehicles.clear();
            }).size(),
            3U);
}

}  // namespace
}  // namespace assay
