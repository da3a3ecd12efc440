// SPDX-License-Identifier: Apache-2.0
// The tests, each from its description: Google Benchmark's compare, criterion's, Welch's, and by ranks of medians.
#include "bench/change_tests.hpp"

#include <algorithm>
#include <cmath>

#include "stats/comparison/comparison.hpp"
#include "stats/sample/summary.hpp"

namespace assay::bench {
namespace {

constexpr double alpha = 0.05;

using Values = std::vector<double>;

struct Groups {
  Values a;
  Values b;
};

template <class Value>
Groups groups_of(const Sides& sides, Value value) {
  Groups groups;
  for (const Run* run : sides.a) groups.a.push_back(value(*run));
  for (const Run* run : sides.b) groups.b.push_back(sides.ratio * value(*run));
  return groups;
}

Groups medians_of(const Sides& sides) {
  return groups_of(sides, [](const Run& run) { return run.median; });
}

/// All timings of the first `runs` runs of either side.
Groups timings_of(const Sides& sides, std::size_t runs) {
  Groups groups;
  for (std::size_t i = 0; i < runs; ++i) {
    for (const double value : sides.a[i]->timings) groups.a.push_back(value);
    for (const double value : sides.b[i]->timings) groups.b.push_back(sides.ratio * value);
  }
  return groups;
}

Shift shift_between(Groups groups) { return shift_of({std::move(groups.a), std::move(groups.b)}); }

bool is_beyond(double ratio, double margin) { return std::abs(ratio - 1) > margin; }

/// Welch's t with normal ends, which for these sizes differ little from Student's.
double welch_t(const Groups& groups) {
  const Summary a = summarize(groups.a);
  const Summary b = summarize(groups.b);
  const double error = std::hypot(a.standard_error, b.standard_error);
  return error > 0 ? (b.mean - a.mean) / error : 0;
}

double welch_p(const Groups& groups) { return std::erfc(std::abs(welch_t(groups)) / std::sqrt(2.0)); }

Values resampled(const Values& values, std::size_t count, Rng& rng) {
  Values drawn(count);
  for (double& value : drawn) value = values[rng.below(values.size())];
  return drawn;
}

/// criterion: a bootstrapped t statistic from both samples mixed, and the bootstrapped interval of the relative change
/// of means, which must lie beyond 1 % as a whole.
bool criterion_tells(const Sides& sides, Rng& rng) {
  constexpr int resamples = 400;
  constexpr double threshold = 0.01;
  const Groups groups = timings_of(sides, 1);
  Values mixed = groups.a;
  mixed.insert(mixed.end(), groups.b.begin(), groups.b.end());
  const double t = std::abs(welch_t(groups));
  int beyond = 0;
  Values changes;
  for (int i = 0; i < resamples; ++i) {
    const Groups null{resampled(mixed, groups.a.size(), rng), resampled(mixed, groups.b.size(), rng)};
    beyond += std::abs(welch_t(null)) >= t ? 1 : 0;
    const double base = summarize(resampled(groups.a, groups.a.size(), rng)).mean;
    changes.push_back(summarize(resampled(groups.b, groups.b.size(), rng)).mean / base - 1);
  }
  std::sort(changes.begin(), changes.end());
  const bool is_wide = quantile(changes, alpha / 2) > threshold || quantile(changes, 1 - alpha / 2) < -threshold;
  return beyond < alpha * resamples && is_wide;
}

bool mann_whitney_on_timings(const Sides& sides, std::size_t runs) {
  return shift_between(timings_of(sides, runs)).p < alpha;
}

std::vector<ChangeTest> all_tests() {
  std::vector<ChangeTest> tests;
  tests.push_back({"one run each: Mann-Whitney on timings", true, true,
                   [](const Sides& sides, Rng&) { return mann_whitney_on_timings(sides, 1); }});
  tests.push_back({"one run each: criterion's bootstrap, 1 %", true, true, &criterion_tells});
  tests.push_back({"run means: Mann-Whitney (Google Benchmark)", true, false, [](const Sides& sides, Rng&) {
                     return shift_between(groups_of(sides, [](const Run& run) { return run.mean; })).p < alpha;
                   }});
  tests.push_back({"run medians: Welch's t", false, false,
                   [](const Sides& sides, Rng&) { return welch_p(medians_of(sides)) < alpha; }});
  tests.push_back({"run medians: Mann-Whitney", false, false,
                   [](const Sides& sides, Rng&) { return shift_between(medians_of(sides)).p < alpha; }});
  tests.push_back({"run medians: interval of the shift beyond 2 %", false, false, [](const Sides& sides, Rng&) {
                     const Interval interval = shift_between(medians_of(sides)).interval;
                     return interval.low > 1 + usual_margin || interval.high < 1 - usual_margin;
                   }});
  tests.push_back({"assay, one point: Mann-Whitney and shift beyond 2 %", false, false, [](const Sides& sides, Rng&) {
                     const Shift shift = shift_between(medians_of(sides));
                     return shift.p < alpha && is_beyond(shift.value, usual_margin);
                   }});
  return tests;
}

}  // namespace

const std::vector<ChangeTest>& change_tests() {
  static const std::vector<ChangeTest> all = all_tests();
  return all;
}

}  // namespace assay::bench
