// SPDX-License-Identifier: Apache-2.0
// When the visits of a point are due that are to span a time.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "support/campaigns/fed_point.hpp"

namespace assay::test {
namespace {

/// A point of which a visit of 8 batches takes 1 ms, and which is to span 3.2 s.
SeriesPlan spanned() {
  SeriesPlan series = fake_series("one", {});
  series.precision.span = seconds(3.2);
  series.precision.batches = 8;
  return series;
}

/// Its visits, each when it is due, until it is satisfied or the time is over.
struct Paced {
  explicit Paced(SeriesPlan series) : fed(std::move(series)) {}
  void run(double noise, Nanoseconds until = seconds(10)) {
    for (Nanoseconds now{}; now < until && !verdict.stop(); now += milliseconds(1)) {
      if (fed.point.due() > now) continue;
      fed.visit_at(now, fed.batches_about(10, noise));
      at.push_back(now);
      verdict = fed.point.check(2);
    }
  }
  /// Visits that began within a part of the span.
  long in(double from, double to) const {
    const auto is_within = [&](Nanoseconds time) { return time >= from * span() && time < to * span(); };
    return std::ranges::count_if(at, is_within);
  }
  Nanoseconds span() const { return fed.series.precision.span; }

  Fed fed;
  Verdict verdict;
  std::vector<Nanoseconds> at;
};

TEST(PointPace, WhatNeedsFewVisitsHasThemEvenlyToTheEnd) {
  Paced paced(spanned());
  paced.run(0.0001);
  EXPECT_EQ(paced.verdict.outcome, Outcome::converged);
  EXPECT_GE(paced.at.size(), 32U);
  EXPECT_LE(paced.at.size(), 36U);
  for (std::size_t i = 1; i < paced.at.size(); ++i)
    EXPECT_LE(paced.at[i] - paced.at[i - 1], paced.span() / 32 + milliseconds(1)) << i;
}

TEST(PointPace, WhatNeedsManyHasThemWithinTheSpanAndNoCrowdBehindIt) {
  Paced paced(spanned());
  paced.run(0.25);
  EXPECT_EQ(paced.verdict.outcome, Outcome::converged) << paced.verdict.reason;
  EXPECT_GT(paced.at.size(), 100U);
  EXPECT_GT(paced.in(0, 1), static_cast<long>(0.8 * static_cast<double>(paced.at.size())));
  // What it needs shows after the first visits.
  EXPECT_LT(static_cast<double>(paced.in(2.0 / 3, 1)), 1.2 * static_cast<double>(paced.in(1.0 / 3, 2.0 / 3)));
  for (int part = 0; part < 8; ++part) EXPECT_GE(paced.in(part / 8.0, (part + 1) / 8.0), 3) << part;
}

/// Timings of a visit are alike, so that a visit counts for one.
TEST(PointPace, WhatLacksIndependentTimingsHasThemWithinTheSpanToo) {
  Paced paced(spanned());
  for (Nanoseconds now{}; now < seconds(10) && !paced.verdict.stop(); now += milliseconds(1)) {
    if (paced.fed.point.due() > now) continue;
    paced.fed.visit_at(now, paced.fed.batches_about(10 * (1 + 0.003 * paced.fed.rng.normal()), 0.0001));
    paced.at.push_back(now);
    paced.verdict = paced.fed.point.check(2);
  }
  EXPECT_EQ(paced.verdict.outcome, Outcome::converged) << paced.verdict.reason;
  EXPECT_GT(paced.in(0, 1), 30);
  EXPECT_LT(paced.at.back(), 1.2 * paced.span()) << "no crowd behind it";
}

TEST(PointPace, ChangesOfTheMachineAreGivenMoreTimeInThePlaceOfACrowd) {
  Paced paced(spanned());
  paced.fed.series.precision.rule.eps = 0.02;
  Rng rng(5);
  std::vector<double> conditions;
  for (int i = 0; i < 30; ++i) conditions.push_back(10 * (1 + 0.027 * rng.normal()));
  for (Nanoseconds now{}; now < seconds(10) && !paced.verdict.stop(); now += milliseconds(1)) {
    if (paced.fed.point.due() > now) continue;
    const double condition = conditions.at(static_cast<std::size_t>(now / milliseconds(400)));
    paced.fed.visit_at(now, paced.fed.batches_about(condition, 0.01));
    paced.at.push_back(now);
    paced.verdict = paced.fed.point.check(2);
  }
  EXPECT_EQ(paced.verdict.outcome, Outcome::converged) << paced.verdict.reason;
  EXPECT_GT(paced.at.back(), 1.1 * paced.span());
  EXPECT_LT(paced.at.back(), 3.2 * paced.span());
  for (std::size_t i = 1; i < paced.at.size(); ++i)
    if (paced.at[i] > paced.span()) {
      EXPECT_GE(paced.at[i] - paced.at[i - 1], milliseconds(5)) << i;
    }
}

TEST(PointPace, BehindTheSpanVisitsAreNoMoreThanFourTimesAsDense) {
  Fed fed(spanned());
  for (int visit = 0; visit <= 32; ++visit) fed.visit_at(visit * milliseconds(100), fed.batches_about(10, 0.3));
  EXPECT_EQ(fed.point.due(), seconds(3.2) + seconds(3.2) / (4 * 33.0));
}

TEST(PointPace, WhatADesignWaitsForIsVisitedFourTimesAsOften) {
  Fed fed(spanned());
  for (int visit = 0; visit <= 8; ++visit) fed.visit_at(visit * milliseconds(100), fed.batches_about(10, 0.0001));
  const Nanoseconds usual = fed.point.due() - milliseconds(800);
  fed.point.set_awaited(true);
  EXPECT_NEAR(usual / (fed.point.due() - milliseconds(800)), 4, 1e-6);
  for (int visit = 9; visit <= 32; ++visit) fed.visit_at(visit * milliseconds(100), fed.batches_about(10, 0.3));
  EXPECT_EQ(fed.point.due(), seconds(3.2) + seconds(3.2) / (16 * 33.0));
  fed.point.set_awaited(false);
  EXPECT_EQ(fed.point.due(), seconds(3.2) + seconds(3.2) / (4 * 33.0));
}

TEST(PointPace, VisitsThatTheBudgetHasAreAllThereAre) {
  SeriesPlan series = spanned();
  series.precision.rule.budget.max_time = milliseconds(12);
  Paced paced(std::move(series));
  paced.run(0.5);
  EXPECT_EQ(paced.verdict.outcome, Outcome::max_time) << paced.verdict.reason;
  EXPECT_EQ(paced.at.size(), 12U);
  EXPECT_GE(paced.in(0.5, 1.1), 5);
  EXPECT_GT(paced.at.back(), 0.85 * paced.span());
}

TEST(PointPace, TimingsThatTheBudgetHasAreSpreadAsWell) {
  SeriesPlan series = spanned();
  series.precision.rule.budget.max_timings = 400;
  Paced paced(std::move(series));
  paced.run(0.3);
  EXPECT_EQ(paced.verdict.outcome, Outcome::max_timings) << paced.verdict.reason;
  EXPECT_GT(paced.at.back(), 0.85 * paced.span());
}

TEST(PointPace, WithoutASpanEveryVisitIsDueAtOnce) {
  Fed fed(fake_series("one", {}));
  fed.visits(3, {10}, 0.01);
  EXPECT_EQ(fed.point.due(), Nanoseconds{});
}

}  // namespace
}  // namespace assay::test
