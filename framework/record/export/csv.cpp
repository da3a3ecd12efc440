// SPDX-License-Identifier: Apache-2.0
// Rows and columns of the comma-separated form.
#include "record/export/exports.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <ostream>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "record/export/export_parts.hpp"
#include "record/grouping.hpp"
#include "record/journal/journal.hpp"
#include "record/na_code.hpp"
#include "record/state_choice.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

// What visits and incarnations contribute to a point.
struct Taken {
  std::set<int> sessions;
  std::vector<std::string> cpus;  // distinct, in order of appearance
};
using TakenByPoint = std::map<TextKey, Taken>;

// One row to be: a point, one of its results or none, and where they come from.
struct CsvRow {
  const SeriesGroup* group;
  const PointRecord* point;
  const Result* result;
  const Taken* taken;
};

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

// Medians with their shares, by value: "112:0.6;141:0.4".
std::string modes_cell(const std::vector<Mode>& modes) {
  std::vector<std::string> texts;
  for (const Mode& mode : modes) texts.push_back(to_text(mode.median) + ':' + to_text(mode.weight));
  return joined(texts, ";");
}

// A number only where the interval it belongs to could be formed.
std::string cell_when(const Interval& interval, double number) { return interval.available() ? to_text(number) : ""; }

struct ResultColumn {
  const char* name;
  std::function<CsvCell(const Result&)> cell;
};
const ResultColumn result_columns[] = {
    {"quantity", [](const Result& r) { return CsvCell::foreign(r.quantity); }},
    {"unit", [](const Result& r) { return std::string(symbol(r.unit)); }},
    {"regime", [](const Result& r) { return to_text(r.regime); }},
    {"regime_share", [](const Result& r) { return to_text(r.regime_share); }},
    {"state", [](const Result& r) { return to_text(r.state); }},
    {"state_share", [](const Result& r) { return to_text(r.state_share); }},
    {"converted", [](const Result& r) { return to_text(r.converted); }},
    {"median", [](const Result& r) { return to_text(r.headline.value); }},
    {"low", [](const Result& r) { return cell_when(r.headline.interval, r.headline.interval.low); }},
    {"high", [](const Result& r) { return cell_when(r.headline.interval, r.headline.interval.high); }},
    {"level", [](const Result& r) { return cell_when(r.headline.interval, r.headline.interval.level); }},
    {"basis", [](const Result& r) { return CsvCell::foreign(r.headline.basis); }},
    {"statistic", [](const Result& r) { return CsvCell::foreign(r.verdict.estimate.statistic); }},
    {"estimate", [](const Result& r) { return to_text(r.verdict.estimate.value); }},
    {"estimate_low",
     [](const Result& r) { return cell_when(r.verdict.estimate.interval, r.verdict.estimate.interval.low); }},
    {"estimate_high",
     [](const Result& r) { return cell_when(r.verdict.estimate.interval, r.verdict.estimate.interval.high); }},
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
    {"drift", [](const Result& r) { return CsvCell::foreign(r.steadiness.drift); }},
    {"modes", [](const Result& r) { return CsvCell::foreign(modes_cell(r.steadiness.modes)); }},
    {"incarnations", [](const Result& r) { return std::to_string(r.incarnations); }},
    {"disturbed_share", [](const Result& r) { return to_text(r.disturbed_share); }},
    {"within_spread", [](const Result& r) { return to_text(r.within_spread); }},
    {"between_spread", [](const Result& r) { return to_text(r.between_spread); }},
    {"term", [](const Result& r) { return to_text(r.term); }},
    {"span_ns", [](const Result& r) { return to_text(r.span.count); }},
    {"another_day_low", [](const Result& r) { return cell_when(r.another_day.interval, r.another_day.interval.low); }},
    {"another_day_high",
     [](const Result& r) { return cell_when(r.another_day.interval, r.another_day.interval.high); }},
    {"another_day_from",
     [](const Result& r) { return r.another_day.from > 0 ? std::to_string(r.another_day.from) : std::string(); }}};

