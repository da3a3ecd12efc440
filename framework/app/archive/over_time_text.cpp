// SPDX-License-Identifier: Apache-2.0
// A point over time for people.
#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>
#include <set>

#include "app/archive/acceptance.hpp"
#include "app/archive/over_time.hpp"
#include "app/results/comparability.hpp"
#include "base/typed.hpp"
#include "record/shown_value.hpp"
#include "record/table/table.hpp"
#include "text/printable.hpp"
#include "text/scale.hpp"

namespace assay::history {
namespace {

constexpr std::size_t width = 40;        // of the plot, in characters
constexpr std::size_t date_digits = 16;  // to the minute

// Where values stand in the plot.
struct Axis {
  double low = 0;
  double high = 0;
  std::size_t column(double value) const {
    if (!(high > low)) return width / 2;
    const double share = std::clamp((value - low) / (high - low), 0.0, 1.0);
    return static_cast<std::size_t>(std::lround(share * static_cast<double>(width - 1)));
  }
};

template <class Take>
void each(const Course& course, Take take) {
  for (const Line& line : course.lines)
    for (const Dated& dated : line.results) take(line, dated);
}

// All medians that can be relied on, and intervals as long as these do not hide them. What is marked may lie outside,
// and then stands at the edge.
Axis axis_of(const Course& course) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  bool any_sound = false;
  each(course, [&](const Line&, const Dated& dated) { any_sound = any_sound || dated.found.is_sound; });
  const auto counts = [&](const Found& found) { return found.has_number() && (found.is_sound || !any_sound); };
  each(course, [&](const Line&, const Dated& dated) {
    if (!counts(dated.found)) return;
    low = std::min(low, dated.found.known.value);
    high = std::max(high, dated.found.known.value);
  });
  const double room = std::max(high - low, std::abs(high) / 100);
  Axis axis{low, high};
  each(course, [&](const Line&, const Dated& dated) {
    const Interval& interval = dated.found.known.interval;
    if (!counts(dated.found) || !interval.available()) return;
    axis.low = std::min(axis.low, std::max(interval.low, low - room));
    axis.high = std::max(axis.high, std::min(interval.high, high + room));
  });
  return axis;
}

// "   --o--   ": the interval, and in it the median; x where it is marked.
std::string plot_of(const Found& found, const Axis& axis) {
  std::string plot(width, ' ');
  if (!found.has_number()) return {};
  const Interval& interval = found.known.interval;
  if (interval.available()) {
    const auto from = axis.column(interval.low);
    std::fill_n(plot.begin() + static_cast<std::ptrdiff_t>(from), axis.column(interval.high) - from + 1, '-');
  }
  plot[axis.column(found.known.value)] = found.is_sound ? 'o' : 'x';
  return "|" + plot + "|";
}

std::string date_of(const Entry& entry) {
  std::string date = entry.started.substr(0, date_digits);
  std::ranges::replace(date, 'T', ' ');
  return date;
}

std::vector<std::string> row_of(const Entry& entry, const std::string& letter, const Dated& dated, const Axis& axis) {
  const Found& found = dated.found;
  const Scale scale = scale_of(found.known.value, found.unit);
  const ShownValue text = shown(found.known.value, found.known.interval, scale);
  const bool has_number = found.has_number();
  std::string campaign = entry.title;
  if (entry.source != Source::there) campaign += " (" + to_text(entry.source) + ")";
  return {date_of(entry),
          letter,
          entry.node,
          campaign,
          has_number ? text.value : "-",
          found.marks,
          has_number ? text.low + " .. " + text.high : "-",
          has_number ? scale.name : "-",
          plot_of(found, axis),
          found.verdict};
}

// With one digit more than the margin of a change.
std::string value_text(double value, Unit unit) {
  const double half = std::abs(value) * usual_margin / 10;
  const Scale scale = scale_of(value, unit);
  return shown(value, {value - half, value + half, 1}, scale).value + " " + scale.name;
}

void print_change(std::ostream& out, const std::vector<Entry>& entries, const LineChange& found, Unit unit) {
  const ChangePoint& change = found.change;
  const Entry& before = entries[found.last_before.campaign];
  const Entry& after = entries[found.first_after.campaign];
  const double percent = std::round((change.after / change.before - 1) * 1000) / 10;
  out << "  change between " << date_of(before) << " and " << date_of(after) << ": " << value_text(change.before, unit)
      << " -> " << value_text(change.after, unit);
  if (std::isfinite(percent)) out << ", " << (percent > 0 ? "+" : "") << number_text(percent) << " %";
  out << ", " << ((change.after > change.before) == more_is_better(unit) ? "faster" : "slower") << " (p "
      << number_text(std::round(change.p * 10000) / 10000) << ")\n";
  for (const std::string& difference : soft_differences(before.facts, after.facts))
    out << "    changed at the same time: " << printable(difference) << '\n';
}

// A prediction interval for the next campaign's median, from the spread of earlier ones.
void print_another_day(std::ostream& out, const Line& line, Unit unit) {
  const LineAnotherDay other = another_day_of(line);
  if (other.found.from == 0) return;
  const Scale scale = scale_of(other.of.value, unit);
  const ShownValue text = shown(other.of.value, other.found.interval, scale);
  out << "  another day: " << text.low << " .. " << text.high << ' ' << scale.name << " about the last " << text.value
      << ", predicted from " << other.found.from << " earlier campaigns\n";
}

void print_line(std::ostream& out, const std::vector<Entry>& entries, const Line& line, Unit unit, double alpha) {
  const LineChanges found = changes_of(line, alpha);
  out << line.letter << ": " << printable(line.what) << ": ";
  const std::size_t fewest = fewest_for_a_change(alpha);
  if (found.used < fewest)
    out << found.used << " values, a change can be detected from " << fewest << " on";
  else if (found.changes.empty())
    out << found.used << " values, no change found";
  else
    out << found.used << " values, changes found: " << found.changes.size();
  if (found.left_out > 0) out << "; " << found.left_out << " marked or without a number, left out";
  out << '\n';
  for (const LineChange& change : found.changes) print_change(out, entries, change, unit);
  print_another_day(out, line, unit);
}

}  // namespace

