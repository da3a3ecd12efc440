// SPDX-License-Identifier: Apache-2.0
// The tables of a campaign, with what stands around them, and that of one series.
#pragma once
#include <iosfwd>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "record/grouping.hpp"
#include "record/record.hpp"
#include "record/table/table_choice.hpp"

namespace assay {

/// The campaign's title with an empty line, where it has one.
void print_title(std::ostream& out, const std::vector<Record>& records);
/// The meaning of each mark that occurs in `used`, with an empty line after them.
void print_legend(std::ostream& out, std::string_view used);
/// The series of the campaign that a layout has no place for, in a line that says where they are shown; nothing where
/// there are none. `shown` has the names of the others.
void print_unshown(std::ostream& out, const std::vector<SeriesGroup>& groups, const std::set<std::string>& shown);
/// Notes, the number of points by outcome, and how the last session ended unless it is complete.
void print_close(std::ostream& out, const std::vector<Record>& records, const std::vector<SeriesGroup>& groups);

/// Prints a blank line and one line for each derived value, `name = value [low .. high] unit (formula)` or
/// `name = n/a: reason`, with the levels that distinguish its group; nothing when the series has none.
/// With `cycles`, times of cores that all had one clock are reported in cycles of it too.
void print_derived(std::ostream& out, const SeriesGroup& group, bool cycles = false);

/// Prints heading, table, derived values and pictures of a series; returns the marks used, in any order and number.
std::string print_series(std::ostream& out, const SeriesGroup& group, const TableChoice& choice = {});

}  // namespace assay
