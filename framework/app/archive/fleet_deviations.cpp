// SPDX-License-Identifier: Apache-2.0
// Nodes of a round held against each other.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>

#include "app/archive/acceptance.hpp"
#include "app/archive/fleet.hpp"
#include "base/point.hpp"
#include "stats/sample/summary.hpp"

namespace assay::history {
namespace {

constexpr std::size_t day_digits = 10;
constexpr double deviation_to_sigma = 1.4826;  // of a normal law
constexpr double spreads = 3;

using PointName = std::tuple<std::string, std::string, std::string>;
PointName point_name(const PlaceOfResult& place) { return {place.series, place.measurement, place.point}; }

/// Puts results into rounds.
class FleetBuilder {
 public:
  FleetBuilder(const std::vector<Entry>& entries, RoundBy by) : entries_(entries), by_(by) {}

  void add(const Dated& dated) {
    if (dated.found.is_other || !dated.found.is_usual) return;
    auto point = parse_point(dated.found.place.point);
    if (!point || point->find("peer") != nullptr) return;  // links are no nodes
    const bool has_node = point->find("node") != nullptr;
    const Entry& entry = entries_[dated.campaign];
    OfNode one{has_node ? point->text("node") : entry.node, round_of(dated.campaign, has_node), dated.campaign,
               dated.found};
    one.found.place.point = to_text(point->without("node"));
    const auto [at, is_new] = known_.try_emplace({one.round, one.node, one.found.place}, fleet_.results.size());
    if (is_new)
      fleet_.results.push_back(std::move(one));
    else
      fleet_.results[at->second] = std::move(one);
  }

  Fleet take() {
    std::ranges::stable_sort(fleet_.results, {}, &OfNode::round);
    return std::move(fleet_);
  }

 private:
  std::size_t round_of(std::size_t campaign, bool has_nodes) {
    const Entry& entry = entries_[campaign];
    const bool is_alone = has_nodes || by_ == RoundBy::campaign;
    std::string name = is_alone ? std::to_string(campaign) : entry.id + ' ' + entry.started.substr(0, day_digits);
    const auto [at, is_new] = rounds_.try_emplace({is_alone, std::move(name)}, fleet_.rounds.size());
    if (is_new) fleet_.rounds.push_back({entry.started, campaign});
    return at->second;
  }

  const std::vector<Entry>& entries_;
  RoundBy by_;
  Fleet fleet_;
  std::map<std::pair<bool, std::string>, std::size_t> rounds_;
  std::map<std::tuple<std::size_t, std::string, PlaceOfResult>, std::size_t> known_;
};

// It failed, or ended without enough undisturbed batches: outcomes that say something of the node.
bool says_lacking(const Found& found) {
  constexpr std::array<std::string_view, 4> outcomes{"failed", "timeout", "too-noisy", "as-found"};
  return std::ranges::any_of(outcomes, [&](std::string_view outcome) { return found.verdict.starts_with(outcome); });
}

/// The results of one round.
class RoundJudge {
 public:
  RoundJudge(std::size_t round, Deviations& out) : round_(round), out_(out) {}

  void add(const OfNode& one) {
    if (one.found.has_number()) numbers_[one.found.place].push_back(&one);
    if (says_lacking(one.found)) lacking_[point_name(one.found.place)].insert(one.node);
  }

  void judge() {
    bool any = false;
    for (const auto& [place, numbers] : numbers_) any = judge(place, numbers) || any;
    ++(any ? out_.rounds : out_.too_small);
  }

 private:
  using Numbers = std::vector<const OfNode*>;

  // Nodes that lack what most have are named as such; where most lack it, their numbers are what there is to judge.
  bool judge(const PlaceOfResult& place, const Numbers& numbers) {
    const std::set<std::string>& lacking = lacking_[point_name(place)];
    Numbers sound = numbers;
    std::erase_if(sound, [&](const OfNode* one) { return lacking.contains(one->node); });
    const bool may_lack = lacking.size() < sound.size();
    const Numbers& judged = may_lack ? sound : numbers;
    const bool is_positive = std::ranges::all_of(judged, [](const OfNode* one) { return one->found.known.value > 0; });
    if (judged.size() + (may_lack ? lacking.size() : 0) < fewest_nodes || !is_positive) return false;
    const std::size_t index = place_index(place);
    judge_numbers(index, judged);
    if (may_lack)
      for (const std::string& node : lacking) add(node, {round_, index, lacking_ratio, {}, true, true});
    return true;
  }

  void judge_numbers(std::size_t place, const Numbers& numbers) {
    std::vector<double> logs;
    for (const OfNode* one : numbers) logs.push_back(std::log(one->found.known.value));
    const double middle = median(logs);
    std::vector<double> distances;
    for (const double log : logs) distances.push_back(std::abs(log - middle));
    const double spread = deviation_to_sigma * median(std::move(distances));
    for (const OfNode* one : numbers) add(one->node, deviation(place, *one, middle, spread));
  }

  Deviation deviation(std::size_t place, const OfNode& one, double middle, double spread) {
    const KnownValue& known = one.found.known;
    const double level = std::exp(middle);
    const bool is_rate = more_is_better(one.found.unit);
    const auto ratio = [&](double value) { return is_rate ? level / value : value / level; };
    Deviation found{round_, place, ratio(known.value), {}, false, false};
    if (known.interval.available() && known.interval.low > 0)
      found.interval = {ratio(is_rate ? known.interval.high : known.interval.low),
                        ratio(is_rate ? known.interval.low : known.interval.high), known.interval.level};
    const double certain = found.interval.available() ? found.interval.low : found.ratio;
    found.is_bad = certain > 1 + fleet_margin && std::log(found.ratio) > spreads * spread;
    return found;
  }

  std::size_t place_index(const PlaceOfResult& place) {
    const auto known = std::ranges::find(out_.places, place);
    if (known != out_.places.end()) return static_cast<std::size_t>(known - out_.places.begin());
    out_.places.push_back(place);
    return out_.places.size() - 1;
  }

  void add(const std::string& node, const Deviation& found) { out_.by_node[node].push_back(found); }

  std::size_t round_;
  Deviations& out_;
  std::map<PlaceOfResult, Numbers> numbers_;
  std::map<PointName, std::set<std::string>> lacking_;
};

}  // namespace

Fleet fleet_of(const std::vector<Entry>& entries, const std::vector<Dated>& results, RoundBy by) {
  FleetBuilder builder(entries, by);
  for (const Dated& dated : results) builder.add(dated);
  return builder.take();
}

Deviations deviations_of(const Fleet& fleet) {
  Deviations found;
  for (std::size_t at = 0; at < fleet.results.size();) {
    const std::size_t round = fleet.results[at].round;
    RoundJudge judge(round, found);
    for (; at < fleet.results.size() && fleet.results[at].round == round; ++at) judge.add(fleet.results[at]);
    judge.judge();
  }
  return found;
}

}  // namespace assay::history