void print_course(std::ostream& out, const std::vector<Entry>& entries, const Course& course, double alpha) {
  out << printable(course.place.series) << ": " << printable(course.place.measurement);
  if (!course.place.quantity.empty())
    out << ", " << printable(course.place.quantity) << ", " << printable(course.place.regime);
  out << "\nat " << printable(course.place.point) << "\n\n";
  const Axis axis = axis_of(course);
  std::vector<std::pair<std::string, Dated>> rows;
  each(course, [&](const Line& line, const Dated& dated) { rows.emplace_back(line.letter, dated); });
  std::ranges::stable_sort(rows, {}, [](const auto& row) { return row.second.campaign; });
  TextTable table({"date", "line", "node", "campaign", "median", "", "low .. high", "unit", "plot", "verdict"});
  std::set<char> marks;
  for (const auto& [letter, dated] : rows) {
    table.add(row_of(entries[dated.campaign], letter, dated, axis));
    marks.insert(dated.found.marks.begin(), dated.found.marks.end());
  }
  table.print(out);
  if (std::isfinite(axis.low))
    out << "plot: from " << value_text(axis.low, course.unit) << " to " << value_text(axis.high, course.unit)
        << "; o median, x marked, - interval\n";
  for (const char mark : all_marks)
    if (marks.contains(mark)) out << mark << "  " << meaning_of(mark) << '\n';
  out << '\n';
  for (const Line& line : course.lines) print_line(out, entries, line, course.unit, alpha);
}

void print_contradicted(std::ostream& out, const std::vector<Entry>& entries, const std::vector<Contradicted>& all) {
  constexpr std::size_t most = 10;
  constexpr std::size_t day_digits = 10;
  for (std::size_t i = 0; i < std::min(all.size(), most); ++i) {
    const auto& [place, unit, now, earlier] = all[i];
    const Scale scale = scale_of(now.found.known.value, unit);
    const auto value = [&](const Dated& dated) {
      return shown(dated.found.known.value, dated.found.known.interval, scale).value + ' ' + scale.name;
    };
    out << "  series " << printable(place.series) << (place.point.empty() ? "" : " ") << printable(place.point) << ": "
        << printable(place.quantity) << ' ' << value(now) << ", but " << value(earlier) << " on "
        << printable(entries[earlier.campaign].started.substr(0, day_digits)) << ", with intervals apart\n";
  }
  if (all.size() > most) out << "  and " << all.size() - most << " more\n";
  if (!all.empty())
    out << "  The same node, machine and program: something changed in between, and neither is the value of another "
           "day "
           "('assay history show', 'assay doctor').\n";
}

}  // namespace assay::history
