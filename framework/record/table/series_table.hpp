// SPDX-License-Identifier: Apache-2.0
// The table of one series.
#pragma once
#include <iosfwd>
#include <string>

#include "record/grouping.hpp"
#include "record/table/table_choice.hpp"

namespace assay {

/// Prints a blank line and one line for each derived value, `name = value [low .. high] unit (formula)` or
/// `name = n/a: reason`, with the levels that distinguish its group; nothing when the series has none.
/// With `cycles`, times of cores that all had one clock are reported in cycles of it too.
void print_derived(std::ostream& out, const SeriesGroup& group, bool cycles = false);

/// Prints heading, table, derived values and pictures of a series; returns the marks used, in any order and number.
std::string print_series(std::ostream& out, const SeriesGroup& group, const TableChoice& choice = {});

}  // namespace assay
