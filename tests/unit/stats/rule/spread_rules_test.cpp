// SPDX-License-Identifier: Apache-2.0
// Verdicts of the rules on standard deviation, standard error and count.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <utility>

#include "stats/rule/stopping_rule.hpp"
#include "support/laws/fake_visits.hpp"

namespace assay {
namespace {

/// A visit of eight values, half at each side: mean `mean`, standard deviation `distance` * sqrt(8 / 7).
std::vector<double> split(double mean, double distance) {
  std::vector<double> values(4, mean - distance);
  values.insert(values.end(), 4, mean + distance);
  return values;
}

Sample one_visit(double mean, double distance) { return test::sample_of({split(mean, distance)}); }

Verdict check_spread(const std::string& name, const Sample& sample, const Spent& spent = {},
                     std::optional<double> floor = std::nullopt) {
  RuleSpec spec;
  spec.name = name;
  spec.floor = floor;
  return make_rule(spec)->check(sample, spent);
}

TEST(Stddev, ConvergesOnHomogeneousValues) {
  const Verdict verdict = check_spread("stddev", one_visit(100, 7));
  EXPECT_EQ(verdict.outcome, Outcome::converged);
  EXPECT_EQ(verdict.estimate.statistic, "mean");
  EXPECT_EQ(verdict.estimate.value, 100);
  EXPECT_EQ(verdict.estimate.basis, "values");
  EXPECT_NEAR(verdict.estimate.interval.high, 100 + 2.3646243 * 7 / std::sqrt(7), 1e-5);
}

TEST(Stddev, StaysOpenOtherwise) {
  const Verdict verdict = check_spread("stddev", one_visit(100, 10));
  EXPECT_EQ(verdict.outcome, Outcome::open);
}

TEST(Stddev, MoreValuesDoNotMakeThemMoreHomogeneous) {
  EXPECT_EQ(check_spread("stddev", test::sample_of({split(100, 11), split(100, 11), split(100, 11)})).outcome,
            Outcome::open);
  EXPECT_EQ(check_spread("stderr", test::sample_of({split(100, 11), split(100, 11), split(100, 11)})).outcome,
            Outcome::converged);
}

TEST(Stddev, TakesEightToThirtyThreeTimings) {
  EXPECT_EQ(check_spread("stddev", test::sample_of({{100, 100, 101, 100, 99, 100, 100}})).outcome, Outcome::open);
  const std::vector<std::vector<double>> four(4, split(100, 30));
  EXPECT_EQ(check_spread("stddev", test::sample_of(four)).outcome, Outcome::open);
  std::vector<std::vector<double>> five = four;
  five.push_back({100});
  const Verdict verdict = check_spread("stddev", test::sample_of(five));
  EXPECT_EQ(verdict.outcome, Outcome::max_timings);
}

TEST(Stderr, ComparesTheStandardErrorOfTheMean) {
  const Verdict verdict = check_spread("stderr", one_visit(100, 20));
  EXPECT_EQ(verdict.outcome, Outcome::converged);
  EXPECT_EQ(verdict.estimate.statistic, "mean");
  EXPECT_EQ(check_spread("stderr", one_visit(100, 30)).outcome, Outcome::open);
}

/// SKaMPI 5's repetitions as published: blocks of the least number, sums of values and squares, the error of all
/// values. Returns the number of timings and whether the error sufficed.
std::pair<int, bool> skampi_stop(const std::function<double()>& draw, int least, int most, double allowed) {
  double sum = 0;
  double squares = 0;
  for (int n = 1;; ++n) {
    const double value = draw();
    sum += value;
    squares += value * value;
    if (n % least != 0) continue;
    const double error = std::sqrt(std::abs(squares - sum * sum / n) / (n * (n - 1.0)));
    const bool suffices = error <= allowed * sum / n;
    if (suffices || n >= most) return {n, suffices};
  }
}

/// The same of ours, on visits of `batches`.
std::pair<int, bool> our_stop(const StoppingRule& rule, const std::function<double()>& draw, int batches) {
  Sample sample;
  for (int visit = 0;; ++visit) {
    for (int i = 0; i < batches; ++i) sample.add({draw(), 0, 0, visit});
    if (!rule.is_look(sample.visits())) continue;
    const Verdict verdict = rule.check(sample, {});
    if (verdict.stop()) return {static_cast<int>(sample.size()), verdict.outcome == Outcome::converged};
  }
}

TEST(Stderr, StopsWhereSkampiDoes) {
  RuleSpec spec;
  spec.name = "stderr";
  const auto rule = make_rule(spec);
  std::map<int, int> stops;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const test::Law law = test::contaminated(100, 30, 0.05, 6);
    Rng theirs(seed);
    Rng ours(seed);
    const auto expected = skampi_stop([&] { return law(theirs); }, 8, 33, 0.1);
    EXPECT_EQ(our_stop(
                  *rule, [&] { return law(ours); }, 8),
              expected)
        << seed;
    ++stops[expected.first];
  }
  EXPECT_THAT(stops, testing::ElementsAre(testing::Key(8), testing::Key(16), testing::Key(24), testing::Key(32),
                                          testing::Key(40)));
}

TEST(Stderr, IsTestedOnFullBlocksOnly) {
  // Eight values too different, then five that would bring the error of thirteen below the bound.
  const Sample thirteen = test::sample_of({split(100, 31), {100, 100, 100, 100, 100}});
  const Verdict early = check_spread("stderr", thirteen);
  EXPECT_EQ(early.outcome, Outcome::open);
  const Sample sixteen = test::sample_of({split(100, 31), std::vector<double>(8, 100)});
  EXPECT_EQ(check_spread("stderr", sixteen).outcome, Outcome::converged);
}

TEST(SpreadRules, TheBoundItselfSufficesForStderrOnly) {
  // Of eight values 100 -+ 7 d, standard deviation and standard error are d sqrt(56) and d sqrt(7).
  const Sample sample = one_visit(1, 0.5);
  const Summary summary = summarize(sample.values());
  RuleSpec spec;
  spec.name = "stddev";
  spec.eps = summary.stddev;
  EXPECT_EQ(make_rule(spec)->check(sample, {}).outcome, Outcome::open);
  spec.name = "stderr";
  spec.eps = summary.standard_error;
  EXPECT_EQ(make_rule(spec)->check(sample, {}).outcome, Outcome::converged);
}

TEST(SpreadRules, TheTimeBudgetStops) {
  const Verdict verdict = check_spread("stddev", one_visit(100, 30), {seconds(7), 0});
  EXPECT_EQ(verdict.outcome, Outcome::max_time);
}

TEST(SpreadRules, ConstantValuesConvergeUnlessTheClockMadeThem) {
  for (const char* name : {"stddev", "stderr"}) {
    for (const double value : {5.0, 0.0, -5.0}) {
      const Sample sample = one_visit(value, 0);
      EXPECT_EQ(check_spread(name, sample).outcome, Outcome::converged) << name << value;
      EXPECT_EQ(check_spread(name, sample, {{}, 1}).outcome, Outcome::resolution) << name << value;
    }
  }
}

TEST(SpreadRules, AZeroMeanNeedsAFloor) {
  for (const char* name : {"stddev", "stderr"}) {
    EXPECT_EQ(check_spread(name, one_visit(0, 1)).outcome, Outcome::open) << name;
    EXPECT_EQ(check_spread(name, one_visit(0, 1), {}, 2.0).outcome, Outcome::converged) << name;
  }
}

TEST(SpreadRules, NegativeMeansAreJudgedByTheirSize) {
  EXPECT_EQ(check_spread("stddev", one_visit(-100, 7)).outcome, Outcome::converged);
  EXPECT_EQ(check_spread("stddev", one_visit(-100, 30)).outcome, Outcome::open);
}

TEST(SpreadRules, ValuesThatAreNotFiniteFail) {
  for (const char* name : {"stddev", "stderr"}) {
    std::vector<double> values = split(100, 1);
    values[3] = std::numeric_limits<double>::quiet_NaN();
    const Verdict verdict = check_spread(name, test::sample_of({values}));
    EXPECT_EQ(verdict.outcome, Outcome::failed);
    EXPECT_EQ(verdict.estimate.statistic, "mean");
  }
}

TEST(SpreadRules, OneValueHasNoSpread) {
  RuleSpec spec;
  spec.name = "stddev";
  spec.budget.min_timings = 1;
  const Verdict verdict = make_rule(spec)->check(test::sample_of({{100}}), {});
  EXPECT_EQ(verdict.outcome, Outcome::open);
  EXPECT_FALSE(verdict.estimate.interval.available());
  EXPECT_EQ(verdict.estimate.basis, "");
}

TEST(Fixed, StopsAtItsCountWithTheHeadline) {
  RuleSpec spec;
  spec.name = "fixed";
  spec.argument = 64;
  const auto rule = make_rule(spec);
  const std::vector<std::vector<double>> seven(7, split(100, 40));
  const Verdict open = rule->check(test::sample_of(seven), {});
  EXPECT_EQ(open.outcome, Outcome::open);
  const Sample all = test::sample_of(std::vector<std::vector<double>>(8, split(100, 40)));
  const Verdict done = rule->check(all, {});
  EXPECT_EQ(done.outcome, Outcome::converged);
  EXPECT_EQ(done.estimate.statistic, "median");
  EXPECT_EQ(done.estimate.interval.low, headline(all, 0.05, 0).interval.low);
}

TEST(Fixed, ItsTimeBudgetStopsShortOfTheCount) {
  RuleSpec spec;
  spec.name = "fixed";
  spec.argument = 64;
  const Verdict verdict = make_rule(spec)->check(one_visit(100, 1), {seconds(6), 0});
  EXPECT_EQ(verdict.outcome, Outcome::max_time);
}

TEST(Fixed, ValuesThatAreNotFiniteFail) {
  RuleSpec spec;
  spec.name = "fixed";
  spec.argument = 2;
  const Verdict verdict = make_rule(spec)->check(test::sample_of({{1, std::nan("")}}), {});
  EXPECT_EQ(verdict.outcome, Outcome::failed);
}

}  // namespace
}  // namespace assay
