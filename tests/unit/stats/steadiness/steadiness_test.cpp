// SPDX-License-Identifier: Apache-2.0
// Warm-up, dependence, drift, shifts between sessions and modes on samples built for one finding each.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/rng.hpp"
#include "stats/rule/estimate.hpp"
#include "stats/steadiness/steadiness.hpp"
#include "support/laws/fake_visits.hpp"

namespace assay {
namespace {

using testing::HasSubstr;
using SteadyVisits = std::vector<std::vector<double>>;

/// Eight values from centre - 1 to centre + 1.
std::vector<double> steady_around(double centre) {
  std::vector<double> values;
  for (int i = 0; i < 8; ++i) values.push_back(centre + (i * 3 % 8 - 3.5) / 3.5);
  return values;
}

SteadyVisits with_start(int slow, int visits, double start = 110) {
  SteadyVisits all;
  for (int i = 0; i < visits; ++i) all.push_back(steady_around(i < slow ? start : 100));
  return all;
}

TEST(WarmUp, SlowFirstVisitsAreLeftOut) {
  Sample sample = test::sample_of(with_start(3, 17));
  sample.add_disturbed();
  const Trimmed trimmed = without_warm_up(sample);
  EXPECT_EQ(trimmed.dropped, 3);
  EXPECT_EQ(trimmed.sample.size(), 14U * 8);
  EXPECT_EQ(trimmed.sample.observations().front().visit, 3);
  EXPECT_EQ(trimmed.sample.disturbed(), 1U);
}

TEST(WarmUp, IsOneSided) { EXPECT_EQ(without_warm_up(test::sample_of(with_start(3, 17, 90))).dropped, 0); }

TEST(WarmUp, LastsForAThirdOfTheSampleAtMost) {
  EXPECT_EQ(without_warm_up(test::sample_of(with_start(5, 15))).dropped, 5);
  EXPECT_LE(without_warm_up(test::sample_of(with_start(8, 12))).dropped, 6);
}

TEST(WarmUp, OfEachProcessIsLeftOut) {
  SteadyVisits visits = with_start(5, 20);
  EXPECT_EQ(without_warm_up(test::sample_of(visits, 5)).dropped, 5);
  // A sixth process that joins late is slow at first as well.
  Sample sample = test::sample_of(visits, 5);
  for (int visit = 20; visit < 26; ++visit)
    for (const double value : steady_around(visit == 20 ? 110 : 100))
      sample.add({value, 0, visit == 20 ? 5 : visit - 21, visit});
  const Trimmed trimmed = without_warm_up(sample);
  EXPECT_EQ(trimmed.dropped, 6);
  EXPECT_EQ(trimmed.sample.incarnations(), 5);
}

/// Visits of one process, or of five, begun in steps of so many ns.
Sample paced(int slow, double step, int incarnations) {
  Sample sample;
  for (int visit = 0; visit < 20; ++visit)
    for (const double value : steady_around(visit < slow ? 110 : 100))
      sample.add({value, 0, visit % incarnations, visit, step * visit});
  return sample;
}

TEST(WarmUp, EndsWithinASecond) {
  EXPECT_EQ(without_warm_up(paced(3, 1e7, 1)).dropped, 3);
  EXPECT_EQ(without_warm_up(paced(3, 4e8, 1)).dropped, 3);
  EXPECT_EQ(without_warm_up(paced(3, 2e9, 1)).dropped, 0);
  // Where the first visits are slower still, they alone are left out: what follows does not begin anew.
  Sample fading;
  for (int visit = 0; visit < 20; ++visit)
    for (const double value : steady_around(visit < 2 ? 140 : visit < 6 ? 110 : 100))
      fading.add({value, 0, 0, visit, 6e8 * visit});
  EXPECT_LE(without_warm_up(fading).dropped, 2);
  // The first visit of each of five processes is a start, whenever it is.
  EXPECT_EQ(without_warm_up(paced(5, 1e7, 5)).dropped, 5);
  EXPECT_EQ(without_warm_up(paced(5, 2e9, 5)).dropped, 5);
}

TEST(WarmUp, ASteadySampleIsKept) {
  EXPECT_EQ(without_warm_up(test::sample_of(with_start(0, 17), 3)).dropped, 0);
  EXPECT_EQ(without_warm_up(test::sample_of(SteadyVisits(9, std::vector<double>(8, 5)))).dropped, 0);
  EXPECT_EQ(without_warm_up(test::sample_of({{5}})).dropped, 0);
}

TEST(WarmUp, IsLeftOutOfTheHeadline) {
  const Sample sample = test::sample_of(with_start(5, 17));
  EXPECT_DOUBLE_EQ(headline(sample, 0.05, 0).value, 100);
  EXPECT_EQ(headline(sample, 0.05, 0).interval.low, headline(without_warm_up(sample).sample, 0.05, 0).interval.low);
}

TEST(WarmUp, EightVisitsMustRemain) {
  const auto rule = make_rule({});
  const Verdict verdict = rule->check(test::sample_of(with_start(3, 10)), {});
  EXPECT_EQ(verdict.outcome, Outcome::open);
  EXPECT_EQ(rule->check(test::sample_of(with_start(3, 11)), {}).outcome, Outcome::converged);
}

TEST(MedianCi, WantsThreeVisitsOfEachProcess) {
  const auto rule = make_rule({});
  const Verdict verdict = rule->check(test::sample_of(with_start(0, 14), 5), {});
  EXPECT_EQ(verdict.outcome, Outcome::open);
  EXPECT_EQ(rule->check(test::sample_of(with_start(0, 15), 5), {}).outcome, Outcome::converged);
}

SteadyVisits sloping(int visits, double change) {
  SteadyVisits all;
  for (int i = 0; i < visits; ++i) all.push_back(steady_around(100 + change * i / (visits - 1)));
  return all;
}

TEST(Drift, SaysHowTheHalvesDiffer) {
  const std::string upward = drift_of(test::sample_of(sloping(20, 8)), 2);
  EXPECT_THAT(upward, HasSubstr("4.13"));
  EXPECT_THAT(drift_of(test::sample_of(sloping(20, -8)), 2), HasSubstr("4.29"));
  EXPECT_EQ(drift_of(test::sample_of(sloping(20, 8), 5), 2), upward) << "however many processes";
}

TEST(Drift, WithinTheAccuracyIsNone) {
  EXPECT_EQ(drift_of(test::sample_of(sloping(20, 1.8)), 2), "");
  EXPECT_NE(drift_of(test::sample_of(sloping(20, 2.2)), 2), "");
  EXPECT_EQ(drift_of(test::sample_of(SteadyVisits(20, std::vector<double>(8, 5))), 0), "");
  EXPECT_EQ(drift_of(test::sample_of({{1}, {2}}), 0), "");
}

TEST(Drift, IsTheVerdictWhenTheBudgetEnds) {
  const Sample sample = test::sample_of(sloping(20, 9));
  EXPECT_EQ(make_rule({})->check(sample, {}).outcome, Outcome::open);
  const Verdict spent = make_rule({})->check(sample, {seconds(5), 0});
  EXPECT_EQ(spent.outcome, Outcome::drift);
  EXPECT_THAT(spent.reason, HasSubstr("4.64"));
  EXPECT_EQ(spent.estimate.value, make_rule({})->check(sample, {}).estimate.value);
}

TEST(Drift, IsTheVerdictWhenItLastsForFourLooks) {
  // A slope that the interval still holds, but of which the answer says nothing.
  SteadyVisits visits = sloping(17, 16 * 0.26);
  for (int i = 0; i < 17; ++i)
    for (double& value : visits[static_cast<std::size_t>(i)]) value += 3 * (value - 100 - 0.26 * i);
  const Verdict verdict = make_rule({})->check(test::sample_of(visits), {});
  EXPECT_EQ(verdict.outcome, Outcome::drift);
  EXPECT_LE(verdict.estimate.relative_half_width(), 0.02) << "as narrow as was asked";
  visits.resize(13);
  EXPECT_EQ(make_rule({})->check(test::sample_of(visits), {}).outcome, Outcome::open);
}

SteadyVisits mixed(int visits, int upper, double second) {
  SteadyVisits all;
  for (int i = 0; i < visits; ++i) {
    all.push_back(steady_around(100));
    for (int k = 0; k < upper; ++k) all.back()[static_cast<std::size_t>((3 * k + i) % 8)] *= second / 100;
  }
  return all;
}

std::vector<Mode> modes_in(const Sample& sample, double half_step = 0) {
  std::vector<double> sorted = sample.values();
  std::sort(sorted.begin(), sorted.end());
  return modes_of(sample, sorted, 0.05, half_step);
}

TEST(Modes, AreReportedWithValueWeightAndInterval) {
  const std::vector<Mode> modes = modes_in(test::sample_of(mixed(16, 3, 130)));
  ASSERT_EQ(modes.size(), 2U);
  EXPECT_NEAR(modes[0].median, 100, 0.5);
  EXPECT_NEAR(modes[1].median, 130, 0.5);
  EXPECT_DOUBLE_EQ(modes[0].weight, 5.0 / 8);
  EXPECT_DOUBLE_EQ(modes[1].weight, 3.0 / 8);
  EXPECT_TRUE(modes[1].interval.contains(modes[1].median));
  EXPECT_GE(modes[1].interval.level, 0.95);
  EXPECT_LE(modes_in(test::sample_of(mixed(16, 3, 130)), 1)[1].interval.low, modes[1].interval.low - 1);
}

TEST(Modes, NeedDistanceAndWeight) {
  EXPECT_TRUE(modes_in(test::sample_of(mixed(16, 0, 130))).empty());
  EXPECT_TRUE(modes_in(test::sample_of(mixed(16, 3, 102.5))).empty());
  EXPECT_TRUE(modes_in(test::sample_of(mixed(16, 3, 130)), 6).empty()) << "30 is fewer than three steps of 12";
  EXPECT_TRUE(modes_in(test::sample_of(mixed(3, 3, 130))).empty()) << "too few";
  EXPECT_TRUE(modes_in(test::sample_of(SteadyVisits(9, std::vector<double>(8, 5)))).empty());
}

TEST(Modes, OfSignedValuesAreFoundWithoutLogarithms) {
  SteadyVisits visits = mixed(16, 4, 130);
  for (auto& visit : visits)
    for (double& value : visit) value -= 115;
  const std::vector<Mode> modes = modes_in(test::sample_of(visits));
  ASSERT_EQ(modes.size(), 2U);
  EXPECT_NEAR(modes[0].median, -15, 0.5);
  EXPECT_NEAR(modes[1].median, 15, 0.5);
}

TEST(Modes, ProcessesThatDifferAreNone) {
  SteadyVisits visits;
  for (int i = 0; i < 20; ++i) visits.push_back(steady_around(i % 2 == 0 ? 100 : 130));
  EXPECT_TRUE(modes_in(test::sample_of(visits, 2)).empty());
  EXPECT_EQ(modes_in(test::sample_of(visits, 1)).size(), 2U);
}

TEST(Modes, AreTheVerdictAfterFourLooksFromThirteenVisitsOn) {
  const auto rule = make_rule({});
  const Verdict verdict = rule->check(test::sample_of(mixed(28, 4, 130)), {});
  EXPECT_EQ(verdict.outcome, Outcome::bimodal);
  EXPECT_EQ(rule->check(test::sample_of(mixed(22, 4, 130)), {}).outcome, Outcome::open);
}

TEST(Dependence, IsCountedInIndependentTimings) {
  const Look apart = look_at(test::sample_of(with_start(0, 20)), {});
  EXPECT_DOUBLE_EQ(apart.steadiness.effective, 160);
  EXPECT_LT(apart.steadiness.autocorrelation, 0.1);
  // All values of a visit are alike: a visit counts for one.
  SteadyVisits visits;
  Rng rng(3);
  for (int i = 0; i < 40; ++i) visits.emplace_back(8, 100 + rng.normal());
  const Look alike = look_at(test::sample_of(visits), {});
  EXPECT_LT(alike.steadiness.effective, 45);
  EXPECT_GT(alike.steadiness.effective, 15);
  EXPECT_DOUBLE_EQ(alike.steadiness.autocorrelation, 1);
  const Verdict verdict = make_rule({})->check(test::sample_of(visits), {});
  EXPECT_EQ(verdict.outcome, Outcome::open);
}

TEST(Look, OfNothingAndOfWhatIsNotFiniteFindsNothing) {
  EXPECT_TRUE(std::isnan(look_at({}, {}).headline.value));
  SteadyVisits visits = with_start(3, 17);
  visits[4][4] = std::numeric_limits<double>::infinity();
  const Look look = look_at(test::sample_of(visits), {});
  EXPECT_TRUE(std::isnan(look.headline.value));
  EXPECT_EQ(look.steadiness.dropped, 0);
  EXPECT_EQ(look.kept.size(), 17U * 8);
}

}  // namespace
}  // namespace assay

