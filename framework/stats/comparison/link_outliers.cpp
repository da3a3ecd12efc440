// SPDX-License-Identifier: Apache-2.0
// Nodes and links set apart one by one, what explains most first, until nothing more stands out.
#include "stats/comparison/link_outliers.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "stats/comparison/rank_tests.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

using Values = std::vector<double>;
using Indexes = std::vector<std::size_t>;

/// What distances from the median add up to.
double spread(const Values& places) {
  if (places.empty()) return 0;
  const double middle = median(places);
  double sum = 0;
  for (const double place : places) sum += std::abs(place - middle);
  return sum;
}

/// Links that a node or a link would take away from those that agree, or did.
struct Group {
  Indexes own;
  Indexes others;
};

/// A node or a link that may be set apart.
struct Candidate {
  bool is_node = false;
  std::size_t index = 0;
  double shift = 0;
  double score = 0;  ///< how much of the spread it explains, weighed by how believable it is
};

class LinkSearch {
 public:
  LinkSearch(std::size_t nodes, std::span<const MeasuredLink> links, const OutlierOptions& options)
      : links_(links),
        options_(options),
        effects_(nodes, 0.0),
        node_apart_(nodes),
        link_apart_(links.size()),
        node_rejected_(nodes),
        link_rejected_(links.size()) {
    by_ratio_ = !options.is_signed;
    for (const MeasuredLink& link : links) {
      for (const double value : link.estimates) by_ratio_ = by_ratio_ && !(value <= 0);
      launches_ = std::max(launches_, link.estimates.size());
    }
    for (const MeasuredLink& link : links) {
      Values& values = values_.emplace_back(launches_, std::nan(""));
      for (std::size_t k = 0; k < link.estimates.size(); ++k)
        if (std::isfinite(link.estimates[k])) values[k] = by_ratio_ ? std::log(link.estimates[k]) : link.estimates[k];
      is_usable_.push_back(std::ranges::any_of(values, [](double value) { return std::isfinite(value); }));
    }
    level_ = std::abs(median_of_all());
    centre();
  }

  LinkFindings findings() {
    LinkFindings found = searched();
    while (reject_unconfirmed(found)) found = searched();
    return found;
  }

 private:
  LinkFindings searched() {
    while (const auto found = most_telling()) set_apart(*found);
    LinkFindings findings;
    for (std::size_t node = 0; node < effects_.size(); ++node) findings.nodes.push_back(judged_node(node));
    for (std::size_t link = 0; link < links_.size(); ++link) findings.links.push_back(judged_link(link));
    return findings;
  }

  /// What does not hold once all is found has misled the rest: true where there was any, and all is to be found anew.
  bool reject_unconfirmed(const LinkFindings& found) {
    const auto is_odd = [](const UnitFinding& one) { return one.oddity == Oddity::slow || one.oddity == Oddity::fast; };
    bool any = false;
    for (std::size_t node = 0; most_nodes_agree() && node < effects_.size(); ++node)
      if (node_apart_[node] && !is_odd(found.nodes[node])) any = node_rejected_[node] = true;
    for (std::size_t link = 0; most_links_agree() && link < links_.size(); ++link)
      if (link_apart_[link] && !is_odd(found.links[link])) any = link_rejected_[link] = true;
    if (!any) return false;
    effects_.assign(effects_.size(), 0.0);
    node_apart_.assign(node_apart_.size(), false);
    link_apart_.assign(link_apart_.size(), false);
    centre();
    return true;
  }

  bool touches(std::size_t link, std::size_t node) const {
    return links_[link].from == node || links_[link].to == node;
  }
  bool agrees(std::size_t link) const { return is_usable_[link] && !link_apart_[link]; }
  std::size_t usable() const { return static_cast<std::size_t>(std::ranges::count(is_usable_, true)); }
  double tests() const {
    return static_cast<double>((effects_.size() + usable()) * std::max<std::size_t>(1, options_.family));
  }

