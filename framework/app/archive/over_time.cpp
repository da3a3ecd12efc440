// SPDX-License-Identifier: Apache-2.0
// Results sorted into what may be held against each other, and its changes.
#include "app/archive/over_time.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "app/results/comparability.hpp"
#include "record/table/contradictions.hpp"
#include "stats/comparison/comparison.hpp"
#include "text/words.hpp"

namespace assay::history {
namespace {

using NameOfPoint = std::tuple<std::string, std::string, std::string>;

NameOfPoint point_of(const PlaceOfResult& place) { return {place.series, place.measurement, place.point}; }

std::string letter_of(std::size_t index) {
  constexpr std::size_t letters = 26;
  std::string letter(1, static_cast<char>('a' + index % letters));
  if (index >= letters) letter += std::to_string(index / letters);
  return letter;
}

// A line by its node, and by what makes it another than the first.
std::string description(const Line& line, const Course& course, const std::vector<Entry>& entries) {
  const Line& first = course.lines.front();
  const Dated& mine = line.results.front();
  const Dated& other = first.results.front();
  const Entry& entry = entries[mine.campaign];
  std::string text = "node " + (entry.node.empty() ? std::string("unknown") : entry.node);
  if (std::ranges::any_of(course.lines, [](const Line& one) { return one.state != CoreState{}; }))
    text += "; cores " + assay::to_text(line.state);
  if (&line == &first) return text;
  const Entry& beside = entries[other.campaign];
  const auto differences = hard_differences(beside.facts, entry.facts);
  if (!differences.empty()) text += "; " + joined(differences, "; ", 4);
  if (mine.found.identity != other.found.identity) text += "; measured with other settings, or another version";
  if (differences.empty() && entry.environment != beside.environment) text += "; another schedule";
  return text;
}

// The line that a result belongs to; nullptr where it begins one. A point without a number has no state.
Line* line_of(Course& course, const Dated& dated, const std::vector<Entry>& entries) {
  const auto is_its = [&](const Line& line) {
    const Dated& first = line.results.front();
    const Entry& a = entries[first.campaign];
    const Entry& b = entries[dated.campaign];
    return a.node == b.node && a.environment == b.environment && first.found.identity == dated.found.identity &&
           (!dated.found.has_number() || is_like(line.state, dated.found.state));
  };
  const auto found = std::ranges::find_if(course.lines, is_its);
  return found == course.lines.end() ? nullptr : &*found;
}

bool is_among(const std::vector<CoreState>& states, const CoreState& state) {
  return std::ranges::any_of(states, [&](const CoreState& one) { return is_like(one, state); });
}

// What campaigns answered for.
std::vector<CoreState> answered(const std::vector<Dated>& results) {
  std::vector<CoreState> states;
  for (const auto& [found, campaign] : results)
    if (!found.is_other && found.has_number() && !is_among(states, found.state)) states.push_back(found.state);
  return states;
}

// Sorts a course's results into lines: numbers first, which determine the lines.
void form_lines(Course& course, const std::vector<Dated>& results, const std::vector<Entry>& entries) {
  const std::vector<CoreState> states = answered(results);
  for (const bool has_number : {true, false})
    for (const Dated& dated : results) {
      if (dated.found.has_number() != has_number) continue;
      if (dated.found.is_other && !is_among(states, dated.found.state)) continue;
      Line* line = line_of(course, dated, entries);
      if (line == nullptr)
        line = &course.lines.emplace_back(Line{letter_of(course.lines.size()), dated.found.state, {}, {}});
      line->results.push_back(dated);
    }
  for (Line& line : course.lines) std::ranges::stable_sort(line.results, {}, &Dated::campaign);
  for (Line& line : course.lines) line.what = description(line, course, entries);
}

// Of the earlier results of the line the one that lies farthest from it, beyond the margin; null where none does.
const Dated* farthest_before(const Line& line, std::vector<Dated>::const_iterator now) {
  const Line until_now{line.letter, line.state, line.what, {line.results.begin(), std::next(now)}};
  const Interval another_day = another_day_of(until_now).found.interval;
  const Interval& wide = another_day.available() ? another_day : now->found.known.interval;
  double most = usual_margin;
  const Dated* farthest = nullptr;
  for (auto earlier = line.results.begin(); earlier != now; ++earlier) {
    const double gap = earlier->found.is_sound ? gap_between(wide, earlier->found.known.interval) : 0;
    if (gap <= most) continue;
    most = gap;
    farthest = &*earlier;
  }
  return farthest;
}

}  // namespace

std::vector<Course> courses_of(const std::vector<Entry>& entries, const std::vector<Dated>& results) {
  std::vector<Course> courses;
  std::vector<std::vector<Dated>> of_course;
  std::map<std::pair<PlaceOfResult, Unit>, std::size_t> known;
  std::map<NameOfPoint, std::vector<std::size_t>> by_point;
  for (const Dated& dated : results) {
    if (!dated.found.has_number() && dated.found.place.quantity.empty()) continue;
    const auto [at, is_new] = known.emplace(std::pair(dated.found.place, dated.found.unit), courses.size());
    if (!is_new) continue;
    by_point[point_of(dated.found.place)].push_back(courses.size());
    courses.push_back({dated.found.place, dated.found.unit, {}});
  }
  for (const Dated& dated : results) {
    const NameOfPoint name = point_of(dated.found.place);
    if (!dated.found.place.quantity.empty()) continue;
    if (by_point.contains(name)) continue;
    by_point[name].push_back(courses.size());
    courses.push_back({dated.found.place, dated.found.unit, {}});
  }
  of_course.resize(courses.size());
  for (const Dated& dated : results) {
    if (!dated.found.place.quantity.empty())
      of_course[known.at({dated.found.place, dated.found.unit})].push_back(dated);
    else
      for (const std::size_t course : by_point[point_of(dated.found.place)]) of_course[course].push_back(dated);
  }
  for (std::size_t i = 0; i < courses.size(); ++i) form_lines(courses[i], of_course[i], entries);
  return courses;
}

LineAnotherDay another_day_of(const Line& line) {
  std::vector<double> earlier;
  LineAnotherDay last{{}, {std::numeric_limits<double>::quiet_NaN(), {}}};
  for (const Dated& dated : line.results) {
    if (!dated.found.is_sound) continue;
    if (!std::isnan(last.of.value)) earlier.push_back(last.of.value);
    last.of = dated.found.known;
  }
  last.found = another_day(last.of.value, last.of.interval, earlier);
  return last;
}

LineChanges changes_of(const Line& line, double alpha) {
  LineChanges found;
  std::vector<KnownValue> values;
  std::vector<const Dated*> of_value;
  for (const Dated& dated : line.results) {
    if (!dated.found.is_sound) continue;
    values.push_back(dated.found.known);
    of_value.push_back(&dated);
  }
  found.used = values.size();
  found.left_out = line.results.size() - values.size();
  for (const ChangePoint& change : change_points(values, {alpha, usual_margin}))
    found.changes.push_back({change, *of_value[change.at - 1], *of_value[change.at]});
  return found;
}

std::vector<Contradicted> contradicted(const std::vector<Course>& courses, std::size_t campaign) {
  std::vector<Contradicted> all;
  for (const Course& course : courses)
    for (const Line& line : course.lines) {
      const auto now = std::ranges::find_if(
          line.results, [&](const Dated& dated) { return dated.campaign == campaign && dated.found.is_sound; });
      if (now == line.results.end() || now->found.is_other) continue;
      if (const Dated* earlier = farthest_before(line, now)) all.push_back({course.place, course.unit, *now, *earlier});
    }
  return all;
}

}  // namespace assay::history