namespace assay::test {
namespace {

/// Incarnations of sessions about their centres.
std::vector<IncarnationMedian> incarnations(const std::vector<double>& centres, int each, double noise, Rng& rng) {
  std::vector<IncarnationMedian> all;
  for (std::size_t session = 0; session < centres.size(); ++session)
    for (int i = 0; i < each; ++i)
      all.push_back(
          {static_cast<int>(session), static_cast<int>(all.size()), centres[session] * (1 + noise * rng.normal()), 8});
  return all;
}

TEST(Shift, OneSessionCannotDiffer) {
  Rng rng(1);
  EXPECT_EQ(shift_of(incarnations({100}, 5, 0.1, rng), 0.1), "");
  EXPECT_EQ(shift_of({}, 0.1), "");
}

TEST(Shift, IsToldWhereItIsMoreThanChanceAndMatters) {
  Rng rng(2);
  EXPECT_NE(shift_of(incarnations({100, 110}, 5, 0.005, rng), 2), "");
  EXPECT_EQ(shift_of(incarnations({100, 101}, 5, 0.0005, rng), 2), "") << "significant, but too small to matter";
  EXPECT_EQ(shift_of(incarnations({100, 104}, 3, 0.1, rng), 2), "") << "large, but processes differ as much";
  EXPECT_THAT(shift_of(incarnations({100, 100, 120}, 4, 0.005, rng), 2), testing::HasSubstr("session 3"));
}

TEST(Shift, WithoutSpreadAnyDifferenceThatMattersIsTold) {
  Rng rng(3);
  EXPECT_NE(shift_of(incarnations({100, 110}, 1, 0, rng), 2), "");
  EXPECT_NE(shift_of(incarnations({100, 110}, 3, 0, rng), 2), "");
  EXPECT_EQ(shift_of(incarnations({100, 101}, 3, 0, rng), 2), "");
}

TEST(Shift, IsSeldomToldWhereThereIsNone) {
  int told = 0;
  constexpr int trials = 4000;
  for (int i = 0; i < trials; ++i) {
    Rng rng(static_cast<std::uint64_t>(100 + i));
    told += shift_of(incarnations({100, 100}, 3 + i % 4, 0.02, rng), 0).empty() ? 0 : 1;
  }
  EXPECT_LT(told, trials * 15 / 1000);
}

}  // namespace
}  // namespace assay::test
