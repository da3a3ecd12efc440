// SPDX-License-Identifier: Apache-2.0
// Partners by series and point, quantity and regime.
#include "record/compare/pairing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "record/distances.hpp"
#include "record/grouping.hpp"
#include "record/known_cores.hpp"
#include "record/shown_value.hpp"
#include "record/state_choice.hpp"
#include "text/scale.hpp"

namespace assay {

namespace {

/// A regime that fewer batches were in is compared on request only.
constexpr double least_share_paired = 0.25;
constexpr double as_far_apart = 1.02;  // what polls follows the distance, which is known to one or two per cent

// Quantity and regime: what a point has one result for.
using ResultKey = std::pair<std::string, Regime>;

bool is_marked(Outcome outcome) {
  return outcome != Outcome::converged && outcome != Outcome::max_timings && outcome != Outcome::max_time &&
         outcome != Outcome::open;
}

// The results of all sessions of a side; the last record of a point is what it is known by.
class FoundResults {
 public:
  explicit FoundResults(const std::vector<Record>& records) : groups_(group_by_series(records)) {
    for (const Record& record : records)
      if (const auto* point = std::get_if<PointRecord>(&record)) add(*point);
  }

  const std::vector<SeriesGroup>& groups() const { return groups_; }
  const SeriesGroup* group(const std::string& series) const {
    const auto found =
        std::ranges::find_if(groups_, [&](const SeriesGroup& group) { return group.series.series == series; });
    return found == groups_.end() ? nullptr : &*found;
  }

  Side side(const PointRecord& point, const Result& result) const {
    // A regime of a refused point has no verdict of its own that would be sounder than the point's.
    const Outcome outcome = is_marked(point.outcome) ? point.outcome : result.verdict.outcome;
    Side side{{}, {}, result.headline.value, outcome, shared_time(point, result), point.reps};
    std::map<int, std::vector<double>> by_session;
    for (const auto& [process, value] : processes_in(result.state, processes_.at(name_of(point, result)))) {
      side.processes.push_back(value);
      by_session[process.first].push_back(value);
    }
    for (auto& [session, values] : by_session) side.sessions.push_back(median(std::move(values)));
    return side;
  }

 private:
  using Process = std::pair<int, int>;  // session and incarnation
  using Medians = std::map<Process, double>;
  using ByState = std::vector<std::pair<CoreState, Medians>>;

  static std::string name_of(const PointRecord& point, const Result& result) {
    return point.series + '\n' + to_text(point.point) + '\n' + result.quantity + '\n' + to_text(result.regime);
  }

  // Clocks and distances are measured in each session anew, so that those of two of them differ a little.
  static Medians processes_in(const CoreState& state, const ByState& found) {
    const auto own = std::ranges::find(found, state, &ByState::value_type::first);
    Medians processes = own->second;
    std::set<int> sessions;
    for (const auto& [process, value] : processes) sessions.insert(process.first);
    for (const auto& [other, medians] : found)
      if (is_like(state, other))
        for (const auto& [process, value] : medians)
          if (!sessions.contains(process.first)) processes.emplace(process, value);
    return processes;
  }

  void add(const PointRecord& point) {
    for (const std::vector<Result>* results : {&point.results, &point.others})
      for (const Result& result : *results) {
        ByState& found = processes_[name_of(point, result)];
        auto same = std::ranges::find(found, result.state, &ByState::value_type::first);
        if (same == found.end()) same = found.insert(found.end(), {result.state, {}});
        for (const IncarnationMedian& process : result.processes)
          same->second[{process.session, process.incarnation}] = process.value;
      }
  }