struct PointColumn {
  const char* name;
  std::function<CsvCell(const CsvRow&)> cell;
};
// Only where binding to CPUs, which were read back, was binding to cores.
std::string bound_cell(const CsvRow& row) {
  if (row.taken->cpus.empty()) return {};
  if (row.point->reference.moved) return "moved";
  return row.taken->cpus.front() == "unbound" ? "no" : "yes";
}

std::string reference_cell(const CsvRow& row, double ReferenceTrips::*field) {
  return row.point->reference.visits > 0 ? to_text(row.point->reference.*field) : "";
}

const PointColumn point_columns[] = {
    {"sessions", [](const CsvRow& row) { return std::to_string(row.taken->sessions.size()); }},
    {"reps", [](const CsvRow& row) { return std::to_string(row.point->reps.count); }},
    {"cpus", [](const CsvRow& row) { return CsvCell::foreign(joined(row.taken->cpus, ";")); }},
    {"bound", bound_cell},
    {"reference_ns", [](const CsvRow& row) { return reference_cell(row, &ReferenceTrips::median); }},
    {"reference_low_ns", [](const CsvRow& row) { return reference_cell(row, &ReferenceTrips::low); }},
    {"reference_high_ns", [](const CsvRow& row) { return reference_cell(row, &ReferenceTrips::high); }},
    {"clock_bound_ns",
     [](const CsvRow& row) { return row.point->clock_bound ? to_text(row.point->clock_bound->count) : ""; }},
    {"rule", [](const CsvRow& row) { return CsvCell::foreign(row.group->series.rule); }},
    {"verdict",
     [](const CsvRow& row) { return to_text(row.result ? row.result->verdict.outcome : row.point->outcome); }},
    {"code", [](const CsvRow& row) { return CsvCell::foreign(row.point->code); }},
    {"reason",
     [](const CsvRow& row) { return CsvCell::foreign(row.result ? row.result->verdict.reason : row.point->reason); }}};

struct CycleColumn {
  const char* name;
  std::string CycleTexts::*cell;
};
const CycleColumn all_cycle_columns[] = {{"cycles", &CycleTexts::cycles},
                                         {"cycles_low", &CycleTexts::low},
                                         {"cycles_high", &CycleTexts::high},
                                         {"clock_ghz", &CycleTexts::clock},
                                         {"no_cycles", &CycleTexts::why_not}};

/// What a file has beside the columns of all files.
struct LongForm {
  CsvStyle style = CsvStyle::guarded;
  std::vector<std::string> factors = {};
  std::span<const CycleColumn> cycle_columns = {};
};

bool is_taken(const std::string& name, const LongForm& form) {
  const auto named = [&](const auto& column) { return name == column.name; };
  return name == "series" || name == "measurement" || std::ranges::any_of(result_columns, named) ||
         std::ranges::any_of(point_columns, named) || std::ranges::any_of(form.cycle_columns, named);
}

std::vector<std::string> factors_of(const std::vector<SeriesGroup>& groups) {
  std::vector<std::string> names;
  for (const SeriesGroup& group : groups)
    for (const std::string& name : factors_of(group.points))
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}

void write_header(std::ostream& out, const LongForm& form) {
  std::vector<std::string> cells{"series", "measurement"};
  for (const std::string& factor : form.factors)
    cells.push_back(csv_text(is_taken(factor, form) ? "factor." + factor : factor, form.style));
  for (const ResultColumn& column : result_columns) cells.emplace_back(column.name);
  for (const PointColumn& column : point_columns) cells.emplace_back(column.name);
  for (const CycleColumn& column : form.cycle_columns) cells.emplace_back(column.name);
  out << joined(cells, ",") << '\n';
}

