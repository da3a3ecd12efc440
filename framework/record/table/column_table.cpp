// SPDX-License-Identifier: Apache-2.0
// What each column says of a result.
#include "record/table/column_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "record/core_cycles.hpp"
#include "record/shown_value.hpp"
#include "record/table/trust.hpp"
#include "text/number_format.hpp"
#include "text/printable.hpp"

namespace assay {

namespace {

double headline_accuracy(const Result& r) { return half_width(r.headline.value, r.headline.interval); }

// As wide as its own error makes it, and no finer than the headline.
double mean_accuracy(const Result& r) { return std::max(headline_accuracy(r), 2 * r.summary.standard_error); }

// The relative error of a standard deviation of normal observations, twice.
double stddev_accuracy(const Result& r) {
  const auto n = static_cast<double>(std::max<std::size_t>(r.summary.n, 2));
  return 2 * r.summary.stddev / std::sqrt(2 * (n - 1));
}

double cycles_number(const Result& r) {
  const auto cycles = cycles_of(r);
  return cycles ? cycles->value : std::numeric_limits<double>::quiet_NaN();
}

// NaN where there is none, so that it comes last.
double another_day_low(const Result& r) {
  return r.another_day.from > 0 ? r.another_day.interval.low : std::numeric_limits<double>::quiet_NaN();
}

template <double Summary::*field>
double described(const Result& r) {
  return r.summary.*field;
}

template <double Result::*field>
double share(const Result& r) {
  return r.*field;
}

template <double Result::*field>
std::string share_text(const ResultRow& row) {
  return percent_text(row.result->*field);
}

const ColumnInfo columns[] = {
    {"quantity", "quantity", ColumnKind::word, nullptr, nullptr,
     [](const ResultRow& row) { return printable(row.result->quantity); }},
    {"median", "median", ColumnKind::value, [](const Result& r) { return r.headline.value; }, headline_accuracy},
    {"interval", "low .. high", ColumnKind::interval, [](const Result& r) { return r.headline.interval.low; }, nullptr,
     nullptr, [](const Result& r) -> const Interval& { return r.headline.interval; }},
    {"low", "low", ColumnKind::value, [](const Result& r) { return r.headline.interval.low; }, headline_accuracy},
    {"high", "high", ColumnKind::value, [](const Result& r) { return r.headline.interval.high; }, headline_accuracy},
    {"unit", "unit", ColumnKind::word, nullptr, nullptr, [](const ResultRow& row) { return row.scale.name; }},
    {"half-width", "+-%", ColumnKind::share, [](const Result& r) { return r.headline.relative_half_width(); }, nullptr,
     [](const ResultRow& row) { return percent_text(row.result->headline.relative_half_width()); }},
    {"cycles", "cycles", ColumnKind::cycles, cycles_number},
    {"cycles-interval", "cycles low .. high", ColumnKind::cycles_interval, cycles_number},
    {"another-day", "another day", ColumnKind::interval, another_day_low, nullptr, nullptr,
     [](const Result& r) -> const Interval& { return r.another_day.interval; }},
    {"mean", "mean", ColumnKind::value, described<&Summary::mean>, mean_accuracy},
    {"stddev", "stddev", ColumnKind::value, described<&Summary::stddev>, stddev_accuracy},
    {"min", "min", ColumnKind::value, described<&Summary::min>, headline_accuracy},
    {"q10", "q10", ColumnKind::value, described<&Summary::q10>, headline_accuracy},
    {"q25", "q25", ColumnKind::value, described<&Summary::q25>, headline_accuracy},
    {"q75", "q75", ColumnKind::value, described<&Summary::q75>, headline_accuracy},
    {"q90", "q90", ColumnKind::value, described<&Summary::q90>, headline_accuracy},
    {"max", "max", ColumnKind::value, described<&Summary::max>, headline_accuracy},
    {"regime", "regime", ColumnKind::word, nullptr, nullptr,
     [](const ResultRow& row) { return regime_text(*row.result); }},
    {"state", "state", ColumnKind::word, nullptr, nullptr,
     [](const ResultRow& row) { return to_text(row.result->state); }},
    {"state-share", "of batches %", ColumnKind::share, share<&Result::state_share>, nullptr,
     [](const ResultRow& row) { return fixed_text(row.result->state_share * 100, 0); }},
    {"converted", "converted %", ColumnKind::share, share<&Result::converted>, nullptr,
     [](const ResultRow& row) { return fixed_text(row.result->converted * 100, 0); }},
    {"n", "n", ColumnKind::count, [](const Result& r) { return static_cast<double>(r.summary.n); }, nullptr,
     [](const ResultRow& row) { return std::to_string(row.result->summary.n); }},
    {"effective", "effective", ColumnKind::count, [](const Result& r) { return r.steadiness.effective; }, nullptr,
     [](const ResultRow& row) { return fixed_text(row.result->steadiness.effective, 0); }},
    {"visits", "visits", ColumnKind::count, [](const Result& r) { return static_cast<double>(r.visits); }, nullptr,
     [](const ResultRow& row) { return std::to_string(row.result->visits); }},
    {"incarnations", "inc", ColumnKind::count, [](const Result& r) { return static_cast<double>(r.incarnations); },
     nullptr, [](const ResultRow& row) { return std::to_string(row.result->incarnations); }},
    {"within", "within %", ColumnKind::share, share<&Result::within_spread>, nullptr,
     share_text<&Result::within_spread>},
    {"between", "between %", ColumnKind::share, share<&Result::between_spread>, nullptr,
     share_text<&Result::between_spread>},
    {"disturbed", "disturbed %", ColumnKind::share, share<&Result::disturbed_share>, nullptr,
     [](const ResultRow& row) { return fixed_text(row.result->disturbed_share * 100, 1); }},
    {"basis", "basis", ColumnKind::word, nullptr, nullptr,
     [](const ResultRow& row) { return printable(row.result->headline.basis); }},
    {"term", "term", ColumnKind::word, nullptr, nullptr,
     [](const ResultRow& row) { return to_text(row.result->term); }},
    {"span", "span", ColumnKind::count, [](const Result& r) { return r.span.count; }, nullptr,
     [](const ResultRow& row) { return rounded(row.result->span); }},
    {"reps", "reps", ColumnKind::count, nullptr, nullptr,
     [](const ResultRow& row) { return std::to_string(row.point->reps.count); }},
    {"verdict", "verdict", ColumnKind::word, nullptr, nullptr,
     [](const ResultRow& row) { return verdict_text(*row.result); }},
    {"trust", "trust", ColumnKind::word, nullptr, nullptr,
     [](const ResultRow& row) { return trust_text(*row.point, *row.result, row.scale, row.says_term); }},
    {"marks", "marks", ColumnKind::word, nullptr, nullptr,
     [](const ResultRow& row) { return marks_of(*row.point, *row.result); }}};

}  // namespace

std::span<const ColumnInfo> all_columns() { return columns; }

const ColumnInfo* find_column(std::string_view name) {
  const auto* found = std::ranges::find_if(
      columns, [&](const ColumnInfo& column) { return column.name == name || column.title == name; });
  return found == std::end(columns) ? nullptr : found;
}

}  // namespace assay
