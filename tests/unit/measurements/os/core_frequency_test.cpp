// SPDX-License-Identifier: Apache-2.0
// The chain is as long as it claims, and the frequency is its length by the time.
#include "os/core_frequency.hpp"

#include <gtest/gtest.h>

#include "support/measurements/point_setup.hpp"

namespace assay {
namespace {

/// Each reading is 640 ns after the one before.
class SteppingClock final : public Clock {
 public:
  Instant now() const override { return {++readings_ * 640}; }

 private:
  mutable std::int64_t readings_ = 0;
};

TEST(CoreFrequencyOfAChain, HasAsManyAdditionsAsItClaims) {
  AdditionChain chain;
  EXPECT_EQ(chain.length(), 0);
  for (int round = 1; round <= 5; ++round) {
    chain.add_round();
    EXPECT_EQ(chain.length(), round * AdditionChain::round);
  }
}

TEST(CoreFrequencyOfAChain, IsAdditionsByTime) {
  const SteppingClock clock;
  std::atomic<std::int64_t> beats{0};
  Member member(0, 1, Stopwatch::simulated(clock), beats);
  test::PointSetup setup({}, 1);
  const Claims claims = CoreFrequency(setup).run(member, Reps{10});
  EXPECT_DOUBLE_EQ(claims[CoreFrequency::frequency], 2560 / 640e-9) << "2560 additions in 640 ns";
  EXPECT_EQ(claims[CoreFrequency::cycle], 640) << "of all additions: divided by their number later";
}

}  // namespace
}  // namespace assay
