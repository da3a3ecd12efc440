// SPDX-License-Identifier: Apache-2.0
// Random pairs, those that have met or are of one switch swapping partners with random others; and the phases of a
// screening.
#include "stats/screening/screening.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <set>
#include <stdexcept>
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

namespace {

constexpr std::size_t fewest_kept = 4;
constexpr double controls_per_suspect = 1.0 / 10;
constexpr double controls_at_least = 4;

}  // namespace

Screening::Screening(Fabric fabric, const ScreeningOptions& options) : fabric_(std::move(fabric)), options_(options) {
  if (options.rounds < 2) throw std::invalid_argument("effects of nodes need two rounds at least");
  ends_ = options.looks;
  ends_.push_back(options.confirmations);
  if (!std::ranges::is_sorted(ends_)) throw std::invalid_argument("looks are before the last confirmation, in order");
  for (auto& pairs : random_matchings(fabric_, options_.rounds, options_.seed))
    current_.push_back({std::move(pairs), {}});
}

std::vector<ScreeningRound> Screening::next() const { return current_; }

void Screening::add(const std::vector<std::vector<double>>& times) {
  if (times.size() != current_.size()) throw std::invalid_argument("times of other rounds than those asked for");
  for (std::size_t round = 0; round < times.size(); ++round) {
    const ScreeningRound& asked = current_[round];
    if (times[round].size() != asked.pairs.size()) throw std::invalid_argument("times of other pairs than asked for");
    for (std::size_t i = 0; i < asked.pairs.size(); ++i) {
      const double log_time = std::log(times[round][i]);
      if (phase_ == 0) {
        tests_.push_back({asked.pairs[i], round, log_time});
        continue;
      }
      const Match& pair = asked.pairs[i];
      confirmations_.push_back({asked.tests[i], log_time - model_.distance[fabric_.distance(pair.first, pair.second)]});
    }
  }
  rounds_made_ += current_.size();
  finish_phase();
}

void Screening::finish_phase() {
  current_.clear();
  if (phase_ == 0) {
    model_ = fit_pairs(fabric_, tests_);
    suspects_ = suspects_of(fabric_, tests_, model_, options_.suspicion);
    kept_.resize(suspects_.size());
    std::iota(kept_.begin(), kept_.end(), std::size_t{0});
  } else if (phase_ < ends_.size()) {
    give_up(ends_[phase_ - 1]);
  }
  if (phase_ < ends_.size()) current_ = rounds_of(phase_ == 0 ? 0 : ends_[phase_ - 1], ends_[phase_]);
  ++phase_;
}

/// By all that is known: it decides what is tested on, not what is reported.
double Screening::combined(std::size_t suspect, double so_far, std::size_t confirmed) const {
  const auto looked = static_cast<double>(confirmed);
  const Suspect& one = suspects_[suspect];
  return (one.effect * one.tests + so_far * looked) / (one.tests + looked);
}

/// How many suspects more tests are for: half of them while more looks follow, then as many as there are tests for.
std::size_t Screening::most_kept(std::size_t confirmed) const {
  if (phase_ + 1 < ends_.size()) return std::max(fewest_kept, kept_.size() / 2);
  const double made = static_cast<double>(tests_.size() + confirmations_.size());
  const double left = options_.tests * static_cast<double>(fabric_.nodes()) - made;
  const auto each = static_cast<double>(options_.confirmations - confirmed);
  const double most = (left / std::max(1.0, each) - controls_at_least) / (1 + controls_per_suspect);
  return std::max(fewest_kept, static_cast<std::size_t>(std::max(0.0, most)));
}

/// The rest of the tests goes to those that may be slow: what is given up is not reported, whatever it is.
void Screening::give_up(std::size_t confirmed) {
  const std::vector<double> effects = effects_so_far(suspects_.size(), confirmations_);
  const double error =
      model_.node_error / std::sqrt(1 + static_cast<double>(confirmed) / static_cast<double>(options_.rounds));
  const double margin = std::log1p(options_.margin);
  std::vector<std::pair<double, std::size_t>> likely;
  const auto looked = static_cast<double>(confirmed);
  for (const std::size_t i : kept_) {
    // By standard errors: a pair is known by its confirmations only.
    const double known = std::sqrt((suspects_[i].tests + looked) / (static_cast<double>(options_.rounds) + looked));
    const double effect = combined(i, effects[i], confirmed);
    if (effect >= margin) likely.emplace_back(effect * known, i);
  }
  std::ranges::sort(likely, std::greater<>());
  const std::size_t limit = most_kept(confirmed);
  const double surely = std::max(margin, options_.suspicion.surely * error);
  // The nodes of a pair are tested on with it, within the same limit.
  for (std::size_t most = limit; most > 0; --most) {
    kept_.clear();
    for (const auto& [effect, i] : likely)
      if (kept_.size() < most || (effect >= surely && suspects_[i].unit.kind != UnitKind::pair)) kept_.push_back(i);
    keep_ends();
    if (kept_.size() <= limit) break;
  }
  given_up_.clear();
  for (std::size_t i = 0; i < suspects_.size(); ++i)
    if (!std::ranges::binary_search(kept_, i)) given_up_.push_back(i);
}

