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

// Which fields are wrong once `spoil` has been at it: a factor or quantity by its name, in quotes, another field by its
// own.
template <class Spoil>
std::vector<std::string> faults(Spoil spoil) {
  Description description = good();
  spoil(description);
  std::vector<std::string> found = faults_of(description);
  for (std::string& each : found) {
    each.erase(0, each.find(": ") + 2);
    const auto quote = each.find('\'');
    const bool named = each.starts_with("factor ") || each.starts_with("quantity ");
    each = named ? each.substr(quote + 1, each.find('\'', quote + 1) - quote - 1) : each.substr(0, each.find(' '));
  }
  return found;
}

TEST(DescriptionCheck, NothingIsWrongWithAGoodOne) { EXPECT_THAT(faults_of(good()), IsEmpty()); }

TEST(DescriptionCheck, NamesHaveAGroupAndNoOddLetters) {
  for (const char* name : {"", "own", "/own", "mine/", "mine/own/x", "mine/o n", "mine/\033[1m"})
    EXPECT_EQ(faults([&](Description& d) { d.name = name; }).size(), 1U) << name;
}

TEST(DescriptionCheck, FactorsHaveAStandardInTheirRange) {
  EXPECT_THAT(faults([](Description& d) { d.factors[0].standard = std::string("c"); }), ElementsAre("kind"));
  EXPECT_THAT(faults([](Description& d) { d.factors[1].standard = std::string("c"); }), ElementsAre("bytes"));
  EXPECT_THAT(faults([](Description& d) { d.factors[1].standard = std::numeric_limits<double>::infinity(); }),
              ElementsAre("bytes"));
}

TEST(DescriptionCheck, FactorsDoNotHideEachOtherOrKeys) {
  EXPECT_THAT(faults([](Description& d) { d.factors[1].name = "kind"; }), ElementsAre("factors"));
  for (const char* name : {"members", "placement", "eps", "deadline", "measurement"})
    EXPECT_THAT(faults([&](Description& d) { d.factors[1].name = name; }), ElementsAre(name));
}

TEST(DescriptionCheck, QuantitiesHaveUnitsAndClaimants) {
  EXPECT_THAT(faults([](Description& d) { d.quantities.clear(); }), ElementsAre("quantities"));
  EXPECT_THAT(faults([](Description& d) { d.quantities[0].unit = static_cast<Unit>(99); }), ElementsAre("time"));
  EXPECT_THAT(faults([](Description& d) { d.quantities[0].claimant = 1; }), ElementsAre("time"));
  EXPECT_THAT(faults([](Description& d) { d.quantities.emplace_back(); }), ElementsAre("time"));
}

TEST(DescriptionCheck, TraitsAreChecked) {
  EXPECT_THAT(faults([](Description& d) { d.members = {3, 2}; }), ElementsAre("members"));
  EXPECT_THAT(faults([](Description& d) { d.traits.vehicles = {}; }), ElementsAre("vehicles"));
  EXPECT_THAT(faults([](Description& d) { d.traits.vehicles = {"horse"}; }), ElementsAre("vehicles"));
  EXPECT_THAT(faults([](Description& d) { d.traits.events_per_rep = 0; }), ElementsAre("events_per_rep"));
  EXPECT_THAT(faults([](Description& d) { d.traits.reps.least = Reps{0}; }), ElementsAre("reps"));
  EXPECT_THAT(faults([](Description& d) { d.selector = "sort"; }), ElementsAre("selector"));
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
