// SPDX-License-Identifier: Apache-2.0
// Counting visits, incarnations and disturbed batches.
#include "stats/sample/sample.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "support/laws/fake_visits.hpp"

namespace assay {
namespace {

TEST(Sample, StartsEmpty) {
  const Sample sample;
  EXPECT_TRUE(sample.empty());
  EXPECT_EQ(sample.visits(), 0);
  EXPECT_EQ(sample.incarnations(), 0);
  EXPECT_EQ(sample.disturbed_share(), 0);
  EXPECT_TRUE(sample.incarnation_medians().empty());
}

TEST(Sample, CountsDistinctVisitsAndIncarnations) {
  // Visits dealt in turn over two incarnations; visit 0 is one too.
  const Sample sample = test::sample_of({{1, 2, 3}, {10, 20}, {4}}, 2);
  EXPECT_EQ(sample.size(), 6U);
  EXPECT_EQ(sample.visits(), 3);
  EXPECT_EQ(sample.incarnations(), 2);
}

TEST(Sample, KeepsTheOrderOfArrival) {
  const Sample sample = test::sample_of({{3, 1}, {2}});
  EXPECT_EQ(sample.values(), (std::vector<double>{3, 1, 2}));
  EXPECT_EQ(sample.observations()[2].visit, 1);
}

TEST(Sample, MediansOfIncarnationsInOrderOfAppearance) {
  Sample sample;
  sample.add({5, 0, 7, 0});
  sample.add({1, 0, 2, 1});
  sample.add({3, 0, 2, 1});
  sample.add({9, 0, 7, 2});
  sample.add({6, 0, 7, 2});
  EXPECT_EQ(sample.incarnation_medians(), (std::vector<double>{6, 2}));
}

TEST(Sample, RefusesAVisitThatComesLate) {
  Sample sample;
  sample.add({1, 0, 0, 4});
  EXPECT_THROW(sample.add({1, 0, 0, 3}), std::invalid_argument);
  EXPECT_EQ(sample.size(), 1U);
  EXPECT_NO_THROW(sample.add({1, 0, 0, 4}));
}

TEST(Sample, CountsDisturbedBatchesWithoutKeepingThem) {
  Sample sample = test::sample_of({{1, 2, 3}});
  sample.add_disturbed();
  EXPECT_EQ(sample.size(), 3U);
  EXPECT_EQ(sample.disturbed(), 1U);
  EXPECT_DOUBLE_EQ(sample.disturbed_share(), 0.25);
}

}  // namespace
}  // namespace assay
