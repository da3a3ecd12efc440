// SPDX-License-Identifier: Apache-2.0
// Finding each number of a primitive among the points of all series.
#include "record/logp/logp_lines.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "record/logp/agreement.hpp"
#include "record/na_code.hpp"
#include "record/shown_value.hpp"

namespace assay::logp {

namespace {

/// A regime that fewer batches were in has no line.
constexpr double least_line_share = 0.25;

// Where a number is measured.
struct ParameterSource {
  Parameter parameter;
  const char* protocol;
  const char* quantity;
};
constexpr ParameterSource parameter_sources[] = {{Parameter::rtt, "round_trip", "rtt"},
                                                 {Parameter::o_s_idle, "overheads", "o_s[idle]"},
                                                 {Parameter::o_s_drain, "issue", "o_s[drain]"},
                                                 {Parameter::o_s_blk, "blocked", "o_s[blk]"},
                                                 {Parameter::o_r_ready, "overheads", "o_r[ready]"},
                                                 {Parameter::o_r_cpu, "blocked", "o_r[blk,cpu]"},
                                                 {Parameter::g_issue, "issue", "g[issue]"},
                                                 {Parameter::capacity, "capacity", "capacity"},
                                                 {Parameter::proved, "blocked", "proved"}};

// Factors of the protocols: they say how a number was taken, not of what. With the level that the table prefers; where
// it is a number, the least.
constexpr std::pair<std::string_view, std::string_view> protocol_factors[] = {
    {"burst", ""},        {"delay", ""},     {"settle", "30000"}, {"proof", "syscall"},
    {"receiver", "idle"}, {"stop", "lease"}, {"work", "none"},    {"work-size", ""}};

bool is_protocol_factor(std::string_view factor) {
  return std::ranges::any_of(protocol_factors, [&](const auto& known) { return known.first == factor; });
}

std::string_view protocol_of(const SeriesGroup& group) {
  const std::string_view name = group.series.measurement;
  return name.substr(name.rfind('/') + 1);
}

bool is_gap(const DerivedRecord& record) {
  return record.formula.starts_with("slope burst") && record.quantity == "burst_time";
}

bool is_known(const SeriesGroup& group) {
  const auto protocol = protocol_of(group);
  const bool listed = std::ranges::any_of(parameter_sources,
                                          [&](const ParameterSource& source) { return protocol == source.protocol; });
  return listed || protocol == "one_way" || std::ranges::any_of(group.derived, is_gap);
}

void set_block_level(Point& key, const Point& point, const std::string& factor) {
  if (const Value* level = point.find(factor))
    key.set(factor, *level);
  else if (factor == "policy")
    key.set(factor, std::string("inherited"));
  else if (factor == "variant")
    key.set(factor, std::string("plain"));
}

// Where, then what: without the factors of protocols.
Point key_of(const Point& point) {
  Point key;
  for (const std::string& factor : block_factors()) set_block_level(key, point, factor);
  if (const Value* channel = point.find("channel")) key.set("channel", *channel);
  for (const auto& [factor, level] : point.levels())
    if (!is_protocol_factor(factor) && key.find(factor) == nullptr) key.set(factor, level);
  return key;
}

// A point or a slope with the primitive that it is about.
template <class Record>
struct Entry {
  const SeriesGroup* series;
  const Record* record;
  Point key;
};

struct Index {
  std::vector<Entry<PointRecord>> points;
  std::vector<Entry<DerivedRecord>> gaps;
  Agreement points_by_key{"channel"};
  Agreement gaps_by_key{"channel"};
};

Index index_of(const std::vector<SeriesGroup>& groups) {
  Index index;
  for (const SeriesGroup& group : groups) {
    if (!is_known(group)) continue;
    for (const PointRecord& record : group.points) index.points.push_back({&group, &record, key_of(record.point)});
    for (const DerivedRecord& record : group.derived)
      if (is_gap(record)) index.gaps.push_back({&group, &record, key_of(record.group)});
  }
  for (const auto& entry : index.points) index.points_by_key.add(entry.key);
  for (const auto& entry : index.gaps) index.gaps_by_key.add(entry.key);
  return index;
}

std::vector<Point> keys_of(const Index& index) {
  std::vector<Point> all;
  for (const auto& entry : index.points) all.push_back(entry.key);
  // Those that say most first: one that lacks a factor is then found among those that have it.
  std::ranges::stable_sort(all, std::ranges::greater{}, [](const Point& key) { return key.levels().size(); });
  std::vector<PointRecord> keys;
  Agreement known("channel");
  for (const Point& key : all) {
    if (!known.with(key).empty()) continue;
    known.add(key);
    keys.emplace_back().point = key;
  }
  in_order(keys);
  std::vector<Point> sorted;
  for (PointRecord& key : keys) sorted.push_back(std::move(key.point));
  return sorted;
}

const Result* in_regime(const PointRecord& point, std::string_view quantity, Regime regime) {
  for (const Result& result : point.results)
    if (result.quantity == quantity && result.regime == regime) return &result;
  return nullptr;
}

double level_of(const Point& point, std::string_view factor) {
  const Value* level = point.find(factor);
  return level == nullptr ? 0 : number_of(*level).value_or(0);
}

// How far a point is from the way that the table prefers: without a number first, then other words of protocols.
int strangeness(const PointRecord& record, bool has_number) {
  int strange = has_number ? 0 : 100;
  for (const auto& [factor, preferred] : protocol_factors)
    if (!preferred.empty() && record.point.find(factor) != nullptr && record.point.text(factor) != preferred) ++strange;
  return strange;
}

// Looks for the numbers of one primitive.
class Finder {
 public:
  Finder(Index& index, const Point& key) : key_(key) {
    for (const std::size_t number : index.points_by_key.with(key)) points_.push_back(&index.points[number]);
    for (const std::size_t number : index.gaps_by_key.with(key)) gaps_.push_back(&index.gaps[number]);
  }

