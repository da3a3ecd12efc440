// SPDX-License-Identifier: Apache-2.0
// The laws that other tests trust have the medians and means that they claim.
#include <gtest/gtest.h>

#include <cmath>

#include "stats/sample/summary.hpp"
#include "support/laws/laws.hpp"

namespace assay {
namespace {

constexpr int law_draws = 40000;

void expect_truth(const test::Law& law, double tolerance) {
  Rng rng = Rng(99).substream(law.name);
  std::vector<double> values;
  for (int i = 0; i < law_draws; ++i) values.push_back(law(rng));
  const Summary summary = summarize(values);
  EXPECT_NEAR(summary.median, law.median, tolerance) << law.name;
  EXPECT_NEAR(summary.mean, law.mean, tolerance) << law.name;
}

TEST(Laws, HaveTheTruthTheyClaim) {
  expect_truth(test::constant(7), 0);
  expect_truth(test::normal(100, 10), 0.25);
  expect_truth(test::log_normal(100, 0.3), 0.8);
  expect_truth(test::shifted_exponential(100, 20), 0.5);
  expect_truth(test::contaminated(100, 2, 0.05, 20), 8);
  expect_truth(test::bimodal(100, 130, 0.3, 2), 0.3);
  expect_truth(test::autoregressive(100, 10, 0.9), 1);
  expect_truth(test::drifting(100, 120, law_draws, 3), 0.4);
  expect_truth(test::stepping(100, 102, law_draws / 2, 3), 0.1);
  expect_truth(test::quantised(test::normal(100, 10), 2), 0.25);
}

TEST(Laws, TheMedianOfAMixtureIsExact) {
  // With well-separated modes the median is the first mode's quantile at 0.5 / 0.95 or 0.5 / 0.7.
  EXPECT_NEAR(test::contaminated(100, 2, 0.05, 20).median, 100 + 2 * normal_quantile(0.5 / 0.95), 1e-9);
  EXPECT_NEAR(test::bimodal(100, 130, 0.3, 2).median, 100 + 2 * normal_quantile(0.5 / 0.7), 1e-9);
  EXPECT_NEAR(test::bimodal(100, 130, 0.5, 2).median, 115, 5);
}

TEST(Laws, AutoregressiveValuesAreCorrelatedAsAsked) {
  const test::Law law = test::autoregressive(0, 1, 0.8);
  Rng rng(4);
  double products = 0;
  double squares = 0;
  double last = law(rng);
  for (int i = 0; i < law_draws; ++i) {
    const double next = law(rng);
    products += last * next;
    squares += last * last;
    last = next;
  }
  EXPECT_NEAR(products / squares, 0.8, 0.02);
  EXPECT_NEAR(squares / law_draws, 1, 0.1);
}

TEST(Laws, QuantisedValuesAreMultiplesOfTheStep) {
  const test::Law law = test::quantised(test::normal(100, 10), 2.5);
  Rng rng(1);
  for (int i = 0; i < 100; ++i) {
    const double steps = law(rng) / 2.5;
    EXPECT_EQ(steps, std::round(steps));
  }
}

TEST(Laws, ChangesComeWhereAsked) {
  Rng rng(1);
  const test::Law step = test::stepping(1, 5, 3, 0);
  for (const double expected : {1.0, 1.0, 1.0, 5.0, 5.0}) EXPECT_EQ(step(rng), expected);
  const test::Law drift = test::drifting(0, 10, 5, 0);
  for (const double expected : {1.0, 3.0, 5.0, 7.0, 9.0}) EXPECT_DOUBLE_EQ(drift(rng), expected);
}

TEST(Laws, ACopyContinuesWhereTheOriginalStands) {
  Rng rng(1);
  const test::Law law = test::stepping(1, 5, 2, 0);
  law(rng);
  const test::Law copy = law;
  EXPECT_EQ(law(rng), 1);
  EXPECT_EQ(law(rng), 5);
  EXPECT_EQ(copy(rng), 1);
  EXPECT_EQ(copy(rng), 5);
}

}  // namespace
}  // namespace assay
