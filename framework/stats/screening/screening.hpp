// SPDX-License-Identifier: Apache-2.0
// Room: which of thousands of nodes, switches and links is slow, by few tests of pairs for each node.
// The course of a screening: random rounds of pairs that have nothing in common, and what to test next, given what was
// found so far.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/tournament.hpp"
#include "stats/screening/confirmation.hpp"
#include "stats/screening/fabric.hpp"

namespace assay {

/// `rounds` perfect matchings of all nodes: in each of them every node meets one other (of an odd number, one sits
/// out). No two nodes meet twice where there are more nodes than rounds, and none meets one of its own leaf switch as
/// far as that can be had: a pair of two switches shows both of them, and nodes under one switch are not compared with
/// each other only. Such unions of random matchings are expanders with high probability (Friedman, A Proof of Alon's
/// Second Eigenvalue Conjecture, 2008), so that effects of all nodes can be estimated from them. Equal for equal seeds.
/// As many rounds as all pairs need are those of a tournament.
std::vector<std::vector<Match>> random_matchings(const Fabric& fabric, std::size_t rounds, std::uint64_t seed);

struct ScreeningOptions {
  std::size_t rounds = 6;                ///< of matchings of all nodes
  std::vector<std::size_t> looks{4, 8};  ///< confirmations after which suspects that show nothing are given up
  std::size_t confirmations = 28;        ///< of each suspect that is left
  double margin = 0.05;                  ///< smallest effect that matters, relative
  double alpha = 0.005;                  ///< probability that a report names anything that is well
  double tests = 4;  ///< of pairs, for each node: what is left after the first look is for the most suspicious
  std::uint64_t seed = 1;
  SuspicionOptions suspicion;
};

/// Pairs that are tested at once.
struct ScreeningRound {
  std::vector<Match> pairs;
  std::vector<ConfirmationTest> tests;  ///< of confirmations, in the order of pairs; else empty
};

/// A node of which most tests have no time, while most tests of others have.
struct LackingNode {
  std::size_t node = 0;
  std::size_t tests = 0;
  std::size_t without = 0;
};

/// What was found.
struct ScreeningReport {
  std::vector<Confirmed> suspects;  ///< all that were tested again
  std::vector<LackingNode> lacking;
  std::size_t tests = 0;          ///< of pairs, all in all
  std::size_t rounds = 0;         ///< how often pairs were tested one after the other
  double tested_share = 0;        ///< of all pairs of nodes: those that any test was of
  double scale = 0;               ///< robust standard deviation of one test, log
  double node_error = 0;          ///< standard error of a node's effect in the first rounds, log
  std::vector<double> residuals;  ///< of the first rounds, in standard deviations, in order
  double pair_bound = 0;          ///< from where on a pair is suspect, in the same
  /// Probability that one pair, which is slow by itself by this ratio, is not found: it was not tested, or was no
  /// suspect.
  double missed_pair(double ratio) const;
  std::vector<Confirmed> slow() const;
};

/// A screening in phases: random matchings of all nodes, and confirmations of suspects, of which fewer are left after
/// each look at them. The same options and times give the same course, so that it can be resumed from what was
/// measured.
class Screening {
 public:
  Screening(Fabric fabric, const ScreeningOptions& options = {});

  /// The rounds of the next phase; none when all is done.
  std::vector<ScreeningRound> next() const;
  /// Times of the rounds that next() returned, in their order and that of their pairs; NaN for a pair without.
  /// Throws std::invalid_argument for other numbers of rounds or pairs.
  void add(const std::vector<std::vector<double>>& times);
  bool is_done() const { return current_.empty(); }
  /// 0 while all nodes are tested; after that 1, 2 and so on.
  std::size_t phase() const { return phase_; }
  ScreeningReport report() const;

 private:
  std::vector<ScreeningRound> rounds_of(std::size_t first, std::size_t last) const;
  void finish_phase();
  void give_up(std::size_t confirmed);
  void keep_ends();
  double combined(std::size_t suspect, double so_far, std::size_t confirmed) const;
  std::size_t most_kept(std::size_t confirmed) const;

  Fabric fabric_;
  ScreeningOptions options_;
  std::size_t phase_ = 0;
  std::vector<ScreeningRound> current_;
  std::vector<PairTime> tests_;
  PairModel model_;
  std::vector<Suspect> suspects_;
  std::vector<std::size_t> kept_;
  std::vector<std::size_t> given_up_;
  std::vector<ConfirmationTime> confirmations_;
  std::vector<std::size_t> ends_;  ///< confirmations of each suspect by the end of phases 1, 2, ...
  std::size_t rounds_made_ = 0;
};

/// Whether all pairs take no more rounds, which follow each other, than a screening would: up to 35 nodes.
bool all_pairs_cost_no_more(std::size_t nodes, const ScreeningOptions& options = {});

}  // namespace assay
