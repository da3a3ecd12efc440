// SPDX-License-Identifier: Apache-2.0
// Random pairs; those that have met, or are of one switch, swap partners with random others.
#include "stats/screening/matchings.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "base/rng.hpp"

namespace assay {
namespace {

constexpr int most_swaps_tried = 200;

Match in_order(std::size_t a, std::size_t b) { return {std::min(a, b), std::max(a, b)}; }

class Matchmaker {
 public:
  explicit Matchmaker(const Fabric& fabric) : fabric_(fabric) {}

  std::vector<Match> round(Rng rng) {
    std::vector<std::size_t> order(fabric_.nodes());
    std::iota(order.begin(), order.end(), std::size_t{0});
    order = rng.shuffled(std::move(order));
    std::vector<Match> matches;
    for (std::size_t i = 0; i + 1 < order.size(); i += 2) matches.push_back(in_order(order[i], order[i + 1]));
    for (std::size_t i = 0; i < matches.size(); ++i) improve(matches, i, rng);
    for (const Match& match : matches) met_.emplace(match.first, match.second);
    return matches;
  }

 private:
  /// 2 for a pair that met, 1 for one of the same switch.
  int badness(const Match& match) const {
    const bool is_same_leaf = fabric_.has_leaves() && fabric_.distance(match.first, match.second) == 0;
    return (met_.contains({match.first, match.second}) ? 2 : 0) + (is_same_leaf ? 1 : 0);
  }

  void improve(std::vector<Match>& matches, std::size_t i, Rng& rng) const {
    for (int tried = 0; tried < most_swaps_tried && badness(matches[i]) > 0; ++tried) {
      const auto other = static_cast<std::size_t>(rng.below(matches.size()));
      if (other == i) continue;
      const Match one = in_order(matches[i].first, matches[other].second);
      const Match two = in_order(matches[other].first, matches[i].second);
      if (badness(one) + badness(two) >= badness(matches[i]) + badness(matches[other])) continue;
      matches[i] = one;
      matches[other] = two;
    }
  }

  const Fabric& fabric_;
  std::set<std::pair<std::size_t, std::size_t>> met_;
};

}  // namespace

std::vector<std::vector<Match>> random_matchings(const Fabric& fabric, std::size_t rounds, std::uint64_t seed) {
  auto every_pair = rounds + 1 >= fabric.nodes() ? tournament(fabric.nodes()) : std::vector<std::vector<Match>>{};
  if (!every_pair.empty() && rounds >= every_pair.size()) return every_pair;
  const Rng rng(seed);
  Matchmaker matchmaker(fabric);
  std::vector<std::vector<Match>> all;
  for (std::size_t round = 0; round < rounds; ++round)
    all.push_back(matchmaker.round(rng.substream("matching/" + std::to_string(round))));
  return all;
}

}  // namespace assay
