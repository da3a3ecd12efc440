// SPDX-License-Identifier: Apache-2.0
// States in words, and levels of distances.
#include "stats/core/core_state.hpp"

#include <gmock/gmock.h>

namespace assay {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CoreStateText, IsReadBack) {
  for (const CoreState& state :
       {CoreState{}, CoreState{Sharing::alone, 0, 0}, CoreState{Sharing::shared, 2.9, 0},
        CoreState{Sharing::alone, 2.9, 102}, CoreState{Sharing::alone, 0, 1.5}, CoreState{Sharing::unknown, 3, 490},
        CoreState{Sharing::alone, 0, 102, 0.87}, CoreState{Sharing::shared, 2.9, 102, 0, Spread::own_cpus},
        CoreState{.spread = Spread::one_cpu}})
    EXPECT_EQ(parse_core_state(to_text(state)), state) << to_text(state);
  EXPECT_EQ(to_text(CoreState{}), "as found");
  EXPECT_EQ(to_text(CoreState{Sharing::alone, 2.9, 102}), "alone, clock 2.9 GHz, distance 102 ns");
  EXPECT_EQ(to_text(CoreState{Sharing::alone, 0, 0, 0.87}), "alone, clock 0.87 of the usual");
  EXPECT_EQ(to_text(CoreState{Sharing::alone, 2.9, 0, 0, Spread::one_cpu}), "alone, one CPU, clock 2.9 GHz");
}

TEST(CoreStateText, IsRefusedWhereItIsNone) {
  for (const char* text :
       {"", "lonely", "alone,", "alone, clock GHz", "alone, clock 2.9", "alone, distance 1 ns, clock 2 GHz", "unknown",
        "alone, clock 0.9 of", "alone, clock 2.9 GHz, clock 0.9 of the usual"})
    EXPECT_FALSE(parse_core_state(text)) << text;
}

TEST(CoreStateText, StatesAreAlikeWhereTheyDifferByWhatCampaignsDo) {
  const CoreState state{Sharing::alone, 2.9, 102};
  EXPECT_TRUE(is_like(state, {Sharing::alone, 2.9, 110}));
  EXPECT_FALSE(is_like(state, {Sharing::shared, 2.9, 102}));
  EXPECT_FALSE(is_like(state, {Sharing::alone, 3.2, 102}));
  EXPECT_FALSE(is_like(state, {Sharing::alone, 2.9, 490}));
  EXPECT_FALSE(is_like(state, {Sharing::alone, 0, 102}));
  EXPECT_FALSE(is_like({Sharing::alone, 0, 0, 0, Spread::one_cpu}, {Sharing::alone, 0, 0, 0, Spread::own_cpus}));
  const CoreState slow{Sharing::alone, 0, 0, 0.87};
  EXPECT_TRUE(is_like(slow, {Sharing::alone, 0, 0, 0.88}));
  EXPECT_FALSE(is_like(slow, {Sharing::alone, 0, 0, 0.8}));
  EXPECT_FALSE(is_like(slow, {Sharing::alone, 0, 0}));
}

TEST(DistanceLevels, AreApartByAQuarter) {
  EXPECT_THAT(distance_levels({100, 490, 104, 102, 500, 0}), ElementsAre(102, 500));
  EXPECT_THAT(distance_levels({100, 120, 140, 160}), ElementsAre(140));
  EXPECT_THAT(distance_levels({}), IsEmpty());
  EXPECT_THAT(distance_levels({52.345}), ElementsAre(testing::DoubleNear(52.3, 1e-9)));
}

TEST(DistanceLevels, ADistanceBelongsToTheNearestByRatio) {
  EXPECT_EQ(nearest_level({100, 400}, 190), 100);
  EXPECT_EQ(nearest_level({100, 400}, 210), 400);
  EXPECT_EQ(nearest_level({}, 210), 0);
  EXPECT_EQ(nearest_level({100}, 0), 0);
}

TEST(ClockLevels, TakeWhatIsWithinThreePerCentOfTheirLowest) {
  const auto levels = clock_levels({2.96, 2.94, 2.1, 2.95, 2.12, 3.6});
  ASSERT_EQ(levels.size(), 3U);
  EXPECT_EQ(levels[0].middle, 2.12);
  EXPECT_EQ(levels[0].readings, 2U);
  EXPECT_EQ(levels[1].middle, 2.95);
  EXPECT_EQ(levels[1].readings, 3U);
  EXPECT_EQ(levels[2].middle, 3.6);
  EXPECT_THAT(clock_levels({}), IsEmpty());
}

}  // namespace
}  // namespace assay
