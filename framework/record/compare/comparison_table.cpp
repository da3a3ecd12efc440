// SPDX-License-Identifier: Apache-2.0
// A comparison as text for people.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <ostream>

#include "record/compare/comparison_report.hpp"
#include "record/grouping.hpp"
#include "record/shown_value.hpp"
#include "record/table/table.hpp"
#include "text/number_format.hpp"
#include "text/printable.hpp"
#include "text/scale.hpp"

namespace assay {

namespace {

using ComparedRows = std::vector<const ComparedResult*>;

// The points of rows, as grouping knows them.
std::vector<PointRecord> compared_points(const ComparedRows& rows) {
  std::vector<PointRecord> points;
  for (const ComparedResult* row : rows) points.emplace_back().point = row->pair.point;
  return points;
}

template <class Property>
bool differs(const ComparedRows& rows, Property property) {
  return std::ranges::any_of(rows,
                             [&](const ComparedResult* row) { return property(*row) != property(*rows.front()); });
}

// What the columns are, for a series.
struct Arrangement {
  std::vector<std::string> factors;
  bool has_quantity = false;
  bool has_regime = false;
  bool has_level = false;
  std::map<std::string, std::optional<Scale>> scales;  ///< by quantity, where its values allow one
};

Arrangement layout_of(const ComparedRows& rows) {
  Arrangement layout;
  const auto points = compared_points(rows);
  for (const std::string& factor : factors_of(points))
    if (varies(factor, points)) layout.factors.push_back(factor);
  layout.has_quantity = differs(rows, [](const ComparedResult& row) { return row.pair.quantity; });
  layout.has_regime = std::ranges::any_of(rows, [](const auto* row) { return row->pair.regime != Regime::solo; });
  layout.has_level = differs(rows, [](const ComparedResult& row) { return row.pair.level; });
  std::map<std::string, std::vector<double>> values;
  for (const ComparedResult* row : rows) {
    auto& seen = values[row->pair.quantity];
    for (const Side* side : {&row->pair.a, &row->pair.b}) seen.push_back(std::abs(side->median));
    if (row->earlier) seen.push_back(std::abs(row->earlier->median));
    layout.scales[row->pair.quantity] = common_scale(seen, row->pair.unit);
  }
  return layout;
}

// Whether there are values of an earlier campaign beside A, which repeats it.
bool has_earlier(const ComparisonReport& report) { return report.earlier && report.earlier->refusal.empty(); }

std::vector<std::string> header_of(const Arrangement& layout, const ComparisonReport& report) {
  std::vector<std::string> header = layout.factors;
  if (layout.has_level) header.push_back(printable(report.factor));
  if (layout.has_quantity) header.emplace_back("quantity");
  if (layout.has_regime) header.emplace_back("regime");
  const bool earlier = has_earlier(report);
  if (earlier) header.emplace_back("then");
  for (const char* title : {earlier ? "again" : "A", earlier ? "now" : "B", "unit"}) header.emplace_back(title);
  if (earlier) header.emplace_back("since then");
  const char* ratio = earlier ? "now/again" : "B/A";
  for (const char* title : {report.in_percent ? "delta" : ratio, "low .. high", "adj. p", "inc", "verdict"})
    header.emplace_back(title);
  return header;
}

// Half the width of the shift's interval in the quantity's unit.
double uncertainty_of(const ComparedResult& row) {
  const Shift& shift = row.finding.shift;
  const double half = half_width(shift.value, shift.interval);
  return shift.is_ratio ? half * std::abs(row.pair.a.median) : half;
}

struct ShiftText {
  std::string value;
  std::string range;
};

// A ratio as it is, or as the change that it is in per cent; a difference with sign and unit.
ShiftText shift_text(const Shift& shift, const Scale& scale, bool in_percent) {
  const bool as_percent = in_percent && shift.is_ratio;
  const double size = as_percent ? 0.01 : shift.is_ratio ? 1 : scale.size;
  const double zero = as_percent ? 1 : 0;
  const int decimals = decimals_for((shift.value - zero) / size, half_width(shift.value, shift.interval) / size);
  const auto text = [&](double number) {
    const double change = (number - zero) / size;
    const std::string digits = fixed_text(change, decimals);
    return ((as_percent || !shift.is_ratio) && change > 0 ? "+" : "") + digits;
  };
  const std::string unit = as_percent ? " %" : shift.is_ratio ? "" : " " + scale.name;
  const Interval& interval = shift.interval;
  return {text(shift.value) + unit,
          interval.available() ? text(interval.low) + " .. " + text(interval.high) + unit : "-"};
}

std::string incarnations_text(const PairedResult& pair) {
  const auto a = std::to_string(pair.a.processes.size());
  const auto b = std::to_string(pair.b.processes.size());
  return a == b ? a : a + "/" + b;
}

// Members that sleep take longer in short batches: 5 % between 5 and 32 repetitions.
std::string batches_text(const PairedResult& pair) {
  constexpr std::int64_t long_batch = 64;
  const auto [fewer, more] = std::minmax(pair.a.reps.count, pair.b.reps.count);
  const bool is_asleep = pair.regime == Regime::blocked || is_between(pair.regime);
  if (!is_asleep || fewer <= 0 || fewer >= long_batch || more < 2 * fewer) return {};
  return "; batches of " + std::to_string(pair.a.reps.count) + " repetitions in A, " +
         std::to_string(pair.b.reps.count) + " in B, and short ones can take some per cent longer";
}

// The verdict, and what is to be known about it.
std::string verdict_text(const ComparedResult& row, double margin) {
  std::string text(to_text(row.finding.change));
  if (!row.finding.reason.empty()) text += ": " + row.finding.reason;
  for (const Side* side : {&row.pair.a, &row.pair.b})
    if (side->outcome != Outcome::converged)
      text += std::string(side == &row.pair.a ? "; A " : "; B ") + to_text(side->outcome);
  if (!row.pair.is_of_headlines) text += "; " + to_text(row.pair.state) + ", the state of both";
  if (row.pair.is_of_headlines && row.pair.headline_a.sharing != row.pair.headline_b.sharing)
    text +=
        "; " + to_text(row.pair.headline_a) + " in A, " + to_text(row.pair.headline_b) + " in B, hardly ever shared";
  if (row.pair.is_converted()) text += "; B converted to the clock of A";
  if (row.pair.distance_scale != 1) text += "; B converted to the distance of A";
  text += batches_text(row.pair);
  if (is_out_of_turn(row)) text += "; " + percent(*row.in_turn) + " of the visits interleaved";
  if (row.margin > margin) text += "; margin " + percent(row.margin) + ", by which sessions differ";
  return text;
}

// From then to A: the change and what can be said of it. Nothing where then has no such value.
std::string since_text(const ComparedResult& row, const Scale& scale, bool in_percent) {
  if (!row.earlier) return "-";
  return shift_text(row.earlier->since.shift, scale, in_percent).value + " " +
         std::string(to_text(row.earlier->since.change));
}

std::vector<std::string> cells_of(const ComparedResult& row, const Arrangement& layout,
                                  const ComparisonReport& report) {
  const PairedResult& pair = row.pair;
  std::vector<std::string> cells;
  for (const std::string& factor : layout.factors) cells.push_back(shown_level(pair.point, factor));
  if (layout.has_level) cells.push_back(printable(pair.level));
  if (layout.has_quantity) cells.push_back(printable(pair.quantity));
  if (layout.has_regime) cells.push_back(to_text(pair.regime));
  const double smaller = std::min(std::abs(pair.a.median), std::abs(pair.b.median));
  const Scale scale = layout.scales.at(pair.quantity).value_or(scale_of(smaller, pair.unit));
  const int decimals = decimals_for(pair.a.median / scale.size, uncertainty_of(row) / scale.size);
  const ShiftText shift = shift_text(row.finding.shift, scale, report.in_percent);
  const bool earlier = has_earlier(report);
  if (earlier) cells.push_back(row.earlier ? fixed_text(row.earlier->median / scale.size, decimals) : "-");
  for (const double value : {pair.a.median, pair.b.median}) cells.push_back(fixed_text(value / scale.size, decimals));
  cells.push_back(scale.name);
  if (earlier) cells.push_back(since_text(row, scale, report.in_percent));
  for (std::string cell : {shift.value, shift.range, rounded(row.finding.adjusted_p), incarnations_text(pair)})
    cells.push_back(std::move(cell));
  cells.push_back(verdict_text(row, report.margin));
  return cells;
}

void print_series(std::ostream& out, const ComparedRows& rows, const ComparisonReport& report) {
  const auto points = compared_points(rows);
  const Arrangement layout = layout_of(rows);
  out << printable(rows.front()->pair.series) << ": " << printable(rows.front()->pair.measurement);
  if (!layout.has_quantity) out << ", " << printable(rows.front()->pair.quantity);
  std::string constants;
  for (const std::string& factor : factors_of(points))
    if (!varies(factor, points)) constants += ' ' + factor + '=' + shown_level(points.front().point, factor);
  out << (constants.empty() ? "" : "\nat" + constants) << "\n\n";
  TextTable table(header_of(layout, report));
  for (const ComparedResult* row : rows) table.add(cells_of(*row, layout, report));
  table.print(out);
  out << '\n';
}

void print_head(std::ostream& out, const ComparisonReport& report) {
  out << "A: " << printable(report.a) << "\nB: " << printable(report.b) << '\n';
  if (report.design == ComparisonDesign::sequential)
    out << "sequential design: A and B were not interleaved, so that a change is only a possible one (7 to 25 of 300 "
           "points differ by themselves)\n";
  const auto apart = std::ranges::count_if(report.results, is_out_of_turn);
  if (apart > 0)
    out << apart << " of " << counted(report.results.size(), "result")
        << " not interleaved: changes in between are confounded with what was measured\n";
  const auto others =
      std::ranges::count_if(report.results, [](const ComparedResult& row) { return !row.pair.is_of_headlines; });
  if (others > 0)
    out << others << " of " << counted(report.results.size(), "result")
        << " compared in another state of the cores than a headline's, since those of A and B differ: the rows say in "
           "which\n";
  const auto converted =
      std::ranges::count_if(report.results, [](const ComparedResult& row) { return row.pair.is_converted(); });
  if (converted > 0)
    out << converted << " of " << counted(report.results.size(), "result")
        << " follow the clock of the cores, which was another one in B: compared at that of A\n";
  for (const std::string& note : report.notes) out << "note: " << printable(note) << '\n';
  out << '\n';
}

bool is_alike(const Unpaired& one, const Unpaired& other) {
  return !one.level.empty() && one.level == other.level && one.reason == other.reason;
}

// What all points of a level lack for one reason is one line.
void print_unpaired(std::ostream& out, const ComparisonReport& report) {
  if (report.unpaired.empty()) return;
  out << "not compared:\n";
  const auto& all = report.unpaired;
  for (auto at = all.begin(); at != all.end(); ++at) {
    const Unpaired& one = *at;
    const auto alike = [&](const Unpaired& other) { return is_alike(one, other); };
    if (std::any_of(all.begin(), at, alike)) continue;
    if (const auto count = std::count_if(at, all.end(), alike); count > 1) {
      out << "  " << printable(report.factor) << ' ' << printable(one.level) << ", " << count
          << " points: " << printable(one.reason) << '\n';
      continue;
    }
    out << "  " << printable(one.series);
    for (const auto& [factor, level] : one.point.levels())
      out << ' ' << factor << '=' << shown_level(one.point, factor);
    if (!one.level.empty()) out << " (" << printable(report.factor) << ' ' << printable(one.level) << ')';
    out << ": " << printable(one.reason) << '\n';
  }
  out << '\n';
}

std::string design_of(const ComparisonReport& report) {
  if (report.design == ComparisonDesign::sequential) return "sequential";
  const auto apart = std::ranges::count_if(report.results, is_out_of_turn);
  if (apart == 0) return "interleaved";
  return apart == std::ssize(report.results) ? "sequential" : "partly interleaved";
}

// What a comparison of this design can say.
std::vector<Change> changes_of(const ComparisonReport& report) {
  const std::string design = design_of(report);
  std::vector<Change> changes;
  if (design != "sequential") changes = {Change::slower, Change::faster};
  const bool any_by_chance = count_of(report, Change::possibly_slower) + count_of(report, Change::possibly_faster) > 0;
  if (design != "interleaved" || any_by_chance)
    changes.insert(changes.end(), {Change::possibly_slower, Change::possibly_faster});
  changes.insert(changes.end(), {Change::same, Change::unclear});
  return changes;
}

void print_counts(std::ostream& out, const ComparisonReport& report) {
  out << counted(report.results.size(), "result") << " compared: ";
  for (const Change change : changes_of(report))
    out << std::to_string(count_of(report, change)) << ' ' << to_text(change)
        << (change == Change::unclear ? "" : ", ");
  if (!report.unpaired.empty()) out << "; " << std::to_string(report.unpaired.size()) << " not compared";
  if (report.numberless > 0) out << "; " << counted(report.numberless, "point") << " without a number on either side";
  out << "\nfamily of " << std::to_string(report.results.size()) << ", q = " << rounded(report.q) << ", margin "
      << percent(report.margin) << ", " << design_of(report) << " design\n";
}

// What the time since an earlier campaign did, in words: it is no part of the comparison.
void print_since(std::ostream& out, const ComparisonReport& report) {
  if (!report.earlier) return;
  const EarlierCampaign& earlier = *report.earlier;
  if (!earlier.refusal.empty()) {
    out << "since then: no statement, " << printable(earlier.refusal) << '\n';
    return;
  }
  std::map<Change, std::size_t> counts;
  std::size_t all = 0;
  for (const ComparedResult& row : report.results)
    if (row.earlier) {
      ++counts[row.earlier->since.change];
      ++all;
    }
  out << "since then (" << printable(earlier.when) << ", not interleaved), " << all << " of "
      << counted(report.results.size(), "result") << ": ";
  for (const Change change : {Change::possibly_slower, Change::possibly_faster, Change::same, Change::unclear})
    out << counts[change] << ' ' << to_text(change) << (change == Change::unclear ? "; " : ", ");
  out << (earlier.has_program
              ? "the program of then was measured again: what changed is the machine or other software\n"
              : "not the program of then was measured again: it may be what changed, as the machine\n");
}

}  // namespace

std::size_t count_of(const ComparisonReport& report, Change change) {
  return static_cast<std::size_t>(std::ranges::count_if(
      report.results, [&](const ComparedResult& result) { return result.finding.change == change; }));
}

bool is_out_of_turn(const ComparedResult& result) { return result.in_turn && *result.in_turn < least_in_turn; }

void print_comparison(std::ostream& out, const ComparisonReport& report) {
  print_head(out, report);
  std::vector<ComparedRows> series;
  for (const ComparedResult& row : report.results) {
    const auto known = std::ranges::find_if(
        series, [&](const ComparedRows& rows) { return rows.front()->pair.series == row.pair.series; });
    if (known == series.end())
      series.push_back({&row});
    else
      known->push_back(&row);
  }
  for (const ComparedRows& rows : series) print_series(out, rows, report);
  print_unpaired(out, report);
  print_counts(out, report);
  print_since(out, report);
}

}  // namespace assay
