// SPDX-License-Identifier: Apache-2.0
// Matching points of campaigns, and one estimate over each match.
#include "record/compare/average.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "record/grouping.hpp"
#include "record/shown_value.hpp"
#include "record/state_choice.hpp"
#include "stats/rule/sessions.hpp"

namespace assay {
namespace {

constexpr double average_alpha = 0.05;
constexpr double least_regime_share = 0.25;  // of the batches: a regime below it is none of the tables either

using ResultKey = std::pair<std::string, Regime>;

const PointRecord* find_point(const std::vector<SeriesGroup>& groups, const std::string& series, const Point& point) {
  for (const SeriesGroup& group : groups)
    if (group.series.series == series)
      for (const PointRecord& one : group.points)
        if (one.point == point) return &one;
  return nullptr;
}

std::string name_of(const ResultKey& key) {
  return "quantity '" + key.first + "'" + (key.second == Regime::solo ? "" : " in regime " + to_text(key.second));
}

// A point as every campaign has it; null where one has not.
using Matched = std::vector<const PointRecord*>;

bool are_alike(const std::vector<const PointRecord*>& points) {
  const CoreState& state = points.front()->results.front().state;
  return std::ranges::all_of(points, [&](const auto* one) { return is_like(state, one->results.front().state); });
}

// All in one state of the cores; none where some campaign was never in that of another.
std::vector<PointRecord> in_one_state(const Matched& matched) {
  for (const WantedState state : {WantedState::alone, WantedState::any, WantedState::shared}) {
    std::vector<PointRecord> points;
    Matched found;
    for (const PointRecord* one : matched) points.push_back(in_state(*one, state));
    for (const PointRecord& one : points)
      if (!one.results.empty()) found.push_back(&one);
    if (found.size() == matched.size() && are_alike(found)) return points;
  }
  return {};
}

class Averager {
 public:
  explicit Averager(std::span<const ShownCampaign> campaigns) : campaigns_(campaigns) {
    for (const ShownCampaign& campaign : campaigns) groups_.push_back(group_by_series(campaign.records));
  }

  Averages all() {
    for (const auto& groups : groups_)
      for (const SeriesGroup& group : groups)
        for (const PointRecord& point : group.points) add(point);
    return std::move(out_);
  }

  // What the averages make of a record; nothing where it is not kept.
  std::optional<Record> kept(const Record& record) const {
    if (std::holds_alternative<DerivedRecord>(record) || std::holds_alternative<VisitRecord>(record))
      return std::nullopt;
    const auto* point = std::get_if<PointRecord>(&record);
    if (point == nullptr) return record;
    const auto found = combined_.find(name_of(*point));
    return found == combined_.end() ? std::nullopt : std::optional<Record>(found->second);
  }

 private:
  static std::string name_of(const PointRecord& point) { return point.series + '\n' + to_text(point.point); }

  // A point is looked at where the first campaign that has it has it.
  void add(const PointRecord& point) {
    if (combined_.contains(name_of(point))) return;
    Matched matched;
    for (const auto& groups : groups_) matched.push_back(find_point(groups, point.series, point.point));
    PointRecord& whole = combined_.emplace(name_of(point), point).first->second;
    whole.results.clear();
    whole.others.clear();  // of one campaign, as its levels are
    whole.cores.clear();
    std::string lacks = lack_of(matched);
    std::vector<PointRecord> alike;
    if (lacks.empty()) lacks = make_alike(matched, alike);
    if (lacks.empty())
      for (const ResultKey& key : keys_of(matched)) add(matched, key, whole);
    else
      out_.missing.push_back({point.series, point.point, lacks});
    if (!whole.results.empty()) return;
    whole.outcome = Outcome::failed;
    for (const PointRecord* one : matched)
      if (one != nullptr && one->results.empty()) whole.outcome = one->outcome;
    whole.reason = lacks.empty() ? "no quantity has a number in every campaign" : lacks;
  }

