// SPDX-License-Identifier: Apache-2.0
// The order check at run time: exact, so that a releaser that takes its own lock back is seen.
#include "lock/phase_witness.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

struct TwoSides {
  std::atomic<std::int64_t> main{0};
  std::atomic<std::int64_t> client{0};
  PhaseWitness witness{main, client, 4};
};

TEST(PhaseWitness, AcceptsTheExactPhaseInEveryCycle) {
  TwoSides sides;
  for (int cycle = 0; cycle < 3; ++cycle) {
    for (int phase = 1; phase <= 4; ++phase) {
      sides.client = cycle * 4 + phase;
      EXPECT_TRUE(sides.witness.obtained(phase));
    }
    sides.witness.end_cycle();
  }
}

TEST(PhaseWitness, CatchesALockTakenBackBeforeThePartnerHadIt) {
  TwoSides sides;
  EXPECT_FALSE(sides.witness.obtained(1)) << "the partner has not released anything yet";
}

TEST(PhaseWitness, CatchesAPartnerThatRanAhead) {
  TwoSides sides;
  sides.client = 2;
  EXPECT_FALSE(sides.witness.obtained(1)) << "monotone would not be enough";
}

TEST(PhaseWitness, PublishesBeforeEachUnlock) {
  TwoSides sides;
  sides.witness.released();
  sides.witness.released();
  EXPECT_EQ(sides.main.load(), 2);
}

}  // namespace
}  // namespace assay