  std::vector<SeriesGroup> groups_;
  std::map<std::string, ByState> processes_;
};

const PointRecord* find_point(const SeriesGroup* group, const Point& point) {
  if (group == nullptr) return nullptr;
  const auto found = std::ranges::find_if(group->points, [&](const PointRecord& one) { return one.point == point; });
  return found == group->points.end() ? nullptr : &*found;
}

// Why a point has no partner: where it was executed differently, that is said.
std::string absence(const Point& point, const SeriesGroup* other, const std::string& name) {
  constexpr std::array<const char*, 2> circumstances{"vehicle", "placement"};
  if (other == nullptr) return name + " has no such series";
  for (const char* factor : circumstances)
    for (const PointRecord& one : other->points)
      if (one.point.find(factor) != nullptr && one.point.without(factor) == point.without(factor))
        return name + " has it with another " + factor + ", " + one.point.text(factor);
  return name + " has no such point";
}

// What a side lacks to be compared; empty when nothing is.
std::string lack_of(const Side& side, const std::string& name, bool accept_marked) {
  if (is_marked(side.outcome) && !accept_marked)
    return to_text(side.outcome) + " in " + name + "; --accept-marked compares it nevertheless";
  if (side.processes.size() < 2)
    return "fewer than two incarnations in " + name + ", and processes differ: measure with incarnations = 5 or more";
  const bool finite = std::ranges::all_of(side.processes, [](double value) { return std::isfinite(value); });
  return finite ? "" : "a median in " + name + " is not a finite number";
}

// A regime that matters on one side and is missing on the other.
std::string regime_lack(const Result& result, const std::string& has, const std::string& lacks) {
  std::string what =
      result.regime == Regime::solo ? "quantity '" + result.quantity + "'" : "regime " + to_text(result.regime);
  if (result.regime_share < 1) what += ", " + percent_text(result.regime_share) + " % of the batches in " + has + ",";
  return what + " is missing in " + lacks;
}

// What keeps two records of a point from being compared; empty where nothing does.
std::string unlike(const PointRecord& x, const PointRecord& y) {
  if (x.results.empty() || y.results.empty())
    return std::string("no number in ") + (x.results.empty() ? "A" : "B") + ": " +
           verdict_text(x.results.empty() ? x : y);
  if (x.measurement != y.measurement)
    return "another measurement: " + x.measurement + " in A, " + y.measurement + " in B";
  return x.simulated == y.simulated ? "" : std::string("simulated in ") + (x.simulated ? "A" : "B") + " only";
}

// A core alone, or as good as.
bool is_hardly_shared(const PointRecord& point, const Result& result) {
  return result.state.sharing == Sharing::alone || shared_time(point, result).value_or(1) <= hardly_shared;
}

// What times of B have to be multiplied by to be those at A's clock, where nothing but the clock of the cores differed
// and both follow it; 1 where nothing did. What is as found of cores that were hardly ever shared is no other state
// than alone.
std::optional<double> scale_between(const PointRecord& x, const Result& a, const PointRecord& y, const Result& b) {
  CoreState same = b.state;
  const bool are_known = a.state.step > Nanoseconds{} && b.state.step > Nanoseconds{};
  if (are_known && is_hardly_shared(x, a) && is_hardly_shared(y, b)) same.sharing = a.state.sharing;
  if (is_like(a.state, same)) return 1;
  const auto follows = [](const Result& result) {
    return (result.converted > 0 && !result.law) || result.clock.known();
  };
  same.clock_ghz = a.state.clock_ghz;
  same.clock_ratio = a.state.clock_ratio;
  same.step = a.state.step;
  if (!are_known || !follows(a) || !follows(b) || !is_like(a.state, same)) return std::nullopt;
  return a.state.step / b.state.step;
}

// What times of B have to be multiplied by to be those at A's distance, where it is known how both go with it; 1 where
// it is not.
double distance_scale_between(const Result& a, const Result& b) {
  if (!a.law || !b.law || !(a.state.distance_ns > 0) || !(b.state.distance_ns > 0)) return 1;
  return std::pow(a.state.distance_ns / b.state.distance_ns, (a.law.distance_power + b.law.distance_power) / 2);
}

void multiply(Side& side, double scale) {
  for (std::vector<double>* values : {&side.processes, &side.sessions})
    for (double& value : *values) value *= scale;
  side.median *= scale;
}

using PointPair = std::pair<PointRecord, PointRecord>;

bool are_of_one_state(const PointPair& both) {
  return !both.first.results.empty() && !both.second.results.empty() &&
         is_like(both.first.results.front().state, both.second.results.front().state);
}

// Both in the state of that sharing in which the one that was in it less was most: clocks and distances are many.
std::optional<PointPair> in_most_common(const PointRecord& x, const PointRecord& y, Sharing sharing) {
  const Result* best = nullptr;
  std::size_t most = 0;
  const auto is_primary = [&](const Result& result) {
    return result.quantity == x.results.front().quantity && result.state.sharing == sharing;
  };
  for (const Result* p : rows_by_state(x))
    for (const Result* q : rows_by_state(y)) {
      if (!is_primary(*p) || !is_primary(*q) || p->regime != q->regime || !is_like(p->state, q->state)) continue;
      const std::size_t both = std::min(p->summary.n, q->summary.n);
      if (both <= most) continue;
      most = both;
      best = p;
    }
  if (best == nullptr) return std::nullopt;
  const CoreState state = best->state;
  PointPair both{in_state(x, state), in_state(y, state)};
  return are_of_one_state(both) ? std::optional(std::move(both)) : std::nullopt;
}

// Both in one state of the cores; nothing where they were never in the same.
std::optional<PointPair> in_common_state(const PointRecord& x, const PointRecord& y) {
  if (auto both = in_most_common(x, y, Sharing::alone)) return both;
  PointPair found{in_state(x, WantedState::any), in_state(y, WantedState::any)};
  if (are_of_one_state(found)) return found;
  return in_most_common(x, y, Sharing::shared);
}

std::string never_alike(const CoreState& a, const CoreState& b) {
  std::string text = "the cores were never in the same state: " + to_text(a) + " in A, " + to_text(b) + " in B";
  if (const auto clock = other_clock(a, b)) text += ", but the clock of A was " + to_text(*clock) + " times that of B";
  return text;
}

// Why results of members that poll are not held against each other though the cores were in one state: the hypervisor
// had their CPUs elsewhere. Empty where they may be. Elsewhere CPUs stay where they are, and another distance is a
// result.
std::string moved_between(const PointRecord& x, const Result& a, const PointRecord& y, const Result& b) {
  const auto may_be_moved = [](const Result& one) { return polls_throughout(one) && one.term == Term::short_term; };
  if (!may_be_moved(a) || !may_be_moved(b) || (a.law && b.law)) return {};
  const double in_a = distance_of(x, a);
  const double in_b = distance_of(y, b);
  if (factor_between(in_a, in_b) <= as_far_apart) return {};
  return "the hypervisor had the members' CPUs at another distance: " + fixed_text(in_a, 0) + " ns in A, " +
         fixed_text(in_b, 0) + " ns in B (G-APART); --accept-marked compares them nevertheless";
}

// Pairs the results of one point.
class PointPairing {
 public:
  PointPairing(const FoundResults& a, const FoundResults& b, const PairingRequest& request, std::string level,
               Pairing& out)
      : a_(a), b_(b), request_(request), level_(std::move(level)), out_(out) {}

