// SPDX-License-Identifier: Apache-2.0
// Parameters out of the points of series, and out of what models derive from them.
#include "record/predict/parameter.hpp"

#include <algorithm>
#include <array>

#include "record/capability/capability.hpp"
#include "record/capability/cells.hpp"
#include "record/shown_value.hpp"
#include "text/scale.hpp"

namespace assay::predict {

namespace {

constexpr std::size_t fewest_replicates = 3;

std::vector<ParameterKind> make_kinds() {
  const auto line = [](const char* operation, const char* state, const char* holder) {
    return NamedLevels{{"operation", operation}, {"line", state}, {"holder", holder}, {"access", "dependent"}};
  };
  const auto exchange = [](const char* channel) {
    return NamedLevels{{"channel", channel}, {"work", "none"}, {"stop", "lease"}};
  };
  return {
      {"R", "a load of a line that another member has written", "sync/line", "time", line("load", "modified", "other")},
      {"S", "a store to a line that another member has, too", "sync/line", "time", line("store", "shared", "both")},
      {"A", "a fetch-and-add to a line that another member has written", "sync/line", "time",
       line("fetch-add", "modified", "other")},
      {"Q", "a turn of a loop that polls", "sync/poll", "time", {}, {}, Shares::vehicle},
      {"F", "round trip of flags", "logp/round_trip", "rtt", exchange("flag"), Regime::spin},
      {"F1", "round trip of flags on one line", "logp/round_trip", "rtt", exchange("flag-one-line"), Regime::spin},
      {"P", "uncontended lock and unlock", "sync/lock", "time", {}, {}, Shares::vehicle},
      {"W", "a wake-up call that finds nobody asleep", "logp/overheads", "o_s[idle]", {{"channel", "futex"}}},
      {"RTT",
       "round trip of members that sleep",
       "logp/round_trip",
       "rtt",
       {{"work", "none"}, {"stop", "lease"}},
       Regime::blocked},
      {"T1", "from the start of a send to the return of the receive of a sleeper", "logp/blocked", "T1"},
      {"o_s[blk]", "a send to a sleeper", "logp/blocked", "o_s[blk]"},
      {"h",
       "share of operations by another member than the one before",
       "sync/contention",
       "handoffs",
       {},
       {},
       Shares::point},
  };
}

bool is_unsteady_result(const Result& result) {
  return result.verdict.outcome == Outcome::bimodal || result.verdict.outcome == Outcome::drift;
}

Parameter derived_parameter(const DerivedRecord& record, const std::string& source) {
  Parameter parameter;
  parameter.symbol = record.name;
  parameter.point = record.group;
  parameter.quantity = record.quantity;
  parameter.unit = parse_unit(record.unit).value_or(Unit::nanoseconds);
  parameter.estimate = {"derived", record.derived.value, record.derived.interval, "derived"};
  parameter.marks = record.derived.interval.available() ? "" : "?";
  parameter.distance = level_number(record.group, capability::distance_factor, 0);
  parameter.origin = source + ", " + short_point(record.group);
  return parameter;
}

// What is measured apart of the setting's own point: vehicle, placement, or both.
bool agrees(const Point& parameter, const Point& setting, Shares shares) {
  const auto same = [&](const char* factor) {
    const std::string a = level_text(parameter, factor);
    const std::string b = level_text(setting, factor);
    return a.empty() || b.empty() || a == b;
  };
  if (shares == Shares::point) return parameter == setting;
  return same("vehicle") && (shares == Shares::vehicle || same("placement"));
}

const ParameterKind* kind_named(std::string_view symbol) {
  const auto& kinds = parameter_kinds();
  const auto found = std::ranges::find(kinds, symbol, &ParameterKind::symbol);
  return found == kinds.end() ? nullptr : &*found;
}

// By what factor the time was shorter or longer than the quantity; 1 where one of them is not known, or not above 0.
double misfit(const Parameter& parameter, const Lasts& lasts) {
  const auto quantity = parameter.beside.find(lasts.quantity);
  return quantity == parameter.beside.end()
             ? 1
             : factor_between(level_number(parameter.point, lasts.factor, 0), quantity->second);
}

void gather_measured(const SeriesGroup& group, const std::string& campaign, std::vector<Parameter>& parameters) {
  for (const ParameterKind& kind : parameter_kinds()) {
    if (kind.measurement != group.series.measurement) continue;
    for (const PointRecord& point : group.points) {
      if (!is_at(point.point, kind.levels)) continue;
      for (const Result* result : results_by_distance(point, kind.quantity, kind.regime))
        parameters.push_back(parameter_of(kind.symbol, point, *result, campaign));
    }
  }
}

}  // namespace

bool is_at(const Point& point, const NamedLevels& levels) {
  return std::ranges::all_of(levels, [&](const auto& level) {
    const std::string text = level_text(point, level.first);
    return text.empty() || text == level.second;
  });
}

std::string level_text(const Point& point, const std::string& factor) {
  return point.find(factor) == nullptr ? std::string() : point.text(factor);
}

double level_number(const Point& point, const std::string& factor, double otherwise) {
  const Value* level = point.find(factor);
  return level == nullptr ? otherwise : number_of(*level).value_or(otherwise);
}

const std::vector<ParameterKind>& parameter_kinds() {
  static const std::vector<ParameterKind> kinds = make_kinds();
  return kinds;
}

std::string short_point(const Point& point) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 18> usual{{{"bytes", "1"},
                                                                                 {"heartbeat", "off"},
                                                                                 {"pair", "separate"},
                                                                                 {"nodelay", "on"},
                                                                                 {"stop", "lease"},
                                                                                 {"work", "none"},
                                                                                 {"work-size", "4096"},
                                                                                 {"bystander", "none"},
                                                                                 {"checked", "no"},
                                                                                 {"settle", "30000"},
                                                                                 {"proof", "syscall"},
                                                                                 {"access", "dependent"},
                                                                                 {"hold", "none"},
                                                                                 {"think", "none"},
                                                                                 {"hold-size", "4096"},
                                                                                 {"think-size", "4096"},
                                                                                 {"vehicle", "thread"},
                                                                                 {"window", "2000000"}}};
  std::string text;
  for (const auto& [factor, level] : point.levels()) {
    const std::string word = level_text(point, factor);
    const bool is_usual =
        std::ranges::any_of(usual, [&](const auto& one) { return one.first == factor && one.second == word; });
    if (!is_usual) text += (text.empty() ? "" : " ") + factor + "=" + word;
  }
  return text;
}

