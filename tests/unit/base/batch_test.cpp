// SPDX-License-Identifier: Apache-2.0
// The names of regimes and disturbances, there and back.
#include "base/batch.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(RegimeNames, AreThoseOfTheFiles) {
  EXPECT_EQ(to_text(Regime::solo), "solo");
  EXPECT_EQ(to_text(Regime::spin), "spin");
  EXPECT_EQ(to_text(Regime::blocked), "blocked");
  EXPECT_EQ(to_text(Regime::mixed), "mixed");
}

TEST(RegimeNames, ReadBack) {
  for (const Regime regime : {Regime::solo, Regime::spin, Regime::blocked, Regime::mixed}) {
    EXPECT_EQ(parse_regime(to_text(regime)), regime);
  }
  for (const char* text : {"", "Spin", "spin ", "spinning", "switched"}) EXPECT_FALSE(parse_regime(text)) << text;
}

TEST(DisturbanceNames, AreThoseOfTheFiles) {
  EXPECT_EQ(to_text(Disturbance::switched), "switched");
  EXPECT_EQ(to_text(Disturbance::migrated), "migrated");
  EXPECT_EQ(to_text(Disturbance::stolen), "stolen");
  EXPECT_EQ(to_text(Disturbance::clock), "clock");
  EXPECT_EQ(to_text(Disturbance::throttled), "throttled");
  EXPECT_EQ(to_text(Disturbance::asleep), "asleep");
  EXPECT_EQ(to_text(Disturbance::speed), "speed");
  EXPECT_EQ(to_text(Disturbance::partner), "partner");
  EXPECT_EQ(to_text(Disturbance::fault), "fault");
}

TEST(DisturbanceNames, ReadBackAndFillTheSet) {
  Disturbances all;
  for (std::size_t i = 0; i < disturbance_count; ++i) {
    const auto cause = static_cast<Disturbance>(i);
    EXPECT_EQ(parse_disturbance(to_text(cause)), cause);
    all.set(i);
  }
  EXPECT_TRUE(all.all());
  for (const char* text : {"", "Clock", "solo", "faults"}) EXPECT_FALSE(parse_disturbance(text)) << text;
}

}  // namespace
}  // namespace assay