  double median_of_all() const {
    Values all;
    for (const Values& values : values_)
      std::ranges::copy_if(values, std::back_inserter(all), [](double value) { return std::isfinite(value); });
    return all.empty() ? 0 : median(all);
  }

  /// What its nodes do not explain, by launch; NaN where there was no estimate.
  double residual(std::size_t link, std::size_t launch) const {
    return values_[link][launch] - effects_[links_[link].from] - effects_[links_[link].to] - centres_[launch];
  }
  Values residuals(std::size_t link) const {
    Values found;
    for (std::size_t launch = 0; launch < launches_; ++launch)
      if (std::isfinite(values_[link][launch])) found.push_back(residual(link, launch));
    return found;
  }
  Values pooled(const Indexes& links) const {
    Values all;
    for (const std::size_t link : links) {
      const Values some = residuals(link);
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }
  Values places(const Indexes& links) const {
    Values all;
    for (const std::size_t link : links) all.push_back(median(residuals(link)));
    return all;
  }

  /// A launch may be slow as a whole.
  void centre() {
    centres_.assign(launches_, 0.0);
    for (std::size_t launch = 0; launch < launches_; ++launch) {
      Values found;
      for (std::size_t link = 0; link < links_.size(); ++link)
        if (agrees(link) && std::isfinite(values_[link][launch])) found.push_back(residual(link, launch));
      if (!found.empty()) centres_[launch] = median(found);
    }
  }

  template <class Belongs>
  Group group(Belongs belongs) const {
    Group found;
    for (std::size_t link = 0; link < links_.size(); ++link) {
      if (belongs(link) && is_usable_[link])
        found.own.push_back(link);
      else if (agrees(link))
        found.others.push_back(link);
    }
    return found;
  }
  Group of_node(std::size_t node) const {
    return group([&](std::size_t link) { return touches(link, node) && !link_apart_[link]; });
  }
  Group of_link(std::size_t link) const {
    return group([link](std::size_t other) { return other == link; });
  }

  bool matters(double shift) const {
    return std::abs(shift) > (by_ratio_ ? std::log1p(options_.margin) : options_.margin * level_);
  }
  bool is_slow(double shift) const { return (shift > 0) != options_.larger_is_better; }

  /// One bad link does not make its nodes bad.
  bool most_stand_out(const Group& group, double shift) const {
    const double usual = median(places(group.others));
    const auto standing_out = std::ranges::count_if(
        places(group.own), [&](double place) { return matters(place - usual) && (place > usual) == (shift > 0); });
    return 2 * static_cast<std::size_t>(standing_out) > group.own.size();
  }

  /// Of links that differ anyway one more that does is not odd.
  bool is_beyond_the_usual(const Group& group, double shift) const {
    constexpr double far = 2.5 * 1.4826;  // of a normal distribution, two and a half standard deviations
    constexpr std::size_t fewest = 4;
    Indexes rest;
    for (std::size_t link = 0; link < links_.size(); ++link)
      if (is_usable_[link] && std::ranges::find(group.own, link) == group.own.end()) rest.push_back(link);
    if (rest.size() < fewest) return true;
    const Values others = places(rest);
    const double usual = median(others);
    Values distances;
    for (const double place : others) distances.push_back(std::abs(place - usual));
    return std::abs(shift) > far * median(distances);
  }

  /// Nothing where the group does not stand out.
  std::optional<Candidate> candidate(const Group& group, bool is_node, std::size_t index, double total, Ranking& all) {
    // Bad links are more usual than nodes of which all links are, and what breaks becomes slower.
    constexpr double for_a_link = 1.3;
    constexpr double for_fast = 0.5;
    if (group.own.empty() || group.others.empty() || (is_node && group.own.size() < 2)) return std::nullopt;
    const Values own = pooled(group.own);
    const double shift = median(own) - median(pooled(group.others));
    const double explained = total - spread(places(group.own)) - spread(places(group.others));
    const double score = explained * (is_node ? 1 : for_a_link) * (is_slow(shift) ? 1 : for_fast);
    if (!matters(shift) || best_score_ >= score) return std::nullopt;
    if (all.p_of(own) * tests() > options_.alpha || (is_node && !most_stand_out(group, shift))) return std::nullopt;
    best_score_ = score;
    return Candidate{is_node, index, shift, score};
  }

  std::optional<Candidate> most_telling() {
    const Group all = group([](std::size_t) { return false; });
    if (all.others.size() < 2) return std::nullopt;
    Ranking ranking(pooled(all.others));
    const double total = spread(places(all.others));
    std::optional<Candidate> best;
    best_score_ = 0;
    for (const std::size_t link : all.others)
      if (!link_rejected_[link])
        if (const auto found = candidate(of_link(link), false, link, total, ranking)) best = found;
    for (std::size_t node = 0; node < effects_.size(); ++node)
      if (!node_apart_[node] && !node_rejected_[node])
        if (const auto found = candidate(of_node(node), true, node, total, ranking)) best = found;
    return best;
  }

  void set_apart(const Candidate& found) {
    if (found.is_node) {
      node_apart_[found.index] = true;
      effects_[found.index] = found.shift;
      // What stood out may be what the node explains.
      for (std::size_t link = 0; link < links_.size(); ++link)
        if (touches(link, found.index)) link_apart_[link] = false;
    } else {
      link_apart_[found.index] = true;
    }
    centre();
    polish();
  }

  void polish() {
    for (std::size_t node = 0; node < effects_.size(); ++node) {
      if (!node_apart_[node]) continue;
      const Group links = of_node(node);
      if (!links.own.empty() && !links.others.empty())
        effects_[node] += median(pooled(links.own)) - median(pooled(links.others));
    }
    centre();
  }

  bool most_nodes_agree() const {
    return 2 * static_cast<std::size_t>(std::ranges::count(node_apart_, false)) > node_apart_.size();
  }
  bool is_of_a_node_apart(std::size_t link) const {
    return node_apart_[links_[link].from] || node_apart_[links_[link].to];
  }
  bool most_links_agree() const {
    std::size_t all = 0;
    std::size_t agreeing = 0;
    for (std::size_t link = 0; link < links_.size(); ++link) {
      if (!is_usable_[link] || is_of_a_node_apart(link)) continue;
      ++all;
      agreeing += link_apart_[link] ? 0 : 1;
    }
    return 2 * agreeing > all || all == 0;
  }

  /// Against the links that agree, as values were before logarithms. Where there are too many pairs, of medians.
  Shift shift_of_group(const Group& group) const {
    constexpr std::size_t most_pairs = 20'000;
    Values own = pooled(group.own);
    Values others = pooled(group.others);
    if (own.size() * others.size() > most_pairs && group.own.size() > 3) own = places(group.own);
    if (own.size() * others.size() > most_pairs) others = places(group.others);
    if (by_ratio_)
      for (Values* values : {&own, &others})
        for (double& value : *values) value = std::exp(value);
    return shift_of({others, own, !by_ratio_});
  }
  bool holds(double shift) const { return by_ratio_ ? shift > 0 && !matters(std::log(shift)) : !matters(shift); }

  UnitFinding judged(const Group& group, bool is_apart, bool has_majority, const char* unit) {
    UnitFinding finding;
    if (group.own.empty() || group.others.empty()) {
      finding.reason = group.own.empty() ? "no estimates, or one that is not a finite number"
                                         : "there is nothing to compare it with";
      return finding;
    }
    const Values own = pooled(group.own);
    const Values others = pooled(group.others);
    finding.p = std::min(1.0, p_between(own, others) * tests());
    finding.shift = shift_of_group(group);
    const bool is_surely_off = is_apart && finding.p <= options_.alpha && !holds(finding.shift.value);
    const bool is_usual = !is_beyond_the_usual(group, median(own) - median(others));
    if (!has_majority)
      finding.reason = std::string("the ") + unit + " disagree: no majority of them is consistent";
    else if (is_surely_off && is_usual)
      finding.reason = "other links differ nearly as much among themselves";
    else if (is_surely_off)
      name(finding);
    else
      clear(finding, own.size(), others.size());
    return finding;
  }

  static double p_between(const Values& own, const Values& others) {
    Values all = own;
    all.insert(all.end(), others.begin(), others.end());
    return Ranking(all).p_of(own);
  }

  void name(UnitFinding& finding) const {
    finding.oddity = is_slow(finding.shift.value - (by_ratio_ ? 1 : 0)) ? Oddity::slow : Oddity::fast;
    finding.reason = "differs from the links of others";
    finding.is_about_p = true;
  }

  void clear(UnitFinding& finding, std::size_t own, std::size_t others) const {
    const Interval& interval = finding.shift.interval;
    if (interval.available() && holds(interval.low) && holds(interval.high))
      finding.oddity = Oddity::ok;
    else
      explain(finding, own, others);
  }

  void explain(UnitFinding& finding, std::size_t own, std::size_t others) const {
    const bool is_enough = smallest_p(own, others) * tests() <= options_.alpha;
    finding.is_about_p = is_enough && !holds(finding.shift.value);
    if (!is_enough)
      finding.reason = "too few incarnations: " + counted(own, "estimate") + " against " + std::to_string(others) +
                       " cannot be significant among " + counted(usable(), "link");
    else if (finding.is_about_p)
      finding.reason = "beyond the margin, but not significantly";
    else
      finding.reason =
          "the interval reaches beyond " + percent(options_.margin) + ": more incarnations would narrow it";
  }

  UnitFinding judged_node(std::size_t node) {
    const double effect = std::exchange(effects_[node], 0.0);
    UnitFinding finding = judged(of_node(node), node_apart_[node], most_nodes_agree(), "nodes");
    effects_[node] = effect;
    return finding;
  }

  /// What its node explains is the node's.
  UnitFinding judged_link(std::size_t link) {
    if (is_of_a_node_apart(link) && !link_apart_[link]) return {};
    return judged(of_link(link), link_apart_[link], most_nodes_agree() && most_links_agree(), "links");
  }

  std::span<const MeasuredLink> links_;
  OutlierOptions options_;
  bool by_ratio_ = true;
  std::size_t launches_ = 0;
  double level_ = 0;  ///< what margins of differences are relative to
  std::vector<Values> values_;
  std::vector<bool> is_usable_;
  Values effects_;  ///< of nodes that are set apart
  Values centres_;  ///< of launches
  std::vector<bool> node_apart_;
  std::vector<bool> link_apart_;
  std::vector<bool> node_rejected_;
  std::vector<bool> link_rejected_;
  double best_score_ = 0;
};

void check(std::size_t nodes, std::span<const MeasuredLink> links, const OutlierOptions& options) {
  if (!(options.alpha > 0 && options.alpha < 1)) throw std::invalid_argument("alpha must lie between 0 and 1");
  if (!(options.margin > 0)) throw std::invalid_argument("the smallest effect that matters must be above 0");
  for (const MeasuredLink& link : links) {
    if (link.from >= nodes || link.to >= nodes) throw std::invalid_argument("a link with an end that is no node");
    if (link.estimates.size() != links.front().estimates.size())
      throw std::invalid_argument("links of different numbers of launches");
  }
}

}  // namespace

LinkFindings link_outliers(std::size_t nodes, std::span<const MeasuredLink> links, const OutlierOptions& options) {
  check(nodes, links, options);
  return LinkSearch(nodes, links, options).findings();
}

}  // namespace assay
