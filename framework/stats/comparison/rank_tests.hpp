// SPDX-License-Identifier: Apache-2.0
// Rank tests: of two groups (Mann and Whitney, exact where they are small), of several (Kruskal and Wallis), and of one
// group after the other against all that are left.
#pragma once
#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace assay {

/// How often a value of one group exceeds one of another, counted over all pairs of the two (ties one half), and what
/// is known about ties: the sum of t^3 - t over the t values of each tie in both groups together.
struct PairCount {
  double exceeding = 0;
  double ties = 0;
};

/// The Mann-Whitney statistic of groups of `n` and `m` values (Mann and Whitney, Annals of Mathematical Statistics 18,
/// 1947). The exact distribution is held up to n m = 400, as for twenty against twenty, and only then.
class MannWhitney {
 public:
  /// The number of pairs up to which the exact distribution is held.
  static constexpr std::size_t most_pairs = 400;

  /// Throws std::invalid_argument when a group is empty.
  MannWhitney(std::size_t n, std::size_t m);

  /// Two-sided probability of a count at least as far from n m / 2, when the groups are of one distribution: exact
  /// without ties as far as the distribution is held, else the normal approximation with tie and continuity correction,
  /// though never below smallest(), which no ranking goes below. 1 when all values are equal.
  double two_sided(const PairCount& count) const;
  /// The smallest p that any ranking of so many values can have: 2 n! m! / (n + m)!, at most 1.
  double smallest() const { return smallest_; }

  /// Rank k such that the shift between the groups lies between the k-th smallest and the k-th largest of their n m
  /// differences with 95 % confidence (Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, section 4.3):
  /// the largest that exactly attains it, and beyond the distribution that is held floor(n m / 2 - 1.96 sqrt(n m (n + m
  /// + 1) / 12)). 0 where there is none, as for three against three.
  std::size_t interval_rank() const { return rank_; }
  /// The confidence that this rank attains; 0 where there is none.
  double interval_level() const { return level_; }

 private:
  /// Probability of a count of at most `count`; without ties, where the distribution is held.
  double at_most(std::size_t count) const;

  double n_;
  double m_;
  double smallest_ = 1;
  std::vector<double> cumulative_;  ///< probability of at most so many; empty beyond most_pairs
  std::size_t rank_ = 0;
  double level_ = 0;
};

/// The smallest p of groups of `n` and `m` values: what MannWhitney::smallest returns, without the distribution.
double smallest_p(std::size_t n, std::size_t m);

/// The test of Kruskal and Wallis (Journal of the American Statistical Association 47, 1952) with the correction for
/// ties, and its p from the chi-square distribution with one degree of freedom less than groups (Hollander, Wolfe and
/// Chicken, Nonparametric Statistical Methods, section 6.1). For small groups the approximation errs on the side of no
/// difference.
struct KruskalWallis {
  double statistic = 0;  ///< H; 0 when all values are equal
  double p = 1;
  double smallest = 1;  ///< the p of groups of these sizes that do not overlap at all: nothing smaller can be found
};

/// Throws std::invalid_argument for fewer than two groups, an empty one, or a value that is not finite.
KruskalWallis kruskal_wallis(std::span<const std::vector<double>> groups);

/// All values in order: each group of them against the others by its ranks among all, without a look at every pair.
class Ranking {
 public:
  explicit Ranking(std::vector<double> all);
  /// Two-sided p of a group that is among them (Mann and Whitney, as in MannWhitney), exact also where a small group
  /// lies at one end of thousands. 1 where there are no others.
  double p_of(const std::vector<double>& group);

 private:
  std::vector<double> sorted_;
  double ties_ = 0;
  std::map<std::size_t, MannWhitney> known_;  ///< by the group's number of values
};

}  // namespace assay