  Number find(std::string_view protocol, std::string_view quantity) const {
    Number best;
    int least = 0;
    for (const Entry<PointRecord>* entry : points_) {
      const auto& [series, record, key] = *entry;
      if (protocol_of(*series) != protocol) continue;
      const Result* result = dominant_result(*record, quantity);
      // One that says less of the primitive is taken where none says it all.
      const auto unsaid = static_cast<int>(key_.levels().size()) - static_cast<int>(key.levels().size());
      const int strange = strangeness(*record, result != nullptr) + std::max(0, unsaid);
      if (best.point != nullptr && strange >= least) continue;
      best = {series, record, result, nullptr, result != nullptr ? marks_of(*record, *result) : ""};
      least = strange;
    }
    return best;
  }

  // A slope over `burst`, without delays between the messages or with long ones.
  Number slope(bool with_delay) const {
    const auto is_wanted = [&](const Point& point) { return (level_of(point, "delay") >= 1) == with_delay; };
    Number best;
    for (const Entry<DerivedRecord>* gap : gaps_)
      if (is_wanted(gap->record->group) && (best.derived == nullptr || !best.derived->derived.valid))
        best = {gap->series, nullptr, nullptr, gap->record, {}};
    for (const Entry<PointRecord>* entry : points_) {
      const PointRecord& record = *entry->record;
      if (entry->series != best.series || !is_wanted(record.point)) continue;
      best.point = &record;
      if (!record.results.empty()) best.marks += marks_of(record, record.results.front());
    }
    return best;
  }

