// SPDX-License-Identifier: Apache-2.0
// What is derived of one point by itself: quantiles of its tail, and parts that its measurement found by name.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/campaigns/fed_point.hpp"

namespace assay::test {
namespace {

SeriesPlan with_tail(std::vector<double> probabilities) {
  SeriesPlan series = fake_series("one", {});
  series.derived.push_back({.name = "tail",
                            .kind = DerivedSpec::Kind::tail,
                            .factor = {},
                            .first = {},
                            .second = {},
                            .text = "tail 0.999",
                            .quantity = {},
                            .probabilities = std::move(probabilities)});
  return series;
}

std::vector<DerivedRecord> derived_of(Fed& fed) {
  const PointRecord record = fed.point.finish(fed.point.stopped(Outcome::max_time, "enough"));
  EXPECT_FALSE(record.results.empty());
  return fed.point.derived();
}

const DerivedRecord& own_value(const std::vector<DerivedRecord>& records, const std::string& name) {
  const auto found = std::ranges::find(records, name, &DerivedRecord::name);
  if (found == records.end()) throw std::out_of_range("no derived value " + name);
  return *found;
}

void feed_exponential(Fed& fed, int visits) {
  for (int visit = 0; visit < visits; ++visit) {
    std::vector<Batch> batches;
    for (int i = 0; i < 8; ++i) batches.push_back(fed.batch(1000 * (1 - std::log1p(-fed.rng.uniform()))));
    fed.visit(batches);
  }
}

TEST(OwnDerived, HasTheQuantilesAskedFor) {
  Fed fed(with_tail({0.9, 0.999}));
  feed_exponential(fed, 200);
  const auto records = derived_of(fed);
  ASSERT_EQ(records.size(), 4U);
  const DerivedRecord& far = own_value(records, "tail.p99.9");
  EXPECT_TRUE(far.derived.valid) << far.derived.reason;
  EXPECT_TRUE(far.derived.interval.contains(1000 * (1 + std::log(1000))));
  EXPECT_EQ(far.unit, "ns");
  EXPECT_NE(far.formula.find("generalised Pareto"), std::string::npos) << far.formula;
  EXPECT_NE(own_value(records, "tail.p90").formula.find("ranks"), std::string::npos);
  EXPECT_GT(own_value(records, "tail.longest").derived.value, far.derived.value);
  EXPECT_TRUE(own_value(records, "tail.shape").derived.interval.contains(0));
  EXPECT_EQ(own_value(records, "tail.shape").unit, "");
}

TEST(OwnDerived, SaysWhyAQuantileIsNotKnown) {
  Fed fed(with_tail({0.999}));
  feed_exponential(fed, 20);
  const DerivedRecord far = own_value(derived_of(fed), "tail.p99.9");
  EXPECT_FALSE(far.derived.valid);
  EXPECT_NE(far.derived.reason.find("160 observations"), std::string::npos) << far.derived.reason;
}

TEST(OwnDerived, IsNothingWhereNothingWasAsked) {
  Fed fed(fake_series("one", {}));
  feed_exponential(fed, 20);
  EXPECT_TRUE(derived_of(fed).empty());
}

// Two incarnations at first, of which none has an interval; with a third it has.
TEST(NamedParts, AreMeansOverAllBatches) {
  NamedParts parts;
  const DerivedRecord like;
  EXPECT_TRUE(parts.records(like, 0.05).empty());
  const std::vector<NamedPart> first{{"interrupt timer", 0.4, 10}, {"user thread x", 0.1, 1}};
  const std::vector<NamedPart> second{{"interrupt timer", 0.2, 5}};
  parts.add(0, 2, first);
  parts.add(1, 2, second);
  auto records = parts.records(like, 0.05);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].name, "interrupt timer") << "the largest first";
  EXPECT_NEAR(records[0].derived.value, 0.6 / 4, 1e-12);
  EXPECT_EQ(records[0].formula, "15 times");
  EXPECT_FALSE(records[0].derived.interval.available());
  EXPECT_NEAR(records[1].derived.value, 0.1 / 4, 1e-12) << "a process without it had none of it";
  parts.add(2, 2, first);
  records = parts.records(like, 0.05);
  EXPECT_TRUE(records[0].derived.interval.contains(1.0 / 6));
  EXPECT_EQ(records[1].derived.interval.low, 0) << "no share is negative";
  parts.clear();
  EXPECT_TRUE(parts.records(like, 0.05).empty());
}

TEST(NamedParts, PutsSmallOnesTogether) {
  NamedParts parts;
  std::vector<NamedPart> many{{"much", 1, 1}};
  for (int i = 0; i < 30; ++i) many.push_back({"little " + std::to_string(i), 0.001, 2});
  parts.add(0, 1, many);
  const auto records = parts.records({}, 0.05);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[1].name, "30 others");
  EXPECT_EQ(records[1].formula, "60 times");
  EXPECT_NEAR(records[1].derived.value, 0.03, 1e-12);
}

TEST(OwnDerived, ContainsTheNamedPartsOfKeptVisits) {
  Fed fed(fake_series("one", {}));
  for (int i = 0; i < 6; ++i) {
    const VisitPlace place{0, fed.point.next_incarnation(), fed.point.visits(), milliseconds(100) * i, milliseconds(1)};
    VisitYield yield{1, {}, {fed.batch(10), fed.batch(10), fed.batch(11)}};
    yield.found_parts = {{"interrupt timer", 5, 3}};
    fed.point.add(yield, place);
  }
  const auto records = derived_of(fed);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_NEAR(records[0].derived.value, 2.5, 1e-12) << "of two batches in each visit that are kept";
  EXPECT_EQ(records[0].quantity, "time");
}

}  // namespace
}  // namespace assay::test