  void refuse(const PointRecord& record, std::string reason) const {
    out_.unpaired.push_back({record.series, record.point, level_, std::move(reason)});
  }

  void pair(const SeriesRecord& series, const PointRecord& x, const PointRecord& y) const {
    if (x.results.empty() && y.results.empty()) {
      ++out_.numberless;
      return;
    }
    if (const std::string why = unlike(x, y); !why.empty()) return refuse(x, why);
    const Headlines headlines{x.results.front().state, y.results.front().state};
    if (scale_between(x, x.results.front(), y, y.results.front())) {
      for (const ResultKey& key : keys_of(series, x, y)) pair(series, {x, y}, key, headlines, true);
    } else if (const auto both = in_common_state(x, y)) {
      for (const ResultKey& key : keys_of(series, both->first, both->second))
        pair(series, *both, key, headlines, false);
    } else {
      refuse(x, never_alike(headlines.a, headlines.b));
    }
  }

 private:
  /// The states that both sides answered for.
  struct Headlines {
    CoreState a;
    CoreState b;
  };

  bool is_wanted(const SeriesRecord& series, const Result& result) const {
    if (request_.quantity) return result.quantity == *request_.quantity && is_weighty(result);
    if (request_.all) return true;
    return (series.quantities.empty() || result.quantity == series.quantities.front().name) && is_weighty(result);
  }
  bool is_weighty(const Result& result) const { return request_.all || result.regime_share >= least_share_paired; }

