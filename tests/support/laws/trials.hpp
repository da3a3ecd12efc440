// SPDX-License-Identifier: Apache-2.0
// Whole campaigns of one point on laws of known truth: how often a rule stops, at what cost, and how often it is right.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stats/rule/stopping_rule.hpp"
#include "support/laws/laws.hpp"

namespace assay::test {

/// How one campaign ended.
struct Trial {
  Verdict verdict;
  std::size_t timings = 0;
};

/// Visits of eight values from a fresh copy of the law, each taken to cost a millisecond, until the rule stops.
Trial trial(const StoppingRule& rule, const Law& law, Rng& rng);

/// Of the intervals at the looks of one campaign, how many do not hold the law's median.
int misses_on_the_way(const StoppingRule& rule, const Law& law, Rng& rng);

/// What many campaigns came to.
struct Tally {
  int campaigns = 0;
  int converged = 0;
  int covered = 0;          ///< whose interval holds the truth, of all
  int covered_claims = 0;   ///< of those that converged
  int accurate_claims = 0;  ///< of those that converged, with an error of at most eps
  double log_timings = 0;   ///< sum over the campaigns

  /// Geometric mean.
  double timings() const;
};

/// A law with the true values of its statistics, worked out once for each: median and mean from the law, others from a
/// million values.
class KnownLaw {
 public:
  explicit KnownLaw(Law law) : law_(std::move(law)) {}
  const Law& law() const { return law_; }
  /// The truth of "median", "mean", "quantile P" or "trimmed mean"; NaN for what has none, such as "minimum".
  double truth(const std::string& statistic);

 private:
  double worked_out(const std::string& statistic);
  const std::vector<double>& many_sorted();

  Law law_;
  std::map<std::string, double> known_;
  std::vector<double> many_;
};

/// Campaigns of a rule as campaign files write it. `eps` is what claims are held to.
Tally trials(std::string_view rule, KnownLaw& law, int campaigns, double eps = 0.02);

}  // namespace assay::test
