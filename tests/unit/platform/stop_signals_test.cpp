// SPDX-License-Identifier: Apache-2.0
// Requests to stop wait until they are asked for; a second one does not.
#include "platform/stop_signals.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(StopSignals, NothingIsRequestedWhenNothingCame) {
  StopSignals signals;
  EXPECT_FALSE(signals.requested());
  EXPECT_EQ(signals.received(), 0);
}

TEST(StopSignals, ASignalWaitsAndStaysRequested) {
  for (const int number : {SIGINT, SIGTERM}) {
    StopSignals signals;
    std::raise(number);
    EXPECT_TRUE(signals.requested());
    EXPECT_TRUE(signals.requested());
    EXPECT_EQ(signals.received(), number);
  }
}

TEST(StopSignals, ASecondSignalEndsTheProcess) {
  const auto twice = [] {
    StopSignals signals;
    std::raise(SIGTERM);
    if (signals.requested()) std::raise(SIGTERM);
  };
  EXPECT_EXIT(twice(), ::testing::KilledBySignal(SIGTERM), "");
}

TEST(StopSignals, OneThatNobodyAskedForHasItsEffectInTheEnd) {
  const auto ignored = [] {
    {
      StopSignals signals;
      std::raise(SIGINT);
    }
    std::_Exit(0);
  };
  EXPECT_EXIT(ignored(), ::testing::KilledBySignal(SIGINT), "");
}

TEST(StopSignals, EndingByASignalWorksWhileItIsHeldBack) {
  const auto end = [] {
    StopSignals signals;
    end_by_signal(SIGINT);
  };
  EXPECT_EXIT(end(), ::testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace assay
