// SPDX-License-Identifier: Apache-2.0
// Points over time: tables with a plot, and the changes of their levels.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "app/archive/store.hpp"

namespace assay::history {

/// Results of one point that can be held against each other: of one node, machine and program, measured alike, and in
/// like states of the cores.
struct Line {
  std::string letter;          ///< by which the table names it
  CoreState state;             ///< of its first result
  std::string what;            ///< node, and what sets it apart from the first line
  std::vector<Dated> results;  ///< in order of time, marked ones and those without a number too
};

/// One point, quantity and regime with all its lines.
struct Course {
  PlaceOfResult place;
  Unit unit = Unit::nanoseconds;
  std::vector<Line> lines;
};

/// The courses of results in the order of appearance. A point that has no number at some date is part of all its
/// courses. What was found in another state than the one that was answered for is left out, unless another campaign
/// answered for that state.
std::vector<Course> courses_of(const std::vector<Entry>& entries, const std::vector<Dated>& results);

/// The changes of level of a line with the results on either side of each.
struct LineChange {
  ChangePoint change;
  Dated last_before;
  Dated first_after;
};
struct LineChanges {
  std::vector<LineChange> changes;
  std::size_t used = 0;
  std::size_t left_out = 0;  ///< marked, or without a number
};
LineChanges changes_of(const Line& line, double alpha);

/// The interval for another day of the last result that can be relied on, by those before it; nothing where there are
/// too few of them.
struct LineAnotherDay {
  AnotherDay found;
  KnownValue of;
};
LineAnotherDay another_day_of(const Line& line);

/// A result that an earlier one of its line contradicts: their intervals (the one for another day in place of the later
/// one's, where there is one) lie apart by more than the margin below which differences do not matter.
struct Contradicted {
  PlaceOfResult place;
  Unit unit = Unit::nanoseconds;
  Dated now;
  Dated earlier;  ///< of several the one that lies farthest
};
/// Those of one campaign, by its index, whose results can be relied on; against campaigns before it.
std::vector<Contradicted> contradicted(const std::vector<Course>& courses, std::size_t campaign);
/// A line for each, indented; of many the first ones, and how many more there are.
void print_contradicted(std::ostream& out, const std::vector<Entry>& entries, const std::vector<Contradicted>& all);

/// Prints a course.
void print_course(std::ostream& out, const std::vector<Entry>& entries, const Course& course, double alpha);

}  // namespace assay::history