  // Why there is no average at all; empty where there is one.
  std::string lack_of(const Matched& matched) const {
    const PointRecord* first = *std::ranges::find_if(matched, [](const auto* one) { return one != nullptr; });
    std::string text;
    for (std::size_t i = 0; i < matched.size(); ++i) {
      std::string why;
      if (matched[i] == nullptr)
        why = "has no such point";
      else if (!first->id.empty() && !matched[i]->id.empty() && first->id != matched[i]->id)
        why = "measured something else there";
      else if (matched[i]->results.empty())
        why = "has no number: " + verdict_text(*matched[i]);
      if (!why.empty()) text += (text.empty() ? "" : "; ") + campaigns_[i].name + " " + why;
    }
    return text;
  }

  // Exchanges points for those in a state of the cores that all have, which `alike` then holds; the reason why there is
  // none.
  std::string make_alike(Matched& matched, std::vector<PointRecord>& alike) const {
    if (are_alike(matched)) return {};
    alike = in_one_state(matched);
    for (std::size_t i = 0; i < alike.size(); ++i) matched[i] = &alike[i];
    if (!alike.empty()) return {};
    std::string text = "the cores were never in one state:";
    for (std::size_t i = 0; i < matched.size(); ++i)
      text += (i == 0 ? " " : ", ") + to_text(matched[i]->results.front().state) + " in " + campaigns_[i].name;
    return text;
  }

  static std::vector<ResultKey> keys_of(const Matched& matched) {
    std::vector<ResultKey> keys;
    for (const PointRecord* point : matched)
      for (const Result& result : point->results) {
        ResultKey key(result.quantity, result.regime);
        if (result.regime_share >= least_regime_share && std::ranges::find(keys, key) == keys.end())
          keys.push_back(std::move(key));
      }
    return keys;
  }

  void add(const Matched& matched, const ResultKey& key, PointRecord& whole) {
    std::vector<SessionEstimate> estimates;
    std::string lacks;
    Average average{whole.series, whole.measurement, whole.point, key.first, {}, key.second, {}, {}, 0, 0};
    const Result* first = nullptr;
    for (std::size_t i = 0; i < matched.size(); ++i) {
      const Result* result = find_result(*matched[i], key.first, key.second);
      if (result == nullptr || !std::isfinite(result->headline.value) || (first && first->unit != result->unit)) {
        lacks += (lacks.empty() ? "" : "; ") + campaigns_[i].name + " has no " + assay::name_of(key);
        continue;
      }
      if (first == nullptr) first = result;
      average.converged += result->verdict.outcome == Outcome::converged ? 1 : 0;
      average.values.push_back(result->headline.value);
      estimates.push_back({static_cast<int>(i) + 1, result->headline.value, result->headline.interval, 1});
    }
    if (!lacks.empty()) return out_.missing.push_back({whole.series, whole.point, lacks});
    average.unit = first->unit;
    average.estimate = over_sessions(estimates, average_alpha);
    average.estimate.basis = "campaigns";
    const Summary between = summarize(average.values);
    average.spread =
        between.mean == 0 ? std::numeric_limits<double>::quiet_NaN() : between.stddev / std::abs(between.mean);
    whole.results.push_back(result_of(*first, average));
    if (whole.results.size() == 1) whole.outcome = whole.results.front().verdict.outcome;
    out_.results.push_back(std::move(average));
  }

  // As layouts read it: what did not converge in one campaign is marked.
  static Result result_of(const Result& first, const Average& average) {
    Result result = first;
    result.headline = average.estimate;
    result.verdict.estimate = average.estimate;
    result.between_spread = average.spread;
    if (average.converged < average.values.size() && result.verdict.outcome == Outcome::converged)
      result.verdict.outcome = Outcome::max_time;
    result.term = average.values.size() >= fewest_sessions ? Term::long_term : Term::session;
    result.processes.clear();
    result.sessions.clear();
    result.clock = {};  // of one campaign
    result.another_day = {};
    return result;
  }

  std::span<const ShownCampaign> campaigns_;
  std::vector<std::vector<SeriesGroup>> groups_;
  std::map<std::string, PointRecord> combined_;
  Averages out_;
};

}  // namespace

Averages average(std::span<const ShownCampaign> campaigns) {
  Averager averager(campaigns);
  Averages averages = averager.all();
  for (const Record& record : campaigns.front().records)
    if (auto kept = averager.kept(record)) averages.records.push_back(std::move(*kept));
  return averages;
}

}  // namespace assay