/// A pair is judged beyond its two nodes.
void Screening::keep_ends() {
  const std::vector<std::size_t> likely = kept_;
  for (const std::size_t i : likely) {
    const FabricUnit& unit = suspects_[i].unit;
    for (std::size_t k = 0; unit.kind == UnitKind::pair && k < suspects_.size(); ++k) {
      const FabricUnit& node = suspects_[k].unit;
      if (node.kind == UnitKind::node && (node.first == unit.first || node.first == unit.second)) kept_.push_back(k);
    }
  }
  std::ranges::sort(kept_);
  const auto twice = std::ranges::unique(kept_);
  kept_.erase(twice.begin(), twice.end());
}

std::vector<ScreeningRound> Screening::rounds_of(std::size_t first, std::size_t last) const {
  std::vector<ScreeningRound> rounds;
  if (kept_.empty()) return rounds;
  const ConfirmationPlan plan(fabric_, suspects_, model_, options_.seed);
  for (std::size_t repetition = first; repetition < last; ++repetition)
    for (auto& tests : plan.rounds(plan.tests(kept_, repetition))) {
      ScreeningRound round;
      for (const ConfirmationTest& test : tests) round.pairs.push_back(test.pair);
      round.tests = std::move(tests);
      rounds.push_back(std::move(round));
    }
  return rounds;
}

namespace {

std::vector<LackingNode> lacking_of(const Fabric& fabric, const std::vector<PairTime>& tests) {
  std::vector<LackingNode> nodes(fabric.nodes());
  std::size_t without = 0;
  for (std::size_t node = 0; node < nodes.size(); ++node) nodes[node].node = node;
  for (const PairTime& test : tests) {
    const bool lacks = !std::isfinite(test.log_time);
    without += lacks ? 1 : 0;
    for (const std::size_t node : {test.pair.first, test.pair.second}) {
      ++nodes[node].tests;
      nodes[node].without += lacks ? 1 : 0;
    }
  }
  if (2 * without > tests.size()) return {};
  std::erase_if(nodes, [](const LackingNode& node) { return 2 * node.without <= node.tests; });
  return nodes;
}

}  // namespace

ScreeningReport Screening::report() const {
  ScreeningReport report;
  report.suspects =
      judge_confirmations(suspects_, fabric_, confirmations_, given_up_,
                          {options_.margin, options_.alpha, options_.looks.empty() ? 0 : options_.looks.back()});
  report.lacking = lacking_of(fabric_, tests_);
  report.tests = tests_.size() + confirmations_.size();
  report.rounds = rounds_made_;
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  for (const PairTime& test : tests_) pairs.emplace(test.pair.first, test.pair.second);
  const auto nodes = static_cast<double>(fabric_.nodes());
  report.tested_share = nodes > 1 ? static_cast<double>(pairs.size()) / (nodes * (nodes - 1) / 2) : 0;
  report.scale = model_.scale;
  report.node_error = model_.node_error;
  for (const double residual : model_.residual)
    if (std::isfinite(residual) && model_.scale > 0) report.residuals.push_back(residual / model_.scale);
  std::ranges::sort(report.residuals);
  report.pair_bound = options_.suspicion.z_of_pair;
  return report;
}

double ScreeningReport::missed_pair(double ratio) const {
  if (residuals.empty() || !(scale > 0)) return 1 - tested_share;
  const double shift = std::log(ratio) / scale;
  const auto below = std::ranges::lower_bound(residuals, pair_bound - shift) - residuals.begin();
  return 1 - tested_share * (1 - static_cast<double>(below) / static_cast<double>(residuals.size()));
}

std::vector<Confirmed> ScreeningReport::slow() const {
  std::vector<Confirmed> found;
  std::ranges::copy_if(suspects, std::back_inserter(found),
                       [](const Confirmed& one) { return one.verdict == ScreenVerdict::slow; });
  return found;
}

bool all_pairs_cost_no_more(std::size_t nodes, const ScreeningOptions& options) {
  return nodes <= options.rounds + options.confirmations + 1;
}

}  // namespace assay
