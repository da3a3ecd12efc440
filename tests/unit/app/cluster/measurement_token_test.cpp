// SPDX-License-Identifier: Apache-2.0
// Ranks that measure one at a time, on a clock that passes when they wait.
#include "app/cluster/measurement_token.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "support/environment/scratch.hpp"
#include "support/machines/fake_clock.hpp"

namespace assay {
namespace {

const auto never = [] { return false; };
const auto at_once = [] { return true; };

class MeasurementTokenTest : public testing::Test {
 protected:
  // What the others do while a rank waits; each wait takes a millisecond.
  MeasurementToken of(int rank, int ranks = 3) {
    return {scratch_.path().string(), rank, ranks, {clock_, [this](Nanoseconds) {
                                                      clock_.advance(milliseconds(1));
                                                      if (others_) others_();
                                                    }}};
  }

  test::Scratch scratch_;
  test::FakeClock clock_;
  std::function<void()> others_;
};

TEST_F(MeasurementTokenTest, GoesRoundWhenTheStintIsOver) {
  MeasurementToken ranks[] = {of(0), of(1), of(2)};
  others_ = [] { FAIL() << "a rank waits that should hold it"; };
  for (std::size_t turn = 0; turn < 7; ++turn) {
    MeasurementToken& holder = ranks[turn % 3];
    holder.await(never);
    EXPECT_EQ(holder.take_turns(never), Nanoseconds{}) << "the stint has just begun";
    clock_.advance(milliseconds(250));
    holder.take_turns(at_once);
  }
}

TEST_F(MeasurementTokenTest, TellsHowLongTheOthersHadIt) {
  MeasurementToken first = of(0, 2);
  MeasurementToken second = of(1, 2);
  int looks = 0;
  others_ = [&] {
    if (++looks < 5) return;
    second.await(never);
    clock_.advance(milliseconds(250));
    second.take_turns(at_once);
    others_ = nullptr;
  };
  clock_.advance(milliseconds(250));
  EXPECT_EQ(first.take_turns(never), milliseconds(255));
}

TEST_F(MeasurementTokenTest, IsKeptWhereNobodyElseNeedsIt) {
  MeasurementToken first = of(0);
  of(1).retire();
  of(2).retire();
  clock_.advance(milliseconds(1000));
  others_ = [] { FAIL() << "it waited"; };
  EXPECT_EQ(first.take_turns(never), Nanoseconds{});
}

TEST_F(MeasurementTokenTest, PassesByThoseWhoHaveRetiredEvenOnceItIsTheirs) {
  MeasurementToken first = of(0);
  MeasurementToken third = of(2);
  clock_.advance(milliseconds(250));
  others_ = [&] {
    others_ = nullptr;
    of(1).retire();  // which holds it by now
    third.await(never);
    third.retire();
  };
  EXPECT_EQ(first.take_turns(never), milliseconds(1));
}

TEST_F(MeasurementTokenTest, WhoIsAskedToStopDoesNotWait) {
  MeasurementToken second = of(1);
  second.await(at_once);
  clock_.advance(milliseconds(250));
  EXPECT_EQ(second.take_turns(at_once), Nanoseconds{});
  others_ = [] { FAIL() << "the first holds it all the same"; };
  of(0).await(never);
}

TEST_F(MeasurementTokenTest, RanksThatKnowOnlyOfThoseBeforeThemHaveOneTurnEach) {
  MeasurementToken ranks[] = {of(0, 1), of(1, 2), of(2, 3)};
  others_ = [] { FAIL() << "a rank waits that should hold it"; };
  for (MeasurementToken& rank : ranks) {
    rank.await(never);
    clock_.advance(milliseconds(1000));
    EXPECT_EQ(rank.take_turns(never), Nanoseconds{});
    rank.retire();
  }
}

TEST_F(MeasurementTokenTest, OfOneRankIsNeverHandedOn) {
  MeasurementToken only = of(0, 1);
  clock_.advance(milliseconds(1000));
  EXPECT_EQ(only.take_turns(never), Nanoseconds{});
}

}  // namespace
}  // namespace assay
