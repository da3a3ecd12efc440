// SPDX-License-Identifier: Apache-2.0
// States in words.
#include "stats/core/core_state.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

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
  EXPECT_FALSE(is_like(state, {Sharing::shared, 2.9, 102}));
  EXPECT_TRUE(is_like(state, {Sharing::alone, 2.9, 107}));
  EXPECT_FALSE(is_like(state, {Sharing::alone, 2.9, 110})) << "another core of the cache";
  EXPECT_TRUE(is_like({Sharing::shared, 0, 102}, {Sharing::shared, 0, 120})) << "others delay the round trip";
  EXPECT_FALSE(is_like(state, {Sharing::alone, 3.2, 102}));
  EXPECT_FALSE(is_like(state, {Sharing::alone, 2.9, 490}));
  EXPECT_FALSE(is_like(state, {Sharing::alone, 0, 102}));
  EXPECT_FALSE(is_like({Sharing::alone, 0, 0, 0, Spread::one_cpu}, {Sharing::alone, 0, 0, 0, Spread::own_cpus}));
  const CoreState slow{Sharing::alone, 0, 0, 0.87};
  EXPECT_TRUE(is_like(slow, {Sharing::alone, 0, 0, 0.88}));
  EXPECT_FALSE(is_like(slow, {Sharing::alone, 0, 0, 0.8}));
  EXPECT_FALSE(is_like(slow, {Sharing::alone, 0, 0}));
}

// "Alone" is at the usual clock, and that may be another one a minute later.
TEST(CoreStateText, TheUsualClockOfTwoCampaignsIsHeldAgainstEachOther) {
  const auto at = [](Sharing sharing, double step, double ghz = 0) {
    CoreState state{sharing, ghz};
    state.step = {step};
    return state;
  };
  const CoreState alone = at(Sharing::alone, 1.1);
  EXPECT_EQ(alone, at(Sharing::alone, 1.2)) << "it distinguishes no states of one campaign";
  EXPECT_TRUE(is_like(alone, at(Sharing::alone, 1.11)));
  EXPECT_FALSE(is_like(alone, at(Sharing::alone, 1.13)));
  EXPECT_TRUE(is_like(alone, at(Sharing::alone, 1.105, 2.73))) << "an unusual clock of the other campaign";
  EXPECT_TRUE(is_like(alone, at(Sharing::alone, 0))) << "a journal of before";
  EXPECT_TRUE(is_like(at(Sharing::shared, 1.1), at(Sharing::shared, 1.13))) << "others delay the chain";
  EXPECT_FALSE(is_like(at(Sharing::shared, 1.1), at(Sharing::shared, 1.2)));
  EXPECT_EQ(other_clock(alone, at(Sharing::alone, 1.188)), 1.08);
  EXPECT_EQ(other_clock(alone, at(Sharing::alone, 1.1)), std::nullopt);
  EXPECT_EQ(other_clock(alone, at(Sharing::alone, 1.188, 2.5)), std::nullopt) << "the texts say it";
  EXPECT_EQ(to_text(alone), "alone");
  EXPECT_EQ(to_text_with_step(alone), "alone, step 1.1 ns");
  EXPECT_EQ(parse_core_state("alone, clock 2.5 GHz, step 1.188 ns").value().step.count, 1.188);
  EXPECT_EQ(to_text_with_step(CoreState{}), "as found");
}

}  // namespace
}  // namespace assay
