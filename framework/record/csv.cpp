// SPDX-License-Identifier: Apache-2.0
// Rows and columns of the comma-separated form.
#include "record/csv.hpp"

#include <algorithm>
#include <map>
#include <ostream>
#include <set>
#include <string>

#include "record/csv_text.hpp"
#include "record/grouping.hpp"

namespace assay {

namespace {

// What visits and incarnations tell about a point.
struct Taken {
  std::set<int> sessions;
  std::vector<std::string> cpus;  // distinct, in order of appearance
};
using TakenByPoint = std::map<std::string, Taken>;

// One row to be: a point, one of its results or none, and where they come from.
struct Row {
  const SeriesGroup* group;
  const PointRecord* point;
  const Result* result;
  const Taken* taken;
};

std::string key_of(const std::string& series, const Point& point) {
  return std::to_string(series.size()) + ':' + series + to_text(point);
}

std::string cpus_text(const std::vector<int>& cpus) {
  if (cpus.empty()) return "unbound";
  std::string text;
  for (const int cpu : cpus) text += (text.empty() ? "" : " ") + std::to_string(cpu);
  return text;
}

TakenByPoint taken_by_point(const std::vector<Record>& records) {
  TakenByPoint taken;
  for (const Record& record : records) {
    if (const auto* visit = std::get_if<VisitRecord>(&record))
      taken[key_of(visit->series, visit->point)].sessions.insert(visit->session);
    if (const auto* incarnation = std::get_if<IncarnationRecord>(&record)) {
      auto& cpus = taken[key_of(incarnation->series, incarnation->point)].cpus;
      const std::string text = cpus_text(incarnation->cpus);
      if (std::ranges::find(cpus, text) == cpus.end()) cpus.push_back(text);
    }
  }
  return taken;
}

std::string level_cell(const Point& point, const std::string& factor) {
  const Value* level = point.find(factor);
  if (level == nullptr) return {};
  const auto* word = std::get_if<std::string>(level);
  return word != nullptr ? csv_text(*word) : to_text(*level);
}

std::string joined(const std::vector<std::string>& parts, char separator) {
  std::string text;
  for (const std::string& part : parts) text += text.empty() ? part : separator + part;
  return text;
}

// Medians with their shares, by value: "112:0.6;141:0.4".
std::string modes_cell(const std::vector<Mode>& modes) {
  std::vector<std::string> texts;
  for (const Mode& mode : modes) texts.push_back(to_text(mode.median) + ':' + to_text(mode.weight));
  return joined(texts, ';');
}

// A number only where the interval it belongs to could be formed.
std::string when(const Interval& interval, double number) { return interval.available() ? to_text(number) : ""; }

struct ResultColumn {
  const char* name;
  std::string (*cell)(const Result&);
};
constexpr ResultColumn result_columns[] = {
    {"quantity", [](const Result& r) { return csv_text(r.quantity); }},
    {"unit", [](const Result& r) { return std::string(symbol(r.unit)); }},
    {"regime", [](const Result& r) { return to_text(r.regime); }},
    {"regime_share", [](const Result& r) { return to_text(r.regime_share); }},
    {"median", [](const Result& r) { return to_text(r.headline.value); }},
    {"low", [](const Result& r) { return when(r.headline.interval, r.headline.interval.low); }},
    {"high", [](const Result& r) { return when(r.headline.interval, r.headline.interval.high); }},
    {"level", [](const Result& r) { return when(r.headline.interval, r.headline.interval.level); }},
    {"basis", [](const Result& r) { return csv_text(r.headline.basis); }},
    {"statistic", [](const Result& r) { return csv_text(r.verdict.estimate.statistic); }},
    {"estimate", [](const Result& r) { return to_text(r.verdict.estimate.value); }},
    {"estimate_low",
     [](const Result& r) { return when(r.verdict.estimate.interval, r.verdict.estimate.interval.low); }},
    {"estimate_high",
     [](const Result& r) { return when(r.verdict.estimate.interval, r.verdict.estimate.interval.high); }},
    {"mean", [](const Result& r) { return to_text(r.summary.mean); }},
    {"stddev", [](const Result& r) { return to_text(r.summary.stddev); }},
    {"standard_error", [](const Result& r) { return to_text(r.summary.standard_error); }},
    {"min", [](const Result& r) { return to_text(r.summary.min); }},
    {"q10", [](const Result& r) { return to_text(r.summary.q10); }},
    {"q25", [](const Result& r) { return to_text(r.summary.q25); }},
    {"q75", [](const Result& r) { return to_text(r.summary.q75); }},
    {"q90", [](const Result& r) { return to_text(r.summary.q90); }},
    {"max", [](const Result& r) { return to_text(r.summary.max); }},
    {"contamination", [](const Result& r) { return to_text(r.summary.contamination); }},
    {"n", [](const Result& r) { return std::to_string(r.summary.n); }},
    {"visits", [](const Result& r) { return std::to_string(r.visits); }},
    {"dropped", [](const Result& r) { return std::to_string(r.steadiness.dropped); }},
    {"effective", [](const Result& r) { return to_text(r.steadiness.effective); }},
    {"autocorrelation", [](const Result& r) { return to_text(r.steadiness.autocorrelation); }},
    {"drift", [](const Result& r) { return csv_text(r.steadiness.drift); }},
    {"modes", [](const Result& r) { return csv_text(modes_cell(r.steadiness.modes)); }},
    {"incarnations", [](const Result& r) { return std::to_string(r.incarnations); }},
    {"disturbed_share", [](const Result& r) { return to_text(r.disturbed_share); }},
    {"within_spread", [](const Result& r) { return to_text(r.within_spread); }},
    {"between_spread", [](const Result& r) { return to_text(r.between_spread); }},
    {"term", [](const Result& r) { return to_text(r.term); }},
    {"span_ns", [](const Result& r) { return to_text(r.span.count); }}};

struct PointColumn {
  const char* name;
  std::string (*cell)(const Row&);
};
constexpr PointColumn point_columns[] = {
    {"sessions", [](const Row& row) { return std::to_string(row.taken->sessions.size()); }},
    {"reps", [](const Row& row) { return std::to_string(row.point->reps.count); }},
    {"cpus", [](const Row& row) { return csv_text(joined(row.taken->cpus, ';')); }},
    {"rule", [](const Row& row) { return csv_text(row.group->series.rule); }},
    {"verdict", [](const Row& row) { return to_text(row.result ? row.result->verdict.outcome : row.point->outcome); }},
    {"code", [](const Row& row) { return csv_text(row.point->code); }},
    {"reason", [](const Row& row) { return csv_text(row.result ? row.result->verdict.reason : row.point->reason); }}};

bool is_taken(const std::string& name) {
  const auto named = [&](const auto& column) { return name == column.name; };
  return name == "series" || name == "measurement" || std::ranges::any_of(result_columns, named) ||
         std::ranges::any_of(point_columns, named);
}

std::vector<std::string> factors_of(const std::vector<SeriesGroup>& groups) {
  std::vector<std::string> names;
  for (const SeriesGroup& group : groups)
    for (const std::string& name : factors_of(group.points))
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}

void write_header(std::ostream& out, const std::vector<std::string>& factors) {
  std::vector<std::string> cells{"series", "measurement"};
  for (const std::string& factor : factors) cells.push_back(csv_text(is_taken(factor) ? "factor." + factor : factor));
  for (const ResultColumn& column : result_columns) cells.emplace_back(column.name);
  for (const PointColumn& column : point_columns) cells.emplace_back(column.name);
  out << joined(cells, ',') << '\n';
}

void write_row(std::ostream& out, const Row& row, const std::vector<std::string>& factors) {
  out << csv_text(row.group->series.series) << ',' << csv_text(row.point->measurement);
  for (const std::string& factor : factors) out << ',' << level_cell(row.point->point, factor);
  for (const ResultColumn& column : result_columns) out << ',' << (row.result ? column.cell(*row.result) : "");
  for (const PointColumn& column : point_columns) out << ',' << column.cell(row);
  out << '\n';
}

}  // namespace

void write_csv(std::ostream& out, const std::vector<Record>& records) {
  const auto groups = group_by_series(records);
  const auto factors = factors_of(groups);
  TakenByPoint taken = taken_by_point(records);
  write_header(out, factors);
  for (const SeriesGroup& group : groups)
    for (const PointRecord& point : group.points) {
      const Taken& known = taken[key_of(point.series, point.point)];
      if (point.results.empty()) write_row(out, {&group, &point, nullptr, &known}, factors);
      for (const Result& result : point.results) write_row(out, {&group, &point, &result, &known}, factors);
    }
}

}  // namespace assay