 private:
  const Point& key_;
  std::vector<const Entry<PointRecord>*> points_;
  std::vector<const Entry<DerivedRecord>*> gaps_;
};

// The regimes of a primitive's lines, the round trip's dominant one first.
std::vector<std::optional<Regime>> regimes_of(const Number& rtt, const Number& blocked) {
  std::vector<const Result*> results;
  if (rtt.point != nullptr)
    for (const Result& result : rtt.point->results)
      if (result.quantity == "rtt" && result.regime_share >= least_line_share) results.push_back(&result);
  std::ranges::stable_sort(results, std::ranges::greater{}, &Result::regime_share);
  std::vector<std::optional<Regime>> regimes;
  for (const Result* result : results) regimes.emplace_back(result->regime);
  if (blocked.result != nullptr && std::ranges::find(regimes, Regime::blocked) == regimes.end())
    regimes.emplace_back(Regime::blocked);
  if (regimes.empty()) regimes.emplace_back();
  return regimes;
}

// The same number in one regime; none where it was never in it.
Number restricted(Number number, std::string_view quantity, Regime regime) {
  number.result = in_regime(*number.point, quantity, regime);
  if (number.result == nullptr) return {};
  number.marks = marks_of(*number.point, *number.result);
  return number;
}

// A number of logp/one_way in the line's regime; the reason where it has none at all.
Number of_ping_pong(const Finder& finder, const Line& line, const char* quantity) {
  Number number = finder.find("one_way", quantity);
  if (number.result == nullptr || !line.regime) return number;
  return restricted(std::move(number), quantity, *line.regime);
}

// T1 and D: of a receiver proved asleep where the line is about one, else of the ping-pong.
void add_one_way(const Finder& finder, Line& line) {
  for (const auto& [parameter, quantity] : {std::pair{Parameter::one_way, "T1"}, std::pair{Parameter::distance, "D"}}) {
    const Number asleep = finder.find("blocked", quantity);
    const bool is_about_sleep = line.regime == Regime::blocked && asleep.asked();
    Number awake = of_ping_pong(finder, line, quantity);
    line[parameter] = is_about_sleep && (asleep.result != nullptr || awake.result == nullptr) ? asleep : awake;
  }
  line[Parameter::back] = of_ping_pong(finder, line, "T1[back]");
}

void add_independent(const Finder& finder, std::vector<Line>& lines, std::size_t first) {
  const auto asleep = std::find_if(lines.begin() + static_cast<std::ptrdiff_t>(first), lines.end(),
                                   [](const Line& line) { return line.regime == Regime::blocked; });
  Line& of_sleepers = asleep != lines.end() ? *asleep : lines[first];
  for (const ParameterSource& source : parameter_sources) {
    if (source.parameter == Parameter::rtt) continue;
    Line& line = std::string_view(source.protocol) == "blocked" ? of_sleepers : lines[first];
    line[source.parameter] = finder.find(source.protocol, source.quantity);
  }
  lines[first][Parameter::g_flood] = finder.slope(false);
  of_sleepers[Parameter::prtt] = finder.slope(true);
}

void add_lines(Index& index, const Point& key, std::vector<Line>& lines) {
  const Finder finder(index, key);
  const Number rtt = finder.find("round_trip", "rtt");
  const std::size_t first = lines.size();
  for (const auto& regime : regimes_of(rtt, finder.find("blocked", "o_s[blk]"))) {
    Line line{key, lines.size() == first, regime, {}};
    line[Parameter::rtt] = rtt;
    if (regime && rtt.result != nullptr) line[Parameter::rtt] = restricted(rtt, "rtt", *regime);
    add_one_way(finder, line);
    lines.push_back(std::move(line));
  }
  add_independent(finder, lines, first);
}

}  // namespace

std::optional<Estimate> Number::estimate() const {
  if (result != nullptr) return result->headline;
  if (derived != nullptr && derived->derived.interval.available())
    return Estimate{"derived", derived->derived.value, derived->derived.interval, "derived"};
  return std::nullopt;
}

std::string Number::lack() const {
  if (result != nullptr || (derived != nullptr && derived->derived.valid)) return {};
  if (point != nullptr && point->results.empty()) return point->code.empty() ? to_text(point->outcome) : point->code;
  if (derived == nullptr) return {};
  if (std::string code = code_in(derived->derived.reason); !code.empty()) return code;
  return derived->derived.interval.available() ? "" : "n/a";
}

std::string Number::reason() const {
  if (derived != nullptr && derived->derived.valid) return {};
  if (derived != nullptr && (point == nullptr || !point->results.empty())) return derived->derived.reason;
  return point != nullptr ? point->reason : "";
}

const std::vector<std::string>& block_factors() {
  static const std::vector<std::string> factors = {"placement", "vehicle", "members", "policy", "variant"};
  return factors;
}

std::vector<Line> lines_of(const std::vector<SeriesGroup>& groups) {
  std::vector<Line> lines;
  Index index = index_of(groups);
  for (const Point& key : keys_of(index)) add_lines(index, key, lines);
  return lines;
}

}  // namespace assay::logp