void write_row(std::ostream& out, const CsvRow& row, const LongForm& form) {
  out << csv_text(row.group->series.series, form.style) << ',' << csv_text(row.point->measurement, form.style);
  for (const std::string& factor : form.factors) out << ',' << level_cell(row.point->point, factor).in(form.style);
  for (const ResultColumn& column : result_columns)
    out << ',' << (row.result ? column.cell(*row.result).in(form.style) : std::string());
  for (const PointColumn& column : point_columns) out << ',' << column.cell(row).in(form.style);
  const CycleTexts cycles = row.result ? cycle_texts(*row.result) : CycleTexts{};
  for (const CycleColumn& column : form.cycle_columns) out << ',' << cycles.*column.cell;
  out << '\n';
}

struct DerivedColumn {
  const char* name;
  std::function<CsvCell(const DerivedRecord&)> cell;
};
const DerivedColumn derived_columns[] = {
    {"quantity", [](const DerivedRecord& r) { return CsvCell::foreign(r.name); }},
    {"unit", [](const DerivedRecord& r) { return CsvCell::foreign(r.unit); }},
    {"regime", [](const DerivedRecord& r) { return to_text(r.regime); }},
    {"median",
     [](const DerivedRecord& r) { return std::isfinite(r.derived.value) ? to_text(r.derived.value) : std::string(); }},
    {"low", [](const DerivedRecord& r) { return cell_when(r.derived.interval, r.derived.interval.low); }},
    {"high", [](const DerivedRecord& r) { return cell_when(r.derived.interval, r.derived.interval.high); }},
    {"level", [](const DerivedRecord& r) { return cell_when(r.derived.interval, r.derived.interval.level); }},
    {"basis", [](const DerivedRecord&) { return std::string("derived"); }},
    {"statistic", [](const DerivedRecord& r) { return CsvCell::foreign(r.formula); }},
    {"verdict", [](const DerivedRecord& r) { return std::string(r.derived.valid ? "valid" : "not-valid"); }},
    {"code", [](const DerivedRecord& r) { return code_in(r.derived.reason); }},
    {"reason", [](const DerivedRecord& r) { return CsvCell::foreign(r.derived.reason); }}};

CsvCell derived_cell(std::string_view column, const DerivedRecord& record) {
  const auto found = std::ranges::find(derived_columns, column, &DerivedColumn::name);
  return found == std::end(derived_columns) ? CsvCell(std::string()) : found->cell(record);
}

void write_derived(std::ostream& out, const SeriesGroup& group, const LongForm& form) {
  for (const DerivedRecord& record : group.derived) {
    out << csv_text(record.series, form.style) << ',' << csv_text(group.series.measurement, form.style);
    for (const std::string& factor : form.factors) out << ',' << level_cell(record.group, factor).in(form.style);
    for (const ResultColumn& column : result_columns) out << ',' << derived_cell(column.name, record).in(form.style);
    for (const PointColumn& column : point_columns) out << ',' << derived_cell(column.name, record).in(form.style);
    out << std::string(form.cycle_columns.size(), ',') << '\n';
  }
}

// A factor may be known to derived values only: a layout names policy and variant where no series did.
void add_factors(std::vector<std::string>& names, const SeriesGroup& group) {
  for (const DerivedRecord& record : group.derived)
    for (const auto& level : record.group.levels())
      if (std::ranges::find(names, level.first) == names.end()) names.push_back(level.first);
}

}  // namespace

void write_csv(std::ostream& out, const std::vector<Record>& records, CsvStyle style, bool cycles) {
  const auto groups = group_by_series(records);
  LongForm form{style, factors_of(groups)};
  if (cycles) form.cycle_columns = all_cycle_columns;
  for (const SeriesGroup& group : groups) add_factors(form.factors, group);
  TakenByPoint taken = taken_by_point(records);
  write_header(out, form);
  for (const SeriesGroup& group : groups) {
    for (const PointRecord& point : group.points) {
      const Taken& known = taken[key_of(point.series, point.point)];
      if (point.results.empty()) write_row(out, {&group, &point, nullptr, &known}, form);
      for (const Result* result : rows_by_state(point)) write_row(out, {&group, &point, result, &known}, form);
    }
    write_derived(out, group, form);
  }
}

}  // namespace assay
