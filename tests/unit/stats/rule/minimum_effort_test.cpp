// SPDX-License-Identifier: Apache-2.0
// The least that a rule can be satisfied with, against the rule itself on a sample that leaves nothing to wish for.
#include "stats/rule/stopping_rule.hpp"

#include <gtest/gtest.h>

#include "stats/rule/rule_text.hpp"
#include "support/laws/fake_visits.hpp"

namespace assay {
namespace {

/// The visits after which a rule first ends on equal values, dealt in turn over incarnations; each takes a millisecond.
std::int64_t visits_until_it_ends(const StoppingRule& rule, int incarnations, int batches) {
  Sample sample;
  for (int visit = 0; visit < 1000; ++visit) {
    for (int i = 0; i < batches; ++i) sample.add({100, 0, visit % incarnations, visit});
    const Spent spent{milliseconds(1) * (visit + 1), 0};
    if (rule.is_look(visit + 1) && rule.check(sample, spent).stop()) return visit + 1;
  }
  return 0;
}

TEST(MinimumEffort, IsWhatARuleNeedsOfASampleOfEqualValues) {
  for (const char* text : {"median-ci", "trimmed-ci", "mean-ci", "stddev", "stderr", "fixed:100", "fixed:2",
                           "stable-min", "median-ci(min-visits=3)", "median-ci(max-timings=64)",
                           "median-ci(min-timings=200)", "all(median-ci, fixed:100)", "any(median-ci, fixed:100)"}) {
    const RuleSpec spec = parse_rule(text, {});
    const auto rule = make_rule(spec);
    for (const int incarnations : {1, 3, 5, 9})
      for (const int batches : {1, 4, 8})
        EXPECT_EQ(minimum_effort(spec, incarnations, batches).visits,
                  visits_until_it_ends(*rule, incarnations, batches))
            << text << ", " << incarnations << " incarnations, " << batches << " batches a visit";
  }
}

TEST(MinimumEffort, OfAQuantileIsNoMoreThanItsRanksNeed) {
  const RuleSpec spec = parse_rule("quantile-ci:0.1", {});
  for (const int batches : {1, 4, 8})
    EXPECT_LE(minimum_effort(spec, 5, batches).visits, visits_until_it_ends(*make_rule(spec), 5, batches)) << batches;
}

TEST(MinimumEffort, OfATimeIsThatTime) {
  const auto least = [](const char* rule) { return minimum_effort(parse_rule(rule, {}), 5, 8); };
  EXPECT_EQ(least("time:2s").time, seconds(2));
  EXPECT_EQ(least("time:2s").visits, 1);
  EXPECT_EQ(least("all(median-ci, time:2s)").time, seconds(2));
  EXPECT_EQ(least("all(median-ci, time:2s)").visits, 15) << "three for each process; a time is looked at always";
  EXPECT_EQ(least("any(median-ci, time:2s)").time, Nanoseconds{});
  EXPECT_EQ(least("all(median-ci, time:2s, max-time=1s)").time, seconds(1)) << "given up then";
  EXPECT_EQ(least("median-ci").time, Nanoseconds{});
}

}  // namespace
}  // namespace assay
