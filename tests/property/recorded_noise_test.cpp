// SPDX-License-Identifier: Apache-2.0
// The promise of the default rule on noise that was recorded, visits spread over the trace.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "bench/trial.hpp"
#include "support/environment/paths.hpp"

namespace assay::bench {
namespace {

test::Timings numbered(std::size_t count) {
  test::Timings trace{"numbered", 1, 1, {}, {}};
  for (std::size_t i = 0; i < count; ++i) trace.all.push_back(static_cast<std::int64_t>(i));
  return trace;
}

TEST(SourceStream, ConsecutiveTimingsGoRoundFromARandomStart) {
  const Source source(numbered(100));
  Rng rng(3);
  const Stream stream = source.stream(Design::consecutive, rng);
  double last = stream();
  for (int i = 0; i < 300; ++i) {
    const double next = stream();
    EXPECT_EQ(next, last == 99 ? 0 : last + 1);
    last = next;
  }
}

TEST(SourceStream, SpreadTimingsComeInVisitsAtRandomTimes) {
  const Source source(numbered(1000));
  Rng rng(3);
  const Stream stream = source.stream(Design::spread, rng);
  std::vector<double> starts;
  for (int visit = 0; visit < 200; ++visit) {
    starts.push_back(stream());
    for (std::size_t i = 1; i < visit_length; ++i) EXPECT_EQ(stream(), starts.back() + static_cast<double>(i));
  }
  std::sort(starts.begin(), starts.end());
  EXPECT_LT(starts.front(), 50);
  EXPECT_GT(starts.back(), 940);
}

TEST(SourceWhole, HoldsEveryVisitOnceInTheSpreadDesign) {
  std::vector<double> whole = Source(numbered(800)).whole(Design::spread);
  EXPECT_NE(whole[8], 8);
  EXPECT_EQ(whole[1], whole[0] + 1);
  std::sort(whole.begin(), whole.end());
  EXPECT_EQ(whole, Source(numbered(800)).whole(Design::consecutive));
}

TEST(TrialTally, CountsWhatIsClaimedAndWhatIsTrue) {
  const Source source(numbered(1000));
  const Contender always_500{"500 after 16",
                             [](const Stream&, double) {
                               return Ending{16, true, {500, {499, 501, 0.95}, true}};
                             },
                             [](std::span<const double> whole) { return whole.front() + 505; }};
  const Tally tally = trial(always_500, source, Design::consecutive, 10, 0.02, 1);
  EXPECT_EQ(tally.claims, 10);
  EXPECT_EQ(tally.coverage(), 0);
  EXPECT_EQ(tally.right_share(), 1);
  EXPECT_NEAR(tally.geometric_timings(), 16, 1e-9);
}

TEST(TrialTally, HasNoClaimsWhereNothingConverges) {
  const Source source(numbered(1000));
  const Tally tally = trial(contender(hoefler_belli(1e-6, 1'000'000)), source, Design::consecutive, 2, 0.02, 1);
  EXPECT_EQ(tally.stopped, 0);
  EXPECT_EQ(tally.claims, 0);
  EXPECT_TRUE(std::isnan(tally.coverage()));
  EXPECT_NEAR(tally.geometric_timings(), static_cast<double>(most_timings), 1e-6 * most_timings);
}

/// The rules that take after others stop where those do.
void expect_same_endings(const std::string& name, const PeerKind& kind, double sigma) {
  RuleSpec spec;
  spec.name = name;
  const Contender rule = contender(name, spec);
  const Contender peer = contender(kind);
  const Source law(test::log_normal(100, sigma));
  int claims = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Rng for_rule(seed);
    Rng for_peer(seed);
    const Ending ours = rule.measure(law.stream(Design::consecutive, for_rule), 100);
    const Ending theirs = peer.measure(law.stream(Design::consecutive, for_peer), 100);
    EXPECT_EQ(ours.timings, theirs.timings) << seed;
    EXPECT_EQ(ours.claim.converged, theirs.claim.converged) << seed;
    claims += ours.claim.converged ? 1 : 0;
  }
  EXPECT_GT(claims, 20);
}

TEST(RuleLikeItsModel, StderrStopsWhereSkampiDoes) { expect_same_endings("stderr", skampi(0.1, 8, 33), 0.3); }

TEST(RuleLikeItsModel, StddevStopsWhereTheRuleOf1999Does) {
  expect_same_endings("stddev", standard_deviation(0.1, 8, 33), 0.1);
}

/// One trace each of a computation, a service, memory and a channel, from a machine that others used at the same time.
std::vector<Source> four_traces() {
  std::vector<Source> traces;
  for (const char* cell : {"clock-read", "create-join", "copy-256-kib", "pipe-same-cpu"})
    traces.emplace_back(test::read_timings(test::source_directory() + "/tests/traces/busy/" + cell + ".txt"));
  return traces;
}

Tally default_rule_on_traces(Design design, int runs) {
  RuleSpec spec;
  spec.budget.max_timings = most_timings;
  const Contender rule = contender("median-ci", spec);
  Tally sum;
  for (const Source& trace : four_traces()) sum += trial(rule, trace, design, runs, 0.02, 20261120);
  return sum;
}

/// At least as many as a share of `goal` gives in 999 of 1000 experiments.
testing::AssertionResult reaches(int successes, int trials, double goal) {
  if (binomial_cdf(successes, trials, goal) >= 0.001) return testing::AssertionSuccess();
  return testing::AssertionFailure() << successes << " of " << trials << ", goal " << goal;
}

TEST(DefaultRuleOnRecordedNoise, KeepsItsWordWhereVisitsAreSpread) {
  const Tally tally = default_rule_on_traces(Design::spread, 200);
  EXPECT_TRUE(reaches(tally.claims, tally.runs, 0.98));
  EXPECT_TRUE(reaches(tally.covered, tally.intervals, 0.98));
  EXPECT_TRUE(reaches(tally.right, tally.claims, 0.99));
  EXPECT_LT(tally.geometric_timings(), 400);
}

TEST(DefaultRuleOnRecordedNoise, CannotKeepItWhereTimingsAreConsecutive) {
  // What no formula mends, and the reason why points are interleaved.
  EXPECT_LT(default_rule_on_traces(Design::consecutive, 100).coverage(), 0.9);
}

}  // namespace
}  // namespace assay::bench
