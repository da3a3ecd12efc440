// SPDX-License-Identifier: Apache-2.0
// Pairs of runs to compare, drawn from recorded or invented processes.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "base/rng.hpp"
#include "stats/comparison/comparison.hpp"

namespace assay::test {

/// In what order the processes of A and B ran.
enum class RunOrder {
  interleaved,  ///< A B B A A B B A ...
  sequential    ///< all of A, then all of B
};

/// Deals consecutive runs to A and B, half each; of an odd number the last is left out.
Contest dealt(std::span<const double> runs, RunOrder order);

/// A stretch of 2 `each` consecutive runs from a random place of `runs`, dealt. There must be as many.
Contest drawn(std::span<const double> runs, std::size_t each, RunOrder order, Rng& rng);

/// B's values times a ratio: a true change.
Contest changed(Contest contest, double ratio);

/// How comparisons of many points fare, some of which changed.
struct Fared {
  int comparisons = 0;
  int alarmed = 0;        ///< comparisons in which an unchanged point was called faster or slower
  int reported = 0;       ///< likewise, or possibly so
  int false_reports = 0;  ///< all points of the latter
  int changed = 0;        ///< all changed points
  int found = 0;          ///< of these, called slower or possibly so
  double power() const { return static_cast<double>(found) / changed; }
  double reports_per_comparison() const { return static_cast<double>(false_reports) / comparisons; }
};

/// What is compared: so many points, the first `changed` of which are slower by `ratio`.
struct DrawnTrial {
  int comparisons = 0;
  std::size_t points = 300;
  std::size_t changed = 0;
  double ratio = 1;
};

/// Compares points that `draw` draws unchanged.
template <class Draw>
Fared fared(const DrawnTrial& trial, Draw draw) {
  Fared sum{trial.comparisons};
  const auto is_alarm = [](const Finding& one) { return one.change == Change::faster || one.change == Change::slower; };
  const auto is_report = [](const Finding& one) { return is_change(one.change); };
  for (int i = 0; i < trial.comparisons; ++i) {
    std::vector<Contest> all;
    for (std::size_t point = 0; point < trial.points; ++point)
      all.push_back(point < trial.changed ? changed(draw(), trial.ratio) : draw());
    const auto findings = compare(all);
    const auto unchanged = findings.begin() + static_cast<std::ptrdiff_t>(trial.changed);
    const auto reports = static_cast<int>(std::count_if(unchanged, findings.end(), is_report));
    sum.alarmed += std::any_of(unchanged, findings.end(), is_alarm) ? 1 : 0;
    sum.reported += reports > 0 ? 1 : 0;
    sum.false_reports += reports;
    sum.changed += static_cast<int>(trial.changed);
    sum.found += static_cast<int>(std::count_if(findings.begin(), unchanged, [](const Finding& one) {
      return only_possible(one.change) == Change::possibly_slower;
    }));
  }
  return sum;
}

}  // namespace assay::test