Parameter parameter_of(std::string symbol, const PointRecord& point, const Result& result,
                       const std::string& campaign) {
  Parameter parameter;
  parameter.symbol = std::move(symbol);
  parameter.point = point.point;
  parameter.quantity = result.quantity;
  parameter.unit = result.unit;
  parameter.estimate = result.headline;
  parameter.marks = marks_of(point, result);
  parameter.is_unsteady = is_unsteady_result(result);
  parameter.origin = "series " + point.series + ", " + short_point(point.point);
  for (const Result& one : point.results) parameter.beside.try_emplace(one.quantity, one.headline.value);
  const double one_distance = result.state.distance_ns;
  parameter.distance = distance_of(point, result);
  if (one_distance > 0)
    std::erase(parameter.marks, '^');  // CPUs moved, but not while this was measured
  else if (point.reference.moved)
    parameter.moved_by = point.reference.high - point.reference.low;
  if (result.sessions.size() >= fewest_replicates) {
    parameter.varies_with = campaign + " sessions";
    for (const SessionEstimate& one : result.sessions) parameter.replicates.push_back({one.session, 0, one.value});
  } else if (result.processes.size() >= fewest_replicates) {
    parameter.varies_with = campaign + ' ' + point.series + ' ' + to_text(point.point);
    for (const IncarnationMedian& one : result.processes)
      parameter.replicates.push_back({one.session, one.incarnation, one.value});
  }
  return parameter;
}

std::vector<Parameter> gather(const std::vector<SeriesGroup>& groups, const std::string& campaign) {
  std::vector<Parameter> parameters;
  for (const SeriesGroup& group : groups) gather_measured(group, campaign, parameters);
  for (const DerivedRecord& record : capability::derive(groups))
    if (record.derived.valid && record.name != capability::fit_name && record.name != capability::misfit_name)
      parameters.push_back(derived_parameter(record, "model of cache lines"));
  return parameters;
}

const Parameter* find(std::span<const Parameter> parameters, std::string_view symbol, const NamedLevels& levels,
                      const Point& setting, double distance, const Lasts& lasts) {
  const ParameterKind* kind = kind_named(symbol);
  if (kind == nullptr) return nullptr;
  // What is one distance is no reason to choose.
  const auto rank = [&](const Parameter& parameter) {
    const double apart = factor_between(distance, parameter.distance);
    const bool chooses = !lasts.factor.empty();
    return std::array{chooses && apart <= same_distance ? 1 : apart, chooses ? misfit(parameter, lasts) : 1};
  };
  const Parameter* nearest = nullptr;
  for (const Parameter& parameter : parameters) {
    if (parameter.symbol != symbol || !is_at(parameter.point, levels) ||
        !agrees(parameter.point, setting, kind->shares))
      continue;
    if (nearest == nullptr || rank(parameter) < rank(*nearest)) nearest = &parameter;
  }
  return nearest;
}

}  // namespace assay::predict