  std::vector<ResultKey> keys_of(const SeriesRecord& series, const PointRecord& x, const PointRecord& y) const {
    std::vector<ResultKey> keys;
    for (const PointRecord* point : {&x, &y})
      for (const Result& result : point->results) {
        const ResultKey key(result.quantity, result.regime);
        if (is_wanted(series, result) && std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
      }
    return keys;
  }

  void pair(const SeriesRecord& series, const PointPair& both, const ResultKey& key, const Headlines& headlines,
            bool is_of_headlines) const {
    const auto& [x, y] = both;
    const Result* p = find_result(x, key.first, key.second);
    const Result* q = find_result(y, key.first, key.second);
    if (q == nullptr) return refuse(x, regime_lack(*p, "A", "B"));
    if (p == nullptr) return refuse(x, regime_lack(*q, "B", "A"));
    if (p->unit != q->unit)
      return refuse(x, std::string("another unit: ") + symbol(p->unit) + " in A, " + symbol(q->unit) + " in B");
    PairedResult paired{
        x.series,   x.measurement,  x.point,        level_,   key.first,   p->unit,    is_signed(series, key.first),
        key.second, a_.side(x, *p), b_.side(y, *q), p->state, headlines.a, headlines.b};
    const auto scale = scale_between(x, *p, y, *q);
    if (!scale) return refuse(x, never_alike(p->state, q->state));
    if (std::string moved = moved_between(x, *p, y, *q); !moved.empty() && !request_.accept_marked)
      return refuse(x, std::move(moved));
    paired.clock_scale = *scale;
    paired.distance_scale = distance_scale_between(*p, *q);
    paired.is_of_headlines = is_of_headlines;
    multiply(paired.b, paired.clock_scale * paired.distance_scale);
    std::string lack = lack_of(paired.a, "A", request_.accept_marked);
    if (lack.empty()) lack = lack_of(paired.b, "B", request_.accept_marked);
    if (!lack.empty()) return refuse(x, std::move(lack));
    out_.pairs.push_back(std::move(paired));
  }

  static bool is_signed(const SeriesRecord& series, const std::string& quantity) {
    const auto found =
        std::ranges::find_if(series.quantities, [&](const Quantity& one) { return one.name == quantity; });
    return found != series.quantities.end() && found->is_signed;
  }

  const FoundResults& a_;
  const FoundResults& b_;
  const PairingRequest& request_;
  std::string level_;
  Pairing& out_;
};

// Takes the factor out of the records of points at a level; others are dropped.
struct LevelFilter {
  const std::string& factor;
  const std::string& level;
  std::vector<Record>& kept;

  void operator()(const PointRecord& record) const {
    if (record.point.find(factor) == nullptr || record.point.text(factor) != level) return;
    PointRecord without = record;
    without.point = record.point.without(factor);
    kept.emplace_back(std::move(without));
  }
  void operator()(const CampaignRecord& record) const { kept.emplace_back(record); }
  void operator()(const SessionRecord& record) const { kept.emplace_back(record); }
  void operator()(const SeriesRecord& record) const { kept.emplace_back(record); }
  template <class Other>
  void operator()(const Other&) const {}
};

}  // namespace

Pairing pair_results(const std::vector<Record>& a, const std::vector<Record>& b, const PairingRequest& request,
                     const std::string& level) {
  const FoundResults x(a);
  const FoundResults y(b);
  Pairing out;
  const PointPairing pairing(x, y, request, level, out);
  for (const SeriesGroup& group : x.groups()) {
    const SeriesGroup* other = y.group(group.series.series);
    const auto refused = request.refused.find(group.series.series);
    for (const PointRecord& point : group.points) {
      const PointRecord* partner = find_point(other, point.point);
      if (partner == nullptr)
        pairing.refuse(point, absence(point.point, other, "B"));
      else if (refused != request.refused.end())
        pairing.refuse(point, refused->second);
      else
        pairing.pair(group.series, point, *partner);
    }
  }
  for (const SeriesGroup& group : y.groups())
    for (const PointRecord& point : group.points)
      if (find_point(x.group(group.series.series), point.point) == nullptr)
        pairing.refuse(point, absence(point.point, x.group(group.series.series), "A"));
  return out;
}

std::vector<std::string> levels_of(const std::vector<Record>& records, const std::string& factor) {
  std::vector<std::string> levels;
  for (const SeriesGroup& group : group_by_series(records))
    for (const PointRecord& point : group.points) {
      if (point.point.find(factor) == nullptr) continue;
      std::string level = point.point.text(factor);
      if (std::ranges::find(levels, level) == levels.end()) levels.push_back(std::move(level));
    }
  return levels;
}

std::vector<Record> at_level(const std::vector<Record>& records, const std::string& factor, const std::string& level) {
  std::vector<Record> kept;
  for (const Record& record : records) std::visit(LevelFilter{factor, level, kept}, record);
  return kept;
}

}  // namespace assay
