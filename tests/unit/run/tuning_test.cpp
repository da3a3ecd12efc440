// SPDX-License-Identifier: Apache-2.0
// An open point: calibration again, the length of its visits, and what disturbs it.
#include <gtest/gtest.h>

#include "support/fed_point.hpp"

namespace assay::test {
namespace {

SeriesPlan one() { return fake_series("one", {}); }

TEST(OpenPoint, IsCalibratedAgainWhenItsBatchesTurnOutTooShort) {
  Fed fed(one());
  const auto tune = [&](std::int64_t reps) { fed.point.calibrated({{reps}, {10}, {1}, {1000}}); };
  tune(100);
  EXPECT_FALSE(fed.point.needs_calibration());
  fed.visit({fed.batch(10), fed.batch(10)});
  EXPECT_FALSE(fed.point.needs_calibration());
  fed.visit({fed.batch(10), fed.batch(4)});
  EXPECT_TRUE(fed.point.needs_calibration()) << "the host moved the members together";
  tune(250);
  EXPECT_FALSE(fed.point.needs_calibration());
  for (int i = 0; i < 8; ++i) fed.visit({fed.batch(4), fed.batch(4), fed.batch(4), fed.batch(4)});
  const PointRecord record = fed.point.finish(fed.point.stopped(Outcome::aborted, "enough"));
  EXPECT_EQ(record.results.at(0).summary.max, 4) << "what batches of another length said does not count";
  EXPECT_EQ(record.reps.count, 250);
}

TEST(OpenPoint, IsCalibratedAgainAtMostThreeTimes) {
  Fed fed(one());
  for (int again = 0; again < 3; ++again) {
    fed.point.calibrated({{100 + again}, {10}, {1}, {1000}});
    fed.visit({fed.batch(0.001)});
    EXPECT_EQ(fed.point.needs_calibration(), again < 2) << again;
  }
}

TEST(OpenPoint, TheSameRepetitionsAgainKeepWhatWasSeen) {
  Fed fed(one());
  fed.visit({fed.batch(10)});
  fed.tune(100, 9);
  EXPECT_EQ(fed.point.finish({}).results.at(0).summary.n, 1U);
}

TEST(OpenPoint, ChoosesTheLengthOfItsVisits) {
  // Visits that cost a hundred times their batches and do not differ: long ones are cheaper.
  SeriesPlan choosing = one();
  choosing.precision.batches.reset();
  Fed far(choosing);
  for (int i = 0; i < 8; ++i) {
    std::vector<Batch> batches;
    for (int k = 0; k < 8; ++k) batches.push_back(far.batch(10 * (1 + 0.2 * far.rng.normal())));
    far.visit(std::move(batches), 0, microseconds(800));
  }
  EXPECT_FALSE(far.point.check(2).stop());
  EXPECT_GT(far.point.next_order().batches, 16);

  // Visits that differ far more than they vary within: long ones tell nothing new.
  Fed moody(choosing);
  for (int i = 0; i < 8; ++i) {
    const double mood = 10 * (1 + 0.3 * moody.rng.normal());
    std::vector<Batch> batches;
    for (int k = 0; k < 8; ++k) batches.push_back(moody.batch(mood * (1 + 0.001 * moody.rng.normal())));
    moody.visit(std::move(batches), 0, microseconds(10));
  }
  EXPECT_FALSE(moody.point.check(2).stop());
  EXPECT_EQ(moody.point.next_order().batches, 4);

  SeriesPlan asked = one();
  asked.precision.batches = 6;
  EXPECT_EQ(Fed(asked).point.next_order().batches, 6);
}

TEST(OpenPoint, FailsWhereTheClockKeepsGoingWrong) {
  Fed fed(one());
  while (!fed.point.check(2).stop()) {
    std::vector<Batch> batches(8, fed.batch(10 + 5 * fed.rng.normal()));
    batches[0].members[0].claims = Claims(Nanoseconds{-1e6});
    fed.visit(std::move(batches), 0, milliseconds(50));
  }
  const Verdict verdict = fed.point.check(2);
  EXPECT_EQ(verdict.outcome, Outcome::failed);
  EXPECT_NE(verdict.reason.find("the clock went wrong in"), std::string::npos) << verdict.reason;
}

TEST(OpenPoint, CountsDisturbancesByCauseAndMarksNoisyResults) {
  SeriesPlan series = one();
  series.precision.noisy = 0.1;
  Fed fed(series);
  fed.visit({fed.batch(10), fed.batch(10), fed.batch(10), fed.batch(10), fed.batch(10), fed.batch(10), fed.batch(10),
             fed.switched(10, 1)});
  const PointRecord record = fed.point.finish({});
  EXPECT_EQ(to_text(record.disturbed), "switched 1");
  EXPECT_TRUE(record.results.at(0).noisy);
  series.precision.noisy = 0.2;
  Fed tolerant(series);
  tolerant.visit({tolerant.batch(10), tolerant.batch(10), tolerant.batch(10), tolerant.batch(10), tolerant.batch(10),
                  tolerant.batch(10), tolerant.batch(10), tolerant.switched(10, 1)});
  EXPECT_FALSE(tolerant.point.finish({}).results.at(0).noisy);
}

}  // namespace
}  // namespace assay::test
