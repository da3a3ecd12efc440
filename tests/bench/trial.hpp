// SPDX-License-Identifier: Apache-2.0
// Simulated runs of any rule on any source, and how often the claims were right.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "bench/peers/peer.hpp"
#include "bench/source.hpp"
#include "stats/rule/stopping_rule.hpp"

namespace assay::bench {

/// A run never takes more timings.
inline constexpr std::size_t most_timings = 20'000;

/// One run.
struct Ending {
  std::size_t timings = 0;
  bool stopped = false;  ///< within most_timings
  Claim claim;
};

/// Something that decides when to stop: one of this framework's rules, or a peer.
struct Contender {
  std::string name;
  std::function<Ending(const Stream& next, double typical)> measure;
  /// What the reported value estimates; empty for the mean.
  std::function<double(std::span<const double> whole)> truth;
};

Contender contender(const PeerKind& kind);
/// A rule as it is configured, except that time never runs out. Visits hold 8 timings of one incarnation; the clock is
/// taken to be perfect, since it is not what is judged. Throws as make_rule does, and std::invalid_argument when the
/// truth of the rule's statistic is not known here.
Contender contender(const std::string& name, RuleSpec spec);

/// Many runs of one contender on one source. Shares of nothing are NaN.
struct Tally {
  int runs = 0;
  int claims = 0;              ///< stopped, with the contender's own criterion met
  int intervals = 0;           ///< claims with an interval
  int covered = 0;             ///< intervals that hold the truth
  int right = 0;               ///< claims whose value lies within eps of the truth
  int stopped = 0;             ///< within most_timings, for whatever reason
  double log_timings = 0;      ///< sum over all runs
  std::vector<double> errors;  ///< of the claims: distance of the value from the truth, over the truth

  Tally& operator+=(const Tally& other);
  double claimed_share() const;
  double coverage() const;
  double right_share() const;
  double geometric_timings() const;
  /// The p-quantile of the claims' relative errors.
  double error(double p) const;
  /// Share of the runs that did not stop, for whatever reason.
  double endless_share() const;
};

/// The stream of run i depends on the seed, the source and i, not on the contender.
Tally trial(const Contender& contender, const Source& source, Design design, int runs, double eps, std::uint64_t seed);

}  // namespace assay::bench
