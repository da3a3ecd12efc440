// SPDX-License-Identifier: Apache-2.0
// Two campaigns compared result by result, and what is said of each.
#include "app/reproduce/reproduction.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

#include "app/results/comparability.hpp"
#include "app/results/comparing.hpp"
#include "record/grouping.hpp"
#include "record/shown_value.hpp"
#include "record/table/table.hpp"
#include "text/number_format.hpp"
#include "text/printable.hpp"
#include "text/scale.hpp"
#include "text/words.hpp"

namespace assay {
namespace {

constexpr Sameness all_samenesses[] = {Sameness::same, Sameness::different, Sameness::unclear};

Facts last_facts(const std::vector<Record>& records) {
  const auto* session = last_of<SessionRecord>(records);
  return session == nullptr ? Facts() : session->facts;
}

// Facts that make another machine, and those that do not.
std::vector<std::string> machine_differences(const std::vector<Record>& then, const std::vector<Record>& here) {
  const Facts a = last_facts(then);
  const Facts b = last_facts(here);
  std::vector<std::string> all = hard_differences(a, b);
  for (std::string& soft : soft_differences(a, b)) all.push_back(std::move(soft));
  // Of two boots of one machine nothing else need differ.
  std::erase_if(all, [](const std::string& one) { return one.starts_with("kernel.boot_id"); });
  return all;
}

// Why a result is what it is said to be, and what is to be known about it.
std::string reason_of(const ComparedResult& row, double margin) {
  std::vector<std::string> reasons;
  if (!row.finding.reason.empty()) reasons.push_back(row.finding.reason);
  for (const Side* side : {&row.pair.a, &row.pair.b})
    if (side->outcome != Outcome::converged)
      reasons.push_back(to_text(side->outcome) + (side == &row.pair.a ? " then" : " here"));
  if (!row.pair.is_of_headlines) reasons.push_back(to_text(row.pair.state) + ", the state of both");
  if (row.pair.is_converted()) reasons.push_back("this one's clock converted to that of then");
  if (row.margin > margin) reasons.push_back("margin " + percent(row.margin) + ", by which sessions differ");
  return joined(reasons, "; ");
}

// A ratio or difference with as many digits as its interval supports; "-" where it has none.
std::string range_text(const Shift& shift) {
  const int decimals = decimals_for(shift.value, half_width(shift.value, shift.interval));
  return shift.interval.available()
             ? fixed_text(shift.interval.low, decimals) + " .. " + fixed_text(shift.interval.high, decimals)
             : "-";
}

std::string shift_text(const Shift& shift) {
  const int decimals = decimals_for(shift.value, half_width(shift.value, shift.interval));
  return (shift.is_ratio || shift.value < 0 ? "" : "+") + fixed_text(shift.value, decimals);
}

std::string value_text(double value, const Scale& scale) {
  return fixed_text(value / scale.size, decimals_for(value / scale.size, std::abs(value / scale.size) / 1000));
}

// The factors that vary among the rows of a series.
std::vector<std::string> varying(const std::vector<const ComparedResult*>& rows) {
  std::vector<PointRecord> points;
  for (const ComparedResult* row : rows) points.emplace_back().point = row->pair.point;
  std::vector<std::string> factors;
  for (const std::string& factor : factors_of(points))
    if (varies(factor, points)) factors.push_back(factor);
  return factors;
}

void print_series(std::ostream& out, const std::vector<const ComparedResult*>& rows, double margin) {
  const auto factors = varying(rows);
  std::vector<std::string> header = factors;
  for (const char* title : {"quantity", "then", "here", "unit", "here/then", "low .. high", "adj. p", "verdict"})
    header.emplace_back(title);
  TextTable table(header);
  for (const ComparedResult* row : rows) {
    const PairedResult& pair = row->pair;
    std::vector<std::string> cells;
    for (const std::string& factor : factors) cells.push_back(shown_level(pair.point, factor));
    const Scale scale = scale_of(std::min(std::abs(pair.a.median), std::abs(pair.b.median)), pair.unit);
    const std::string reason = reason_of(*row, margin);
    cells.insert(cells.end(),
                 {pair.quantity + (pair.regime == Regime::solo ? "" : ", " + to_text(pair.regime)),
                  value_text(pair.a.median, scale), value_text(pair.b.median, scale), scale.name,
                  shift_text(row->finding.shift), range_text(row->finding.shift), rounded(row->finding.adjusted_p),
                  std::string(to_text(sameness_of(row->finding.change))) + (reason.empty() ? "" : ": " + reason)});
    table.add(std::move(cells));
  }
  out << printable(rows.front()->pair.series) << ": " << printable(rows.front()->pair.measurement) << "\n\n";
  table.print(out, std::max<std::size_t>(1, factors.size()));
  out << '\n';
}

void print_list(std::ostream& out, const std::string& title, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  out << title << '\n';
  for (const std::string& line : lines) out << "  " << printable(line) << '\n';
  out << '\n';
}

std::vector<std::string> not_run_lines(const Reproduction& reproduction) {
  std::vector<std::string> lines;
  for (const NotRun& one : reproduction.not_run) lines.push_back(one.series + ": " + one.why);
  return lines;
}

std::vector<std::string> unpaired_lines(const Reproduction& reproduction) {
  std::vector<std::string> lines;
  for (const Unpaired& one : reproduction.comparison.unpaired)
    lines.push_back(one.series + ' ' + to_text(one.point) + ": " + one.reason);
  return lines;
}

void print_reproduction(std::ostream& out, const Reproduction& reproduction) {
  const ComparisonReport& report = reproduction.comparison;
  out << "then: " << printable(report.a) << ", " << printable(reproduction.measured)
      << "\nhere: " << printable(report.b) << "\n\n";
  print_list(out, "Machine, system or program differ:", reproduction.machine);
  if (reproduction.machine.empty()) out << "Nothing that is recorded of machine, system and program differs.\n\n";
  print_list(out, "Not run here:", not_run_lines(reproduction));
  std::vector<std::vector<const ComparedResult*>> series;
  for (const ComparedResult& row : report.results) {
    const auto known =
        std::ranges::find_if(series, [&](const auto& rows) { return rows.front()->pair.series == row.pair.series; });
    (known == series.end() ? series.emplace_back() : *known).push_back(&row);
  }
  for (const auto& rows : series) print_series(out, rows, report.margin);
  print_list(out, "Not compared (A is the crate, B is here):", unpaired_lines(reproduction));
  out << counted(report.results.size(), "result") << " compared: " << reproduction.count(Sameness::same) << " same, "
      << reproduction.count(Sameness::different) << " different, " << reproduction.count(Sameness::unclear)
      << " unclear";
  if (!report.unpaired.empty()) out << "; " << report.unpaired.size() << " not compared";
  if (!reproduction.not_run.empty()) out << "; " << reproduction.not_run.size() << " not run here";
  out << "\nfamily of " << report.results.size() << ", q = " << rounded(report.q) << ", margin "
      << percent(report.margin)
      << "; two runs are not interleaved: of 300 unchanged results 7 to 25 differ between days\n";
}

Json number_or_null(double number) { return std::isfinite(number) ? Json(number) : Json(); }

Json::Array texts_json(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

Listing listing_of(const Reproduction& reproduction) {
  const ComparisonReport& report = reproduction.comparison;
  Listing listing{
      "reproduction",
      {"series", "measurement", "point", "quantity", "regime", "unit", "then", "here", "scale", "shift", "low", "high",
       "adjusted_p", "margin", "incarnations_then", "incarnations_here", "verdict", "reason"}};
  for (const ComparedResult& row : report.results) {
    const PairedResult& pair = row.pair;
    const Shift& shift = row.finding.shift;
    const bool has_interval = shift.interval.available();
    listing.add({pair.series, pair.measurement, to_text(pair.point), pair.quantity, to_text(pair.regime),
                 symbol(pair.unit), number_or_null(pair.a.median), number_or_null(pair.b.median),
                 shift.is_ratio ? "ratio" : "difference", number_or_null(shift.value),
                 has_interval ? number_or_null(shift.interval.low) : Json(),
                 has_interval ? number_or_null(shift.interval.high) : Json(), row.finding.adjusted_p, row.margin,
                 static_cast<std::int64_t>(pair.a.processes.size()), static_cast<std::int64_t>(pair.b.processes.size()),
                 to_text(sameness_of(row.finding.change)), reason_of(row, report.margin)});
  }
  listing.facts = {{"then", report.a}, {"measured", reproduction.measured}, {"here", report.b}};
  for (const Sameness one : all_samenesses)
    listing.facts.emplace_back(std::string(to_text(one)), static_cast<std::int64_t>(reproduction.count(one)));
  listing.facts.emplace_back("machine", texts_json(reproduction.machine));
  listing.facts.emplace_back("not_run", texts_json(not_run_lines(reproduction)));
  listing.facts.emplace_back("not_compared", texts_json(unpaired_lines(reproduction)));
  return listing;
}

}  // namespace

std::string_view to_text(Sameness sameness) {
  constexpr std::string_view words[] = {"same", "different", "unclear"};
  return words[static_cast<unsigned>(sameness)];
}

Sameness sameness_of(Change change) {
  switch (change) {
    case Change::same:
      return Sameness::same;
    case Change::unclear:
      return Sameness::unclear;
    default:
      return Sameness::different;
  }
}

std::size_t Reproduction::count(Sameness sameness) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      comparison.results, [&](const ComparedResult& row) { return sameness_of(row.finding.change) == sameness; }));
}

void compare_with_crate(Reproduction& reproduction, const std::vector<Record>& then, const std::vector<Record>& here,
                        const PairingRequest& request) {
  if (const auto* session = last_of<SessionRecord>(then))
    reproduction.measured = "measured " + session->started + " by Assay " + fact_of(session->facts, "assay.version");
  reproduction.machine = machine_differences(then, here);
  compare_campaigns(reproduction.comparison, then, here, request, {"then", "here"}, OtherMachines::compared);
}

void write_reproduction(std::ostream& out, const Reproduction& reproduction, ListingFormat format) {
  if (format == ListingFormat::table) return print_reproduction(out, reproduction);
  write_listing(out, listing_of(reproduction), format);
}

}  // namespace assay
