// SPDX-License-Identifier: Apache-2.0
// Averages over campaigns: the arithmetic, what is matched, and what is told instead.
#include "record/compare/average.hpp"

#include <gmock/gmock-more-matchers.h>

#include <cmath>
#include <sstream>

#include "stats/sample/summary.hpp"
#include "unit/record/results.hpp"

namespace assay::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

SeriesRecord series_record() {
  SeriesRecord series;
  series.series = "one";
  series.measurement = "logp/round_trip";
  series.quantities = {Quantity{}};
  return series;
}

ShownCampaign campaign(const std::string& name, const std::vector<PointRecord>& points) {
  ShownCampaign shown{name, {series_record()}};
  shown.records.insert(shown.records.end(), points.begin(), points.end());
  return shown;
}

PointRecord point(double value, std::int64_t n = 1) {
  return finished_point("one", point_of({{"n", n}}), plain_result(value, 0.01));
}

std::string text_of(const Averages& averages, std::size_t campaigns) {
  std::ostringstream out;
  print_averages(out, averages, campaigns);
  return out.str();
}

TEST(Average, IsOverCampaignsEachOfWhichCountsOnce) {
  const std::vector<double> values{100, 110, 121};
  std::vector<ShownCampaign> all;
  for (const double value : values) all.push_back(campaign("c", {point(value), point(2 * value, 2)}));
  const Averages averages = average(all);
  ASSERT_THAT(averages.results, SizeIs(2));
  const Average& first = averages.results[0];
  EXPECT_THAT(first.values, ElementsAre(100, 110, 121));
  EXPECT_NEAR(first.estimate.value, 110, 1e-9) << "the logarithms lie at equal distances";
  // Student's t of 2 degrees of freedom, 4.3027, times ln 1.1 over the root of 3.
  const double reach = std::exp(4.302652730 * std::log(1.1) / std::sqrt(3.0));
  EXPECT_NEAR(first.estimate.interval.high, 110 * reach, 1e-6);
  EXPECT_NEAR(first.estimate.interval.low, 110 / reach, 1e-6);
  const Summary between = summarize(values);
  EXPECT_DOUBLE_EQ(first.spread, between.stddev / between.mean);
  EXPECT_EQ(first.converged, 3U);
  EXPECT_THAT(averages.missing, IsEmpty());
  EXPECT_THAT(text_of(averages, 3), HasSubstr("of 3 campaigns"));
}

Result found_in(Result result, Sharing sharing) {
  result.state.sharing = sharing;
  return result;
}

TEST(Average, IsOfOneStateOfTheCores) {
  PointRecord alone = point(100);
  alone.results[0].state.sharing = Sharing::alone;
  alone.others = {plain_result(130, 0.01), found_in(plain_result(180, 0.01), Sharing::shared)};
  PointRecord found = point(140);
  const Averages averages = average(std::vector{campaign("a", {alone}), campaign("b", {found})});
  ASSERT_THAT(averages.results, SizeIs(1));
  EXPECT_THAT(averages.results[0].values, ElementsAre(130, 140)) << "as found, which both have";
  found.results[0].state.sharing = Sharing::alone;
  const Averages both = average(std::vector{campaign("a", {alone}), campaign("b", {found})});
  EXPECT_THAT(both.results.at(0).values, ElementsAre(100, 140));
  for (const Record& record : both.records)
    if (const auto* whole = std::get_if<PointRecord>(&record)) {
      EXPECT_THAT(whole->others, IsEmpty()) << "of one campaign";
    }
}

TEST(Average, OfStatesThatNeverMetThereIsNone) {
  PointRecord alone = point(100);
  alone.results[0].state.sharing = Sharing::alone;
  const Averages averages = average(std::vector{campaign("a", {alone}), campaign("b", {point(140)})});
  EXPECT_THAT(averages.results, IsEmpty());
  ASSERT_THAT(averages.missing, SizeIs(1));
  EXPECT_EQ(averages.missing[0].reason, "the cores were never in one state: alone in a, as found in b");
}

TEST(Average, OfTwoCampaignsHasTheHullOfTheirIntervals) {
  const std::vector<ShownCampaign> all{campaign("a", {point(100)}), campaign("b", {point(110)})};
  const Interval interval = average(all).results.at(0).estimate.interval;
  EXPECT_DOUBLE_EQ(interval.low, 99);
  EXPECT_DOUBLE_EQ(interval.high, 111.1);
}

TEST(Average, WhatACampaignLacksIsToldAndNotAveraged) {
  PointRecord without = point(1, 2);
  without.results.clear();
  without.outcome = Outcome::timeout;
  without.reason = "silent";
  PointRecord other = point(5, 3);
  other.id = "x";
  PointRecord another = point(5, 3);
  another.id = "y";
  const std::vector<ShownCampaign> all{campaign("a", {point(100), point(7, 2), other}),
                                       campaign("b", {point(100), without, another, point(9, 4)})};
  const Averages averages = average(all);
  ASSERT_THAT(averages.results, SizeIs(1));
  EXPECT_EQ(averages.results[0].point, point(1).point);
  ASSERT_THAT(averages.missing, SizeIs(3));
  EXPECT_THAT(averages.missing[0].reason, HasSubstr("b has no number: timeout"));
  EXPECT_EQ(averages.missing[1].reason, "b measured something else there");
  EXPECT_EQ(averages.missing[2].reason, "a has no such point");
  EXPECT_THAT(text_of(averages, 2), HasSubstr("not averaged:\n  one n=2: b has no number"));
}

TEST(Average, AQuantityThatOneLacksIsNotAveraged) {
  PointRecord more = point(100);
  more.results.push_back(plain_result(5, 0.01));
  more.results.back().quantity = "extra";
  const std::vector<ShownCampaign> all{campaign("a", {more}), campaign("b", {point(100)})};
  const Averages averages = average(all);
  EXPECT_THAT(averages.results, SizeIs(1));
  ASSERT_THAT(averages.missing, SizeIs(1));
  EXPECT_EQ(averages.missing[0].reason, "b has no quantity 'extra'");
}

TEST(Average, IsOneCampaignToLayouts) {
  PointRecord lost = point(3, 2);
  lost.results.clear();
  lost.outcome = Outcome::timeout;
  PointRecord open = point(110);
  open.results[0].verdict.outcome = Outcome::max_time;
  const std::vector<ShownCampaign> all{campaign("a", {point(100), point(7, 2)}), campaign("b", {open, lost})};
  const Averages averages = average(all);
  ASSERT_THAT(averages.records, SizeIs(3));
  const auto& combined = std::get<PointRecord>(averages.records[1]);
  ASSERT_THAT(combined.results, SizeIs(1));
  EXPECT_NEAR(combined.results[0].headline.value, std::sqrt(100.0 * 110), 1e-9);
  EXPECT_EQ(combined.results[0].verdict.outcome, Outcome::max_time) << "marked, since one did not converge";
  EXPECT_EQ(averages.results[0].converged, 1U);
  const auto& missing = std::get<PointRecord>(averages.records[2]);
  EXPECT_THAT(missing.results, IsEmpty());
  EXPECT_EQ(missing.outcome, Outcome::timeout);
  EXPECT_THAT(missing.reason, HasSubstr("b has no number"));
}

}  // namespace
}  // namespace assay::test
